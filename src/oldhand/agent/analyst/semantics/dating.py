"""Which date of a table a time means where the question names none: the one that people here have stated, or that right SQL has used."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from oldhand.query.form import ColumnRef, Comparison, Elapsed, Node, Query
from oldhand.query.known import kind_of
from oldhand.query.normal import PRESENCE
from oldhand.query.walk import replaced
from oldhand.record.schema import DATES, DatabaseSchema


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
    read = {(*_table(one), one.name) for one in _whens(query) if one not in named and kind_of(one, schemas) in DATES}  # fmt: skip
    # Where two dates of a table are told apart, both are meant.
    tables = Counter(one[:2] for one in read)
    dates = {table: column for table, column in dates.items() if tables[table] == 1}
    if not dates:
        return query

    def change(part: Node) -> Node | None:
        if _is_no_when(part):
            return part
        if not isinstance(part, ColumnRef) or part in named:
            return None
        column = dates.get(_table(part))
        if column is None or kind_of(part, schemas) not in DATES:
            return None
        return replace(part, name=column)

    return replaced(query, change)


def _whens(query: Query) -> set[ColumnRef]:
    """The columns of a query that may say when something was."""
    found: set[ColumnRef] = set()

    def see(part: Node) -> Node | None:
        if isinstance(part, ColumnRef):
            found.add(part)
        return part if _is_no_when(part) else None

    replaced(query, see)
    return found


def _is_no_when(part: Node) -> bool:
    """True for a span, and for whether there is a date at all."""
    present = isinstance(part, Comparison) and part.operator in PRESENCE
    return present or isinstance(part, Elapsed)


def _table(column: ColumnRef) -> tuple[str, str]:
    return column.of.database, column.of.table.casefold()
