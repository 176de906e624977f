"""Statements of our own about the columns of a table, and their rows where they can be had."""

from collections.abc import Iterable

from sqlglot import exp

from oldhand.errors import DatabaseError, DatabaseUnreachable, QueryRefused
from oldhand.sources.databases.session import LiveDatabase, RawRow

LONGEST_SHOWN = 60
"""Characters of a text that is shown as a value of a column."""


def quoted(name: str, source: str | None = None) -> exp.Column:
    """A column by its name, however that is spelt."""
    return exp.column(name, source, quoted=True)


def selected(table: str, schema_name: str | None, columns: Iterable[str]) -> exp.Select:
    """Some columns of all rows of a table.

    >>> selected("order", "main", ["id"]).sql()
    'SELECT "id" FROM "main"."order"'
    """
    source = exp.table_(table, db=schema_name, quoted=True)
    return exp.Select(expressions=[*map(quoted, columns)]).from_(source, copy=False)


def fetched(
    database: LiveDatabase, query: exp.Select, rows: int, seconds: float
) -> tuple[RawRow, ...] | None:
    """What a query returns; None when it is too slow, cannot be computed, or there is no right to read.

    Raises:
        DatabaseUnreachable: the database does not answer.
    """
    try:
        sql = query.sql(database.dialect, identify=True, copy=False)
        return database.fetch(sql, rows=rows, seconds=seconds).values
    except DatabaseUnreachable:
        raise
    except (DatabaseError, QueryRefused):
        return None
