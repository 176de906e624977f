"""What a number is about that no word names: the price of `products over 900`, the age of `students over 20`."""

from collections.abc import Iterator

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
    told = [(entry, own_words(asked, entry)) for entry in measures_of(asked, table.id)]
    aged = [entry for entry, own in told if own == {"age"}]
    if len(aged) == 1:
        return aged[0]
    sole = sole_amount(asked, table.id)
    return (
        sole
        if sole is not None and (is_worth(asked, sole) or _is_around(sole, comparison))
        else None
    )


def sole_amount(asked: Asked, table: int) -> ColumnEntry | None:
    """What things are worth, else the only amount that they have; None where there are several, or none."""
    amounts = list(measures_of(asked, table))
    worth = [entry for entry in amounts if is_worth(asked, entry)]
    chosen = worth or amounts
    return chosen[0] if len(chosen) == 1 else None


def sole_worth(asked: Asked, table: int) -> ColumnEntry | None:
    """The one column that says what things are worth; None where none does, or several do."""
    sole = sole_amount(asked, table)
    return sole if sole is not None and is_worth(asked, sole) else None


def is_worth(asked: Asked, entry: ColumnEntry) -> bool:
    """True for the price or the amount of a thing, of which its name says no more."""
    own = own_words(asked, entry)
    return bool(own) and own <= _WORTH


def measures_of(asked: Asked, table: int) -> Iterator[ColumnEntry]:
    """The columns of a table that hold amounts."""
    columns = map(asked.column, asked.vocabulary.tables[table].columns)
    return (entry for entry in columns if entry.measures)


def own_words(asked: Asked, entry: ColumnEntry) -> set[str]:
    """The words of the name of a column, without those of its table and its unit."""
    return {*entry.forms[0]} - asked.vocabulary.tables[entry.table].words - _UNITS


def _is_around(entry: ColumnEntry, comparison: Compared) -> bool:
    """True where a number lies among the values of a column: what is compared with it is one of its kind."""
    seen = entry.column.profile
    low, high = (None, None) if seen is None else (seen.low, seen.high)
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return any(low <= value <= high for value in comparison.values)
