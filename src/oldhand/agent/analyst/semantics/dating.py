"""Which date of a table a time means where the question names none: the one that people here have stated."""

from collections.abc import Collection
from dataclasses import replace

from oldhand.query.form import ColumnRef, Comparison, Elapsed, Node, Query
from oldhand.query.known import known_column
from oldhand.query.walk import replaced
from oldhand.record.schema import DATES, DatabaseSchema

_PRESENCE = ("null", "not null")
"""Whether there is a date at all is no question of when."""


def dated(query: Query, named: Collection[ColumnRef], schemas: tuple[DatabaseSchema, ...]) -> Query:
    """The query by the dates that were stated.

    Args:
        query: what a question means by itself.
        named: the columns that the question names; these stay.
        schemas: with what people have stated.
    """
    stated = {
        (schema.name, one.table.casefold()): one.column
        for schema in schemas
        for one in schema.semantics.dates
    }
    if not stated:
        return query

    def change(part: Node) -> Node | None:
        if isinstance(part, Elapsed):
            return part
        if isinstance(part, Comparison) and part.operator in _PRESENCE:
            return part
        if not isinstance(part, ColumnRef) or part in named:
            return None
        column = stated.get((part.of.database, part.of.table.casefold()))
        known = known_column(part, schemas)
        if column is None or known is None or known.kind not in DATES:
            return None
        return replace(part, name=column)

    return replaced(query, change)
