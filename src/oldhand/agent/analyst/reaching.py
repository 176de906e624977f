"""Tables that a query can take in without a row coming twice."""

from collections.abc import Iterable
from dataclasses import replace

from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.query.form import Query, Relation, Rows
from oldhand.query.walk import columns
from oldhand.record.schema import DatabaseSchema


def reaching(
    query: Query, relations: Iterable[Relation], schemas: tuple[DatabaseSchema, ...]
) -> Query | None:
    """The query with some relations; None where one can't be joined without a row coming twice."""
    words = vocabulary(schemas)
    wanted = [one for one in dict.fromkeys(relations) if one not in query.rows.relations]
    if not wanted:
        return query
    numbers = {entry.relation: entry.id for entry in words.tables}
    if any(one not in numbers for one in (*query.rows.relations, *wanted)):
        return None
    tree = words.joins.tree([numbers[one] for one in (*query.rows.relations, *wanted)])
    joins = tree.joins if tree is not None else ()
    known, made = list(query.rows.relations), list(query.rows.joins)
    while set(wanted) - set(known):
        step = next((one for one in joins if one.left in known and one.right not in known), None)
        if step is None:
            return None
        made.append(step)
        known.append(step.right)
    return replace(query, rows=Rows(tuple(known), tuple(made)))


def joined(query: Query, schemas: tuple[DatabaseSchema, ...]) -> Query | None:
    """The query with the tables that its parts name and its rows lack; None where one is out of reach."""
    order = (one.by for one in query.order)
    parts = (*query.select, *query.where, *query.group, *query.having, *order)
    return reaching(query, (column.of for part in parts for column in columns(part)), schemas)
