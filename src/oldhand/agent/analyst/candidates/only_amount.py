"""What a number is about that no word names: the price of `products over 900`, the age of `students over 20`."""

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.comparing import Compared
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import NumberMention
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, stem, word_stems
from oldhand.query.units import units

_BEING = words("verbs.be")
_WORTH = word_stems("money.prices")
_UNITS = frozenset(map(stem, units()))
_THING = 0.5
"""How well the things before the number must be named."""


def only_amount(asked: Asked, number: NumberMention, comparison: Compared) -> ColumnEntry | None:
    """The age of things, else what they cost, else their only amount that lies around the number, which stands right behind them."""
    before = [m for m in asked.links.tables if m.span.end <= comparison.start]
    named = before[-1] if before and before[-1].best.score >= _THING else None
    if named is None or not set(asked.words(named.span.end, comparison.start)) <= _BEING:
        return None
    several = asked.word(named.span.end - 1).endswith("s")
    ends = asked.word(number.said.end) in STOP_WORDS | _BEING
    if not several or (not ends and any(asked.tables_after(number.said.end, 4))):
        return None
    table = asked.vocabulary.tables[named.best.id]
    if (age := asked.vocabulary.ages.get(table.id)) is not None:
        return asked.column(age)
    amounts = [entry for entry in map(asked.column, table.columns) if entry.measures]
    told = [(entry, {*entry.forms[0]} - table.words - _UNITS) for entry in amounts]
    chosen = [entry for entry, own in told if own == {"age"}]
    chosen = chosen or [entry for entry, own in told if own and own <= _WORTH]
    chosen = chosen or [
        entry for entry in amounts[:1] if len(amounts) == 1 and _is_around(entry, comparison)
    ]
    return chosen[0] if len(chosen) == 1 else None


def _is_around(entry: ColumnEntry, comparison: Compared) -> bool:
    """True where a number lies among the values of a column: what is compared with it is one of its kind."""
    seen = entry.column.profile
    low, high = (None, None) if seen is None else (seen.low, seen.high)
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return any(low <= value <= high for value in comparison.values)
