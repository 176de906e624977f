"""Amounts in other units than those of their columns: `milliseconds / 60000` are minutes."""

from collections.abc import Sequence
from typing import NamedTuple

from oldhand.lexicon.wording import human, plain_number
from oldhand.query.form import Aggregate, Arithmetic, ColumnRef, Expression, Value
from oldhand.query.known import known_column
from oldhand.query.units import Unit, called, unit_of, units
from oldhand.record.schema import Column, DatabaseSchema

_SAME_UNIT = frozenset({"sum", "avg", "min", "max"})
"""What gives an amount in the unit of its column."""
_DIGITS = 9
"""Decimals to which two sizes of a unit are the same."""


class Converted(NamedTuple):
    """An amount that was brought into another unit."""

    of: Expression
    unit: Unit
    was: str
    """The unit that it was in, where its column is called by nothing else; empty otherwise."""
    measured: str
    """What such a column measures: `length`."""

    def said(self, words: str) -> str:
        """What names the amount before, for the one after: `average length in minutes` of `average milliseconds`."""
        named = words.replace(self.was, self.measured) if self.was else words
        return f"{named} in {self.unit.word}"


def _column_of(amount: Expression, schemas: Sequence[DatabaseSchema]) -> Column | None:
    """The column whose unit an amount has."""
    inner = amount.of if isinstance(amount, Aggregate) and amount.function in _SAME_UNIT else amount
    return known_column(inner, schemas) if isinstance(inner, ColumnRef) else None


def convert(amount: Expression, unit: Unit, schemas: Sequence[DatabaseSchema]) -> Expression | None:
    """An amount in another unit; None where it measures something else, or nothing that is known."""
    column = _column_of(amount, schemas)
    held = None if column is None else unit_of(column)
    if held is None or held.kind != unit.kind:
        return None
    if held.size == unit.size:
        return amount
    wider = unit.size > held.size
    times = round(unit.size / held.size if wider else held.size / unit.size, _DIGITS)
    return Arithmetic("/" if wider else "*", amount, Value(plain_number(times)))


def converted(made: Expression, schemas: Sequence[DatabaseSchema]) -> Converted | None:
    """What `convert` has made, whoever wrote it; None for everything else."""
    match made:
        case Arithmetic("/" | "*", of, Value(int() | float() as times)) if times > 1:
            column = _column_of(of, schemas)
        case _:
            return None
    held = None if column is None else unit_of(column)
    if column is None or held is None:
        return None
    size = held.size * times if made.operator == "/" else held.size / times
    same = [u for u in units().values() if u.kind == held.kind and round(u.size / size - 1, _DIGITS) == 0]  # fmt: skip
    if not same:
        return None
    measured = next(called(column), "")
    return Converted(of, max(same, key=lambda unit: len(unit.word)), human(column.name) if measured else "", measured)  # fmt: skip
