"""What is told of a query that rests on what people have said, and what is no longer in doubt because of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from oldhand.agent.analyst.precedents.adapting import Adaptation
from oldhand.agent.analyst.precedents.pool import Entry
from oldhand.agent.analyst.rendering.names import databases_of
from oldhand.agent.analyst.understanding import Candidate, Understanding
from oldhand.agent.analyst.words.tokens import tokenise

LIKE = "like "
"""How the reading of a query starts that the rules have no words for."""
LONGEST = 120
"""Characters of an old question that are repeated."""


def candidate_of(entry: Entry, features: Mapping[str, float], score: float) -> Candidate:
    """An entry of the pool as a candidate.

    What the rules could not take into account is no objection any more where a confirmed pair settles it.
    """
    if entry.candidate is None:
        reading = likened(entry.confirmed[0])
        return Candidate(entry.query, score, features, reading, databases_of(entry.query))
    known = features if entry.confirmed else {**entry.candidate.features, **features}
    return replace(entry.candidate, score=score, features=known)


def likened(adaptation: Adaptation) -> str:
    """A query by the question that it was confirmed for, such as: like 'How many in Rome?', with 'Lyon' for 'Rome'."""
    return f"{LIKE}{quoted(adaptation.precedent.question)}{_swapped(adaptation)}"


def _swapped(adaptation: Adaptation) -> str:
    swapped = [f"{new!r} for {old!r}" for old, new in adaptation.swapped]
    return f", with {' and '.join(swapped)}" if swapped else ""


def quoted(question: str) -> str:
    """An old question on one line, in quotation marks, cut where it is long."""
    line = " ".join(question.split())
    return repr(line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…")


def in_its_light(found: Understanding, entry: Entry) -> Understanding:
    """`found` without the doubts that the pairs behind its first candidate settle, and with what it rests on."""
    if not entry.confirmed:
        return found
    pair = entry.confirmed[0].precedent
    when = f" on {pair.on.isoformat()}" if pair.on else ""
    note = f"Like {quoted(pair.question)}, which {pair.by or 'somebody'} confirmed{when}{_swapped(entry.confirmed[0])}."
    open_words = {word.stem for word, amount in entry.confirmed[0].left.new_words if amount > 0}
    open_words |= {text for slot in entry.confirmed[0].left.new_slots for text in slot.texts}
    return replace(
        found,
        notes=(*_of_rules(found, entry), note),
        unknown_words=_still(found.unknown_words, open_words),
        left_out=_still(found.left_out, open_words),
        compares=False,
        lessons=tuple(dict.fromkeys(one.precedent.id for one in entry.confirmed)),
    )


def _of_rules(found: Understanding, entry: Entry) -> tuple[str, ...]:
    """The rules' notes speak of their own first candidate alone."""
    return found.notes if entry.rank == 0 else ()


def _still(words: Sequence[str], unsettled: set[str]) -> tuple[str, ...]:
    """The words that a confirmed question does not have either."""
    return tuple(
        word
        for word in words
        if word.casefold() in unsettled or any(token.stem in unsettled for token in tokenise(word))
    )
