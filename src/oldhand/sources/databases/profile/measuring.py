"""Counts and ranges of the columns of a table, by aggregates in the database itself."""

from collections.abc import Iterable, Sequence

from sqlglot import exp

from oldhand.record.base import Cell
from oldhand.record.schema import Column, ColumnProfile, Kind, Table
from oldhand.sources.cells import plain_cell
from oldhand.sources.databases.selecting import LONGEST_SHOWN, fetched, quoted, selected
from oldhand.sources.databases.session import LiveDatabase

MEASURED_ROWS = 50_000
"""Rows of a table that are looked at."""
_FEW = 20
"""Different values up to which all are kept."""
_COLUMNS_AT_ONCE = 25
_SECONDS = 10.0
_UNMEASURED = {Kind.BINARY, Kind.SPATIAL, Kind.JSON}
_WITHOUT_RANGE = {Kind.BOOLEAN, Kind.OTHER, Kind.TEXT}


def measured(
    database: LiveDatabase, table: Table, hidden: Iterable[str]
) -> dict[str, ColumnProfile]:
    """The profiles of the columns that can be measured, by name."""
    shy = set(hidden)
    columns = [column for column in table.columns if column.kind not in _UNMEASURED]
    found: dict[str, ColumnProfile] = {}
    for start in range(0, len(columns), _COLUMNS_AT_ONCE):
        found |= _aggregates(database, table, columns[start : start + _COLUMNS_AT_ONCE])
    for column in columns:
        few = column.name in found and 0 < found[column.name].distinct <= _FEW
        if few and column.name not in shy and column.kind in (Kind.TEXT, Kind.OTHER):
            values = _values(database, table, column)
            found[column.name] = found[column.name].model_copy(update={"values": values})
    without = {"low": None, "high": None}
    return {
        name: profile.model_copy(update=without) if name in shy else profile
        for name, profile in found.items()
    }


def _aggregates(
    database: LiveDatabase, table: Table, columns: Sequence[Column]
) -> dict[str, ColumnProfile]:
    """One statement for all columns, or for half of them where one can't be counted."""
    query = _query(table, columns, database.dialect)
    found = fetched(database, query, 1, _SECONDS)
    if found is None:
        half = len(columns) // 2
        if not half:
            return {}
        first, second = columns[:half], columns[half:]
        return _aggregates(database, table, first) | _aggregates(database, table, second)
    rows, *cells = found[0]
    five = zip(*[iter(cells)] * 5, strict=True)
    return {
        column.name: _profile(int(str(rows)), values)
        for column, values in zip(columns, five, strict=True)
    }


def _values(database: LiveDatabase, table: Table, column: Column) -> tuple[Cell, ...]:
    """All values of a column that has few, in their order; none where they are long or cannot be read."""
    query = exp.select(quoted(column.name)).distinct().from_(_looked_at(table, [column]))
    found = fetched(database, query, _FEW + 2, _SECONDS) or ()
    values = [plain_cell(value) for (value,) in found]
    filled = [value for value in values if value is not None and value != ""]
    short = all(not isinstance(value, str) or len(value) <= LONGEST_SHOWN for value in filled)
    return tuple(sorted(filled, key=str)) if short else ()


def _query(table: Table, columns: Sequence[Column], dialect: str) -> exp.Select:
    parts = [part for column in columns for part in _parts(column, dialect)]
    counted = exp.Select(expressions=[exp.Count(this=exp.Star()), *parts])
    return counted.from_(_looked_at(table, columns), copy=False)


def _looked_at(table: Table, columns: Sequence[Column]) -> exp.Subquery:
    rows = selected(table.name, table.schema_name, (column.name for column in columns))
    return rows.limit(MEASURED_ROWS, copy=False).subquery("looked_at", copy=False)


def _parts(column: Column, dialect: str) -> tuple[exp.Expr, ...]:
    """Values, empty texts, different values, the least and the greatest."""
    plain = quoted(column.name)
    text = column.kind in (Kind.TEXT, Kind.OTHER) or dialect == "sqlite"
    value = exp.cast(plain, "text") if text and dialect == "postgres" else plain
    full = exp.Nullif(this=value, expression=exp.Literal.string("")) if text else value
    counts = [exp.Count(this=one.copy()) for one in (value, full)]
    empty = exp.Sub(this=counts[0], expression=counts[1]) if text else exp.Literal.number(0)
    ranged = column.kind not in _WITHOUT_RANGE
    return (
        exp.Count(this=value.copy()),
        empty,
        exp.Count(this=exp.Distinct(expressions=[full.copy()])),
        exp.Min(this=full.copy()) if ranged else exp.null(),
        exp.Max(this=full.copy()) if ranged else exp.null(),
    )


def _profile(rows: int, values: tuple[object, ...]) -> ColumnProfile:
    filled, empty, distinct = (int(str(value)) for value in values[:3])
    low, high = map(plain_cell, values[3:])
    if any(isinstance(end, str) and len(end) > LONGEST_SHOWN for end in (low, high)):
        low = high = None
    return ColumnProfile(
        rows=rows, missing=rows - filled, empty=empty, distinct=distinct, low=low, high=high
    )
