"""Measures where a question names them bare: what is computed from all rows stays so, what is of each row is added up for a thing."""

from dataclasses import replace

from oldhand.agent.analyst.semantics.meanings import Meaning, meanings
from oldhand.query.form import Aggregate, Arithmetic, ColumnRef, Expression, Node, Order, Query
from oldhand.query.known import known_table
from oldhand.query.walk import attributes, changed, is_measure, walk
from oldhand.record.schema import DatabaseSchema


def totalled(query: Query, schemas: tuple[DatabaseSchema, ...]) -> Query:
    """A query that still names its measures, and asks for each of them what can be asked of it.

    `Which customer brought the most profit` is not about a single order: profits are added up, rates averaged.
    """
    known = {(one.column.of.table, one.column.name): one for one in meanings(schemas)}
    if not known:
        return query

    def change(part: Node) -> Node:
        if isinstance(part, Aggregate) and isinstance(part.of, ColumnRef):
            meaning = known.get((part.of.of.table, part.of.name))
            of_many = meaning and meaning.term is not None and is_measure(meaning.term)
            return part.of if of_many else part
        return part

    made = changed(query, change)
    if made.group or made.limit is None or any(map(is_measure, made.select)):
        return made
    order = tuple(_added_up(one, made, known) for one in made.order)
    if order == made.order:
        return made
    return replace(made, order=order, group=_things(made, schemas))


def _added_up(order: Order, query: Query, known: dict[tuple[str, str], Meaning]) -> Order:
    """What things of another table are sorted by; as it is where it is said of each row."""
    by = order.by
    meaning = known.get((by.of.table, by.name)) if isinstance(by, ColumnRef) else None
    if meaning is None or meaning.term is None or is_measure(meaning.term):
        return order
    shown = {column.of for one in query.select for column in attributes(one) if isinstance(column, ColumnRef)}  # fmt: skip
    if not isinstance(by, ColumnRef) or by.of in shown:
        return order
    rate = any(isinstance(one, Arithmetic) and one.operator == "/" for one in walk(meaning.term))
    return replace(order, by=Aggregate("avg" if rate else "sum", by))


def _things(query: Query, schemas: tuple[DatabaseSchema, ...]) -> tuple[Expression, ...]:
    """What tells the things that are shown apart: their keys, and what is shown of them."""
    shown = [column.of for one in query.select for column in attributes(one) if isinstance(column, ColumnRef)]  # fmt: skip
    keys = [
        ColumnRef(relation, name)
        for relation in dict.fromkeys(shown)
        if (table := known_table(relation, schemas)) is not None
        for name in table.primary_key
    ]
    return tuple(dict.fromkeys((*keys, *query.select)))
