"""Rates that a word before them tells: `cancellation rate`, `walk-in rate`, `return rate`."""

from collections.abc import Iterator

from rapidfuzz.distance import Prefix

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, skip, slot
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.states import yes_and_no
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.fitting import ASKED_FOR, WHOLE
from oldhand.agent.analyst.words.links import ValueMention
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.query.form import Comparison, Share
from oldhand.record.schema import Kind

_RATES = words("asking.rates")
_SHARE, _ALIKE = Share(()), 5
"""Letters that two words share at their beginning when the one is made of the other."""


def rate_at(asked: Asked) -> int | None:
    """Where the word stands that says what a rate is of; None where `rate` is none, or the name of a column or table."""
    for place in range(1, len(asked.links.tokens)):
        if asked.word(place) not in _RATES:
            continue
        over = [m for m in asked.links.columns if m.span.mask >> place & 1]
        least = ASKED_FOR if rated(asked, place - 1) is None else WHOLE
        columns = [m for m in over if m.best.score >= least]
        names = [split_name(asked.column(m.best.id).column.name) for m in columns]
        named = (m for m in asked.links.tables if m.best.score >= ASKED_FOR)
        things = any(m.span.mask >> place & 1 for m in named)
        if not things and not any(_RATES & set(name) for name in names):
            return place - 1
    return None


def rate_slots(asked: Asked) -> Iterator[Slot]:
    """A slot for `cancellation rate`: the rows in that state among all of their table."""
    place = rate_at(asked)
    if place is not None:
        choices = [*_in_state(asked, place), *_with_rows(asked, place)]
        yield from slot(0b11 << place, choices, skip("share"))
        yield from slot(2 << place, () if choices else _of_value(asked, place), skip("share"))


def rated(asked: Asked, place: int) -> ValueMention | None:
    """The value whose last word stands at a place, and that says what a rate is of: `no show` in `no show rate`."""
    return next((v for v in asked.links.values if v.span.end == place + 1), None)


def _of_value(asked: Asked, place: int) -> Iterator[Choice]:
    """`No show rate`: the words before are a value, which narrows to the part by itself."""
    value = rated(asked, place)
    options = value.options if value is not None else ()
    for table in dict.fromkeys(asked.column(option.column).table for option in options):
        features: Features = (("share.of", 1.0), ("rate.near", asked.nearness(table)))
        yield select(asked, place, 2 << place, features, _SHARE, table=table)


def _in_state(asked: Asked, place: int) -> Iterator[Choice]:
    """`Cancellation rate`: a column says `cancelled` of some rows."""
    for entry in asked.vocabulary.columns:
        for condition in _states(entry, asked.word(place)):
            part = Choice("where", (), 0, 0, place, condition=condition)
            yield _share(asked, entry.table, place, part)
    for mention in asked.links.columns:  # `walk-in rate`
        entry = asked.column(mention.best.id)
        pair = yes_and_no(entry) if mention.span.end == place + 1 > mention.span.start + 1 else None
        if pair is not None and mention.best.score >= ASKED_FOR:
            condition = Comparison(entry.ref, "=", pair[:1])
            part = Choice("where", (), 0, mention.span.mask, place, condition=condition)
            yield _share(asked, entry.table, place, part)


def _states(entry: ColumnEntry, word: str) -> Iterator[Condition]:
    name = entry.column.name.casefold().replace("_", " ")
    pair = yes_and_no(entry)
    if pair is not None and _is_made_of(word, name.removeprefix("is ")):
        yield Comparison(entry.ref, "=", pair[:1])
    for sample in entry.column.samples if entry.column.kind is Kind.TEXT else ():
        if isinstance(sample, str) and _is_made_of(word, sample.casefold()):
            yield Comparison(entry.ref, "=", (sample,))


def _is_made_of(word: str, state: str) -> bool:
    """Whether a word and a state are of one verb.

    >>> _is_made_of("cancellation", "cancelled"), _is_made_of("pass", "passed"), _is_made_of("pass", "pending")
    (True, True, False)
    """
    shared = Prefix.similarity(word, state)
    alike = shared >= _ALIKE and " " not in state and len(state) - shared <= _ALIKE
    return alike or stem(word) == stem(state)


def _with_rows(asked: Asked, place: int) -> Iterator[Choice]:
    """`Return rate`: another table has a row for each of those that came back."""
    named = (asked.links.tokens[place].stem,)
    for entry in asked.vocabulary.tables:
        wholes = asked.vocabulary.joins.held(entry.id) if named in entry.forms else ()
        for whole in dict.fromkeys(wholes):
            part = Choice("join", (), 0, 0, place, table=entry.id)
            yield _share(asked, whole, place, part)


def _share(asked: Asked, whole: int, place: int, part: Choice) -> Choice:
    features: Features = (("share.of", 1.0), ("rate.near", asked.nearness(whole)))
    return select(asked, place, 0b11 << place, features, _SHARE, table=whole, along=(part,))
