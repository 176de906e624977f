"""What is told of a query that rests on what people have said, and what is no longer in doubt because of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from oldhand.agent.analyst.precedents.adapting import Adaptation
from oldhand.agent.analyst.precedents.answering import counts_instead, unanswered
from oldhand.agent.analyst.precedents.pool import PoolEntry, is_barred, is_settled, unsettled
from oldhand.agent.analyst.precedents.precedent import LIKE
from oldhand.agent.analyst.understanding import Candidate, Understanding
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.tokens import tokenise
from oldhand.query.walk import databases
from oldhand.record.shortening import shortened

LONGEST = 120
"""Characters of an old question that are repeated."""


def candidate_of(
    entry: PoolEntry,
    features: Mapping[str, float],
    score: float,
) -> Candidate:
    """An entry of the pool as a candidate.

    What the rules could not take into account is no objection any more where a confirmed pair settles it.
    """
    if entry.candidate is None:
        reading = likened(entry.confirmed[0])
        return Candidate(entry.query, score, features, reading, databases(entry.query))
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
    return repr(shortened(line, LONGEST))


def in_its_light(
    found: Understanding, entry: PoolEntry, pool: Sequence[PoolEntry], words: Vocabulary
) -> Understanding:
    """`found` with what its first candidate rests on, and without the doubts that this settles.

    Args:
        found: the candidates in their new order, else as the rules see the question.
        entry: the first of them.
        pool: all of them.
        words: the schemas' words.
    """
    against = _rejected(pool, entry)
    rests = replace(
        found,
        notes=(*(found.notes if entry.rank == 0 else ()), *_said(against)),
        aliases=found.aliases if entry.candidate is not None else (),
        lessons=tuple(dict.fromkeys(one.precedent.id for one in (*entry.confirmed, *against))),
    )
    if not entry.confirmed:
        return rests
    best = entry.confirmed[0]
    limit = " If it is not so here, correct this answer." if best.swapped else ""
    note = f"Like {_judged(best, 'confirmed')}{_swapped(best)}.{limit}"
    # What was confirmed joins what it needs, whatever tables the rules have looked for.
    rests = replace(rests, notes=(*rests.notes, note), compares=False, apart=())
    if is_settled(entry):  # whatever its words have come to mean since
        return replace(rests, unknown_words=(), left_out=())
    missing = _as_asked(unanswered(entry.query, best.left, words), found.question)
    if counts_instead(entry.query, best.left):
        missing += tuple(found.question.split()[:1])
    return replace(
        rests,
        unknown_words=unsettled(found.unknown_words, entry),
        left_out=tuple(dict.fromkeys((*unsettled(found.left_out, entry), *missing))),
    )


def _as_asked(missing: Sequence[str], question: str) -> tuple[str, ...]:
    """Words as the question has them instead of their stems."""
    spelt = {token.stem: token.text for token in tokenise(question)}
    return tuple(spelt.get(one, one) for one in missing)


def _rejected(pool: Sequence[PoolEntry], entry: PoolEntry) -> tuple[Adaptation, ...]:
    """The rejected pairs that speak against what the rules would have answered, when something else came first."""
    first = next((other for other in pool if other.rank == 0), None)
    if first is None or (first is entry and not is_barred(entry)):
        return ()
    return tuple(first.rejected)


def _said(against: Sequence[Adaptation]) -> tuple[str, ...]:
    if not against:
        return ()
    return (f"Not as before for {_judged(against[0], 'called wrong')}.",)


def _judged(adaptation: Adaptation, verdict: str) -> str:
    """Such as: 'How many clients live in Rome?', which ana confirmed on 2026-11-20."""
    pair = adaptation.precedent
    when = f" on {pair.on.isoformat()}" if pair.on else ""
    return f"{quoted(pair.question)}, which {pair.by or 'somebody'} {verdict}{when}"
