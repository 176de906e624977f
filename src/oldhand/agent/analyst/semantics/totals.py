"""Measures where a question names them bare: what is computed from all rows stays so, what is of each row is added up for a thing."""

from dataclasses import replace

from oldhand.agent.analyst.semantics.expanding import quotient
from oldhand.agent.analyst.semantics.meanings import Meaning, meanings
from oldhand.query.form import Aggregate, Arithmetic, ColumnRef, Expression, Node, Query
from oldhand.query.known import known_table
from oldhand.query.walk import attributes, changed, is_measure, walk
from oldhand.record.schema import DatabaseSchema


def totalled(query: Query, schemas: tuple[DatabaseSchema, ...], *, each: bool = False) -> Query:
    """A query that still names its measures, and asks for each of them what can be asked of it.

    `Which customer brought the most profit` is not about a single order: profits are added up, and so are both sides of rates. So is
    `our profit on paid orders`, where nothing tells the orders apart.

    Args:
        query: what a question means.
        schemas: with what people have stated.
        each: whether the question wants the measure of each row.
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
    if made.group or any(map(is_measure, made.select)):
        return made
    if made.limit is None:
        bare = not each and len(made.select) == 1 and not made.order
        added = tuple(_added_up(one, known) for one in made.select) if bare else made.select
        return made if added == made.select else replace(made, select=added, distinct=False)
    shown = {column.of for one in made.select for column in attributes(one) if isinstance(column, ColumnRef)}  # fmt: skip
    of_others = (isinstance(one.by, ColumnRef) and one.by.of not in shown for one in made.order)
    order = tuple(
        replace(one, by=_added_up(one.by, known)) if other else one
        for one, other in zip(made.order, of_others, strict=True)
    )
    if order == made.order:
        return made
    return replace(made, order=order, group=_things(made, schemas))


def _added_up(term: Expression, known: dict[tuple[str, str], Meaning]) -> Expression:
    """A measure of each row over all rows; what is none stays as it is."""
    meaning = known.get((term.of.table, term.name)) if isinstance(term, ColumnRef) else None
    if meaning is None or meaning.term is None or is_measure(meaning.term):
        return term
    return Aggregate("sum" if quotient(meaning.term) or not _divides(meaning.term) else "avg", term)


def _divides(term: Expression) -> bool:
    divided = (one for one in walk(term) if isinstance(one, Arithmetic) and one.operator == "/")
    return any(isinstance(part, ColumnRef) for one in divided for part in walk(one.right))


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
