"""Which date of a table a time means where the question names none: the one that people here have stated, or that right SQL has used."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from oldhand.query.form import ColumnRef, Comparison, Elapsed, Node, Query
from oldhand.query.known import known_column
from oldhand.query.walk import replaced, walk
from oldhand.record.schema import DATES, DatabaseSchema

_PRESENCE = ("null", "not null")
"""Whether there is a date at all is no question of when."""


def stated_dates(schemas: Sequence[DatabaseSchema]) -> dict[tuple[str, str], str]:
    """The dates that people have stated, by database and table in small letters."""
    return {
        (schema.name, one.table.casefold()): one.column
        for schema in schemas
        for one in schema.semantics.dates
    }


def dated(
    query: Query,
    named: Collection[ColumnRef],
    dates: Mapping[tuple[str, str], str],
    schemas: Sequence[DatabaseSchema],
) -> Query:
    """The query by the dates that are meant.

    Args:
        query: what a question means by itself.
        named: the columns that the question names; these stay.
        dates: what is meant where none is named, by database and table in small letters.
        schemas: those that may be asked.
    """
    read = {one for one in walk(query, inner=True) if isinstance(one, ColumnRef) and one not in named and _is_date(one, schemas)}  # fmt: skip
    tables = Counter((one.of.database, one.of.table.casefold()) for one in read)
    # Where two dates of a table are told apart, both are meant.
    dates = {table: column for table, column in dates.items() if tables[table] == 1}
    if not dates:
        return query

    def change(part: Node) -> Node | None:
        if isinstance(part, Elapsed):
            return part
        if isinstance(part, Comparison) and part.operator in _PRESENCE:
            return part
        if not isinstance(part, ColumnRef) or part in named:
            return None
        column = dates.get((part.of.database, part.of.table.casefold()))
        if column is None or not _is_date(part, schemas):
            return None
        return replace(part, name=column)

    return replaced(query, change)


def _is_date(column: ColumnRef, schemas: Sequence[DatabaseSchema]) -> bool:
    known = known_column(column, schemas)
    return known is not None and known.kind in DATES
