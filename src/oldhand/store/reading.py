"""What reading and writing have in common: rows of many ids, and rows as records."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, cast

import sqlalchemy as sa

from oldhand.errors import UsageError
from oldhand.record.base import Record

if TYPE_CHECKING:
    from sqlalchemy.dialects import sqlite

_T = TypeVar("_T")
_R = TypeVar("_R", bound=Record)

BATCH = 500
"""Keys in one statement, as databases limit how many there may be; and rows that are read at a time."""


def batches(keys: Sequence[_T], size: int = BATCH) -> Iterator[Sequence[_T]]:
    """As many keys at a time as one statement may name.

    >>> [len(batch) for batch in batches(range(1_200))]
    [500, 500, 200]
    """
    for start in range(0, len(keys), size):
        yield keys[start : start + size]


def rows_among(
    connection: sa.Connection,
    query: sa.Select[*tuple[Any, ...]],
    column: sa.Column[Any],
    keys: Sequence[object],
) -> Iterator[sa.RowMapping]:
    """The rows of a query in which a column is one of any number of keys; they are in order for some keys at a time."""
    for batch in batches(keys):
        yield from connection.execute(query.where(column.in_(batch))).mappings()


def delete_among(
    connection: sa.Connection,
    table: sa.Table,
    column: sa.Column[Any],
    keys: Sequence[object],
    *where: sa.ColumnElement[bool],
) -> int:
    """Delete the rows in which a column is one of any number of keys; gives how many there were."""
    doomed = sa.delete(table).where(*where)
    found = (connection.execute(doomed.where(column.in_(batch))) for batch in batches(keys))
    return sum(one.rowcount for one in found)


def only_one(found: Sequence[str], what: str, given: str) -> str | None:
    """The only id that begins as `given` does; None when there is none. Raises `UsageError` when several do."""
    if len(found) > 1:
        some = ", ".join(found[:3])
        raise UsageError(f"{len(found)} {what} begin with {given!r} ({some}, …): give more of it.")
    return found[0] if found else None


def id_beginning(
    connection: sa.Connection, ids: sa.Select[str], what: str, given: str
) -> str | None:
    """Of these ids, the one that is `given`, or the only one that begins so; None when there is none.

    Raises:
        UsageError: several begin like that.
    """
    (column,) = ids.selected_columns
    if connection.scalar(ids.where(column == given)) is not None:
        return given
    # LIKE would not tell upper from lower case in SQLite, and refuses long patterns.
    alike = ids.where(sa.func.substr(column, 1, len(given), type_=column.type) == given).order_by(
        column
    )
    return only_one(connection.scalars(alike).all(), what, given)


def insert_all(
    connection: sa.Connection, table: sa.Table, rows: Iterable[Mapping[str, object]]
) -> None:
    """Add rows to a table; there may be none."""
    if given := list(rows):
        connection.execute(sa.insert(table), given)


def upsert(table: sa.Table, dialect: str) -> "sqlite.Insert":
    """An insert that can say what becomes of a row that is there already: each database has its own."""
    own = import_module(f"sqlalchemy.dialects.{dialect}")  # the others take long to import
    return cast("sqlite.Insert", own.insert(table))


def fields_of(kind: type[Record], row: sa.RowMapping) -> dict[str, object]:
    """The fields of a record that stand in a row."""
    return {name: row[name] for name in kind.model_fields if name in row}


def record_of(kind: type[_R], row: sa.RowMapping) -> _R:
    """The record that a row holds, whatever else it holds."""
    return kind.model_validate(fields_of(kind, row))
