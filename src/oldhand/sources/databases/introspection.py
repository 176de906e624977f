"""A live database read into a schema: its catalogue, and a few rows of each table."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlglot import exp

from oldhand.lexicon.privacy import looks_secret
from oldhand.record.base import Cell
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.cells import plain_cell
from oldhand.sources.databases.kinds import kind_of, kind_of_values
from oldhand.sources.databases.profile.holding import as_held, held
from oldhand.sources.databases.profile.measuring import measured
from oldhand.sources.databases.selecting import LONGEST_SHOWN, fetched, selected
from oldhand.sources.databases.session import FoundColumn, FoundTable, LiveDatabase, RawRow, Read

_CATALOGUE_ROWS = 1_000_000
_CATALOGUE_SECONDS = 60.0
_SAMPLED_ROWS = 200
_EXACT_ROWS = 100_000
"""Tables up to this size are counted; for larger ones the server's estimate is good enough."""
_TABLE_SECONDS = 2.0
"""Time for the rows of one table; a view that takes longer goes without samples."""
_UNSAMPLED = (Kind.BINARY, Kind.SPATIAL)


def introspect(
    database: LiveDatabase, catalogue: Callable[[Read], list[FoundTable]], samples: int
) -> DatabaseSchema:
    """Read the schema of a live database.

    Raises:
        DatabaseError: the catalogue cannot be read.
    """

    def read(sql: str) -> list[RawRow]:
        found = database.fetch(sql, rows=_CATALOGUE_ROWS, seconds=_CATALOGUE_SECONDS)
        return list(found.values)

    found = catalogue(read)
    tables = [_describe(database, table, samples) for table in found]
    by_name = {(t.schema_name.casefold(), t.name.casefold()): t for t in tables}
    return DatabaseSchema(
        name=database.name,
        dialect=database.dialect,
        tables=tuple(
            table.model_copy(update={"foreign_keys": _foreign_keys(database.name, raw, by_name)})
            for raw, table in zip(found, tables, strict=True)
        ),
    )


@dataclass(frozen=True)
class _Sampled:
    """The first rows of a table by column; empty when they could not be read."""

    values: dict[str, tuple[Cell, ...]]
    row_count: int | None


def _describe(database: LiveDatabase, table: FoundTable, samples: int) -> Table:
    sampled = _sample(database, table) if samples else _Sampled({}, table.estimated_rows)
    described = Table(
        name=table.name,
        schema_name=table.schema_name,
        description=table.description,
        row_count=sampled.row_count,
        columns=tuple(
            _column(column, table, database.dialect, sampled.values.get(column.name, ()), samples)
            for column in table.columns
        ),
    )
    return _with_profiles(database, described, sampled) if samples else described


def _with_profiles(database: LiveDatabase, table: Table, sampled: "_Sampled") -> Table:
    hidden = [column.name for column in table.columns if looks_secret(column.name)]
    found = measured(database, table, hidden)
    columns: list[Column] = []
    for column in table.columns:
        cells = sampled.values.get(column.name, ())
        profile = held(column, found.get(column.name), cells)
        columns.append(as_held(column.model_copy(update={"profile": profile})))
    return table.model_copy(update={"columns": tuple(columns)})


def _column(
    column: FoundColumn, table: FoundTable, dialect: str, values: tuple[Cell, ...], samples: int
) -> Column:
    kind = kind_of(column.base_type or column.type, dialect)
    if dialect == "sqlite":
        kind = kind_of_values(kind, values)
    key = table.primary_key
    return Column(
        name=column.name,
        type=column.type,
        kind=kind,
        nullable=column.nullable and column.name not in key,
        primary_key=column.name in key,
        unique=column.name in table.unique or key == (column.name,),
        description=column.description,
        samples=() if kind is Kind.JSON else _few(values, samples),
    )


def _few(values: Iterable[Cell], limit: int) -> tuple[Cell, ...]:
    """The first distinct values that are short enough to be read at a glance."""
    chosen: dict[tuple[type, Cell], Cell] = {}
    for value in values:
        if len(chosen) >= limit:
            break
        short = not isinstance(value, str) or 0 < len(value.strip()) <= LONGEST_SHOWN
        if value is not None and short:
            chosen.setdefault((type(value), value), value)
    return tuple(chosen.values())


def _sample(database: LiveDatabase, table: FoundTable) -> _Sampled:
    shown = [c for c in table.columns if _may_be_shown(c, database.dialect)]
    query = selected(table.name, table.schema_name, (c.name for c in shown))
    values: dict[str, tuple[Cell, ...]] = {}
    if shown:
        rows = fetched(database, query.limit(_SAMPLED_ROWS), _SAMPLED_ROWS, _TABLE_SECONDS)
        if rows is None:
            return _Sampled({}, table.estimated_rows)
        for column, cells in zip(shown, zip(*rows, strict=True), strict=False):
            values[column.name] = tuple(map(plain_cell, cells))
        if len(rows) < _SAMPLED_ROWS:
            return _Sampled(values, len(rows))
    return _Sampled(values, _count(database, table))


def _may_be_shown(column: FoundColumn, dialect: str) -> bool:
    return not looks_secret(column.name) and kind_of(column.type, dialect) not in _UNSAMPLED


def _count(database: LiveDatabase, table: FoundTable) -> int | None:
    estimate = table.estimated_rows
    some = selected(table.name, table.schema_name, ()).select(exp.Literal.number(1))
    if estimate is not None and estimate > _EXACT_ROWS:
        some = some.limit(_EXACT_ROWS + 1)
    counted = exp.select(exp.Count(this=exp.Star())).from_(some.subquery("counted"))
    found = fetched(database, counted, 1, _TABLE_SECONDS)
    if found is None:
        return estimate
    rows = int(str(found[0][0]))
    return estimate if estimate is not None and rows > _EXACT_ROWS else rows


def _foreign_keys(
    database: str, table: FoundTable, tables: dict[tuple[str, str], Table]
) -> tuple[ForeignKey, ...]:
    """Keys whose target exists, spelled as the target spells it; SQLite also allows others."""
    keys: dict[ForeignKey, None] = {}
    for key in table.foreign_keys:
        target = tables.get((key.schema_name.casefold(), key.table.casefold()))
        if target is None:
            continue
        sources = tables[table.schema_name.casefold(), table.name.casefold()]
        columns = _spelled(sources, key.columns)
        targets = _spelled(target, key.target_columns) if key.target_columns else target.primary_key
        if columns and len(columns) == len(targets):
            found = ForeignKey(
                columns=columns,
                database=database,
                schema_name=target.schema_name,
                table=target.name,
                target_columns=targets,
            )
            keys[found] = None
    return tuple(keys)


def _spelled(table: Table, names: tuple[str, ...]) -> tuple[str, ...]:
    found = [column.name for name in names if (column := table.column(name)) is not None]
    return tuple(found) if len(found) == len(names) else ()
