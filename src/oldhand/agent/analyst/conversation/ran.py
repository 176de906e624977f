"""The query behind an earlier answer, in the form."""

from collections.abc import Sequence
from dataclasses import replace

from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.query.form import Node, Query
from oldhand.query.lifting import lift
from oldhand.query.opaque import Opaque
from oldhand.query.walk import changed
from oldhand.record.schema import DatabaseSchema, schema_of

_STEADY = "sqlite"
"""The dialect in which nothing is added to the order of rows: those that tie come in that of the table anyway."""


def query_that_ran(
    exchange: EarlierTurn, schemas: Sequence[DatabaseSchema]
) -> Query | Opaque | None:
    """The query of an answer that took one step; the steps of others can't be told apart from their join."""
    if len(exchange.steps) != 1 or not exchange.steps[0].succeeded:
        return None
    step = exchange.steps[0]
    schema = schema_of(step.database, schemas)
    return as_it_ran(step.sql, schema) if schema is not None else None


def as_it_ran(sql: str, schema: DatabaseSchema) -> Query | Opaque:
    """What a statement asks that ran on the database of `schema`, without what was added for the database."""
    found = lift(sql, schema)
    return as_asked(found, schema.dialect) if isinstance(found, Query) else found


def as_asked(query: Query, dialect: str) -> Query:
    """`query` without the order of rows that tie, which was added for the database.

    >>> from oldhand.query.form import ColumnRef, Order, Relation, Rows
    >>> customers = Relation("shop", "main", "customers")
    >>> age, name = ColumnRef(customers, "age"), ColumnRef(customers, "name")
    >>> as_asked(Query(Rows((customers,)), (name,), order=(Order(age), Order(name))), "mysql").order == (Order(age),)
    True
    """

    def untied(part: Node) -> Node:
        if not isinstance(part, Query):
            return part
        order, shown = part.order, (*part.select, *part.group)
        while len(order) > 1 and not order[-1].descending and order[-1].by in shown:
            order = order[:-1]
        return replace(part, order=order)

    return query if dialect == _STEADY else changed(query, untied)
