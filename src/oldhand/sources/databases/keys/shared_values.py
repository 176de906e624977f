"""Whether the values of some columns are there in others: asked of the databases, a few values at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from oldhand.record.base import Cell
from oldhand.record.schema import Column, Kind, Table
from oldhand.sources.cells import plain_cell
from oldhand.sources.databases.keys.names import NamedTable
from oldhand.sources.databases.profile.measuring import MEASURED_ROWS
from oldhand.sources.databases.selecting import fetched, quoted, selected
from oldhand.sources.databases.session import LiveDatabase, RawRow

_LOOKED_AT = 200
"""Different values of a column that are looked for on the other side."""
_SECONDS = 10.0


@dataclass(frozen=True)
class Shared:
    """How many of some values are there in other columns."""

    values: int
    held: int

    @property
    def share(self) -> float | None:
        """None when there is nothing to compare."""
        return self.held / self.values if self.values else None

    @property
    def said(self) -> str:
        """In words."""
        if not self.values:
            return "no values to compare"
        return f"{self.held} of {self.values} values are there"


class SharedValues:
    """Compares values of columns; those of each are read once."""

    def __init__(self, source: Callable[[str], LiveDatabase]) -> None:
        self._source = source
        self._values: dict[object, frozenset[Cell]] = {}

    def of(
        self,
        here: NamedTable,
        columns: tuple[Column, ...],
        there: NamedTable,
        target: tuple[Column, ...],
    ) -> Shared:
        """How many of the values of some columns the target holds; of several, in one database."""
        if there.table.row_count == 0:
            return Shared(0, 0)
        if len(columns) > 1:
            return self._of_several(here, columns, there, target)
        column, goal = next(iter(columns)), next(iter(target))
        values = self._read(here, column)
        wanted = {as_kind(value, goal.kind) for value in values} - {None}
        held = self._held(there, goal, wanted) & wanted if wanted else ()
        return Shared(len(values), len(held))

    def tells_apart(self, named: NamedTable, columns: tuple[str, ...]) -> bool:
        """Whether no two of the rows looked at agree in these columns."""
        rows = _of(named.table, columns).limit(MEASURED_ROWS).subquery("looked_at")
        several = exp.select(exp.Count(this=exp.Star())).from_(
            exp.select(*map(quoted, columns)).distinct().from_(rows.copy()).subquery("different")
        )
        counted = exp.select(exp.Count(this=exp.Star()), several.subquery()).from_(rows)
        found = self._fetched(named, counted, rows=1)
        return len(found) == 1 and found[0][0] == found[0][1] != 0

    def _read(self, here: NamedTable, column: Column) -> frozenset[Cell]:
        place = (here.database.name, here.table.schema_name, here.table.name, column.name)
        if place not in self._values:
            name = quoted(column.name)
            some = _of(here.table, (column.name,)).where(name.is_(exp.null()).not_()).distinct()
            rows = self._fetched(here, some.limit(_LOOKED_AT), rows=_LOOKED_AT)
            self._values[place] = frozenset(plain_cell(value) for (value,) in rows) - {""}
        return self._values[place]

    def _held(self, there: NamedTable, column: Column, values: set[Cell]) -> set[Cell]:
        name = quoted(column.name)
        wanted = name.isin(*(exp.convert(value) for value in sorted(values, key=str)))
        query = _of(there.table, (column.name,)).distinct().where(wanted)
        rows = self._fetched(there, query, rows=len(values))
        return {as_kind(plain_cell(value), column.kind) for (value,) in rows}

    def _of_several(
        self,
        here: NamedTable,
        columns: tuple[Column, ...],
        there: NamedTable,
        target: tuple[Column, ...],
    ) -> Shared:
        names, goals = [c.name for c in columns], [c.name for c in target]
        filled = [quoted(name).is_(exp.null()).not_() for name in names]
        some = _of(here.table, names).where(*filled).distinct().limit(_LOOKED_AT)
        keys = _of(there.table, goals).distinct()
        pairs = [
            quoted(name, "some").eq(quoted(goal, "keys"))
            for name, goal in zip(names, goals, strict=True)
        ]
        held = exp.Count(this=quoted(goals[0], "keys"))
        query = (
            exp.select(exp.Count(this=exp.Star()), held)
            .from_(some.subquery("some"))
            .join(keys.subquery("keys"), on=exp.and_(*pairs), join_type="left")
        )
        found = self._fetched(here, query, rows=1)
        return Shared(*(int(str(number)) for number in found[0])) if found else Shared(0, 0)

    def _fetched(self, named: NamedTable, query: exp.Select, rows: int) -> Sequence[RawRow]:
        return fetched(self._source(named.database.name), query, rows, _SECONDS) or ()


def as_kind(value: Cell, kind: Kind) -> Cell:
    """A value as a column of this kind holds it; None where it can't.

    >>> as_kind("12", Kind.INTEGER), as_kind(12.0, Kind.TEXT), as_kind("n/a", Kind.NUMBER)
    (12, '12', None)
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if kind is Kind.TEXT:
        return str(value)
    if isinstance(value, str) and kind is not Kind.OTHER:
        return int(value) if value.isdecimal() and len(value) < 18 else None
    return value


def _of(table: Table, columns: Sequence[str]) -> exp.Select:
    return selected(table.name, table.schema_name, columns)
