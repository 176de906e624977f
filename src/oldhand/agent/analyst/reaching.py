"""Tables that a query can take in without a row coming twice."""

from collections.abc import Iterable
from dataclasses import replace

from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.query.form import Query, Relation, Rows
from oldhand.query.walk import changed, columns
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


def in_roles(query: Query, schemas: tuple[DatabaseSchema, ...]) -> Query:
    """The query with the rows in their roles to which one of several keys leads, where it only restricts them: as a question is read that tells the key."""
    roles = vocabulary(schemas).roles_by_key
    shown = {column.of for term in (*query.select, *query.group) for column in columns(term)}
    named = dict[Relation, Relation]()
    for join in query.rows.joins if roles else ():
        for holder, other, place in ((join.left, join.right, 0), (join.right, join.left, 1)):
            role = roles.get((holder, join.keys[0][place])) if len(join.keys) == 1 else None
            if role is not None and role == replace(other, role=role.role) and other not in shown:
                named[other] = role
    if not named or len({*named.values()}) < len(named):
        return query
    return changed(
        query, lambda node: named.get(node, node) if isinstance(node, Relation) else node
    )


def joined(query: Query, schemas: tuple[DatabaseSchema, ...]) -> Query | None:
    """The query with the tables that its parts name and its rows lack; None where one is out of reach."""
    order = (one.by for one in query.order)
    parts = (*query.select, *query.where, *query.group, *query.having, *order)
    return reaching(query, (column.of for part in parts for column in columns(part)), schemas)
