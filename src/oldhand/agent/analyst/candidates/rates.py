"""Rates: `cancellation rate` is the percentage of orders that are cancelled, `return rate` of items that came back."""

from collections.abc import Iterator

from rapidfuzz.distance import Prefix

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.sketch import ROWS, Condition, Term
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import split_name
from oldhand.record.schema import Kind

ALIKE = 5
"""Letters that two words share at their beginning when the one is made of the other."""
_RATES = words("asking.rates")
_SHARE = Term(ROWS, "share")


def rate_at(asked: Asked) -> int | None:
    """Where the word stands that says what a rate is of; None where `rate` is none, or a column's name."""
    for place in range(1, len(asked.links.tokens)):
        if asked.word(place) not in _RATES:
            continue
        columns = [m for m in asked.links.columns if m.span.mask >> place & 1]
        names = [split_name(asked.column(m.best.id).column.name) for m in columns]
        if not any(_RATES & set(name) for name in names):
            return place - 1
    return None


def rate_slots(asked: Asked) -> list[Slot]:
    """A slot for `cancellation rate`: the rows in that state among all of their table."""
    place = rate_at(asked)
    if place is None:
        return []
    used = 0b11 << place
    choices = [*_in_state(asked, place, used), *_with_rows(asked, place, used)]
    return [Slot(used, (*choices, skip("share")))] if choices else []


def _in_state(asked: Asked, place: int, used: int) -> Iterator[Choice]:
    """`Cancellation rate`: a column says `cancelled` of some rows."""
    for entry in asked.vocabulary.columns:
        for condition in _states(entry, asked.word(place)):
            part = Choice("where", (), 0, 0, place, condition=condition)
            yield _share(asked, entry.table, used, place, part)


def _states(entry: ColumnEntry, word: str) -> Iterator[Condition]:
    name = entry.column.name.casefold().replace("_", " ")
    if entry.column.kind is Kind.BOOLEAN and _is_made_of(word, name.removeprefix("is ")):
        yield Condition(Term(entry.id), "=", (True,))
    for sample in entry.column.samples if entry.column.kind is Kind.TEXT else ():
        if isinstance(sample, str) and _is_made_of(word, sample.casefold()):
            yield Condition(Term(entry.id), "=", (sample,))


def _is_made_of(word: str, state: str) -> bool:
    shared = Prefix.similarity(word, state)
    return shared >= ALIKE and " " not in state and len(state) - shared <= ALIKE


def _with_rows(asked: Asked, place: int, used: int) -> Iterator[Choice]:
    """`Return rate`: another table has a row for each of those that came back."""
    named = (asked.links.tokens[place].stem,)
    for entry in asked.vocabulary.tables:
        edges = asked.vocabulary.joins.edges(entry.id) if named in entry.forms else ()
        for whole in dict.fromkeys(e.right for e in edges if e.left == entry.id):
            part = Choice("join", (), 0, 0, place, table=entry.id)
            yield _share(asked, whole, used, place, part)


def _share(asked: Asked, whole: int, used: int, place: int, part: Choice) -> Choice:
    features: Features = (("share.of", 1.0), ("rate.near", asked.nearness(whole)))
    return Choice(
        "select", features, used, 1 << whole, place, (_SHARE,), table=whole, along=(part,)
    )
