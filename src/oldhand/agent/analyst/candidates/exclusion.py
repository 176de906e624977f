"""Rows that have no partner, or have one: `NOT IN` and `IN` over the column that joins them to another table."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.conditions import Condition, single
from oldhand.agent.analyst.candidates.pruning import only_multiplying
from oldhand.agent.analyst.words.joins import JoinEdge
from oldhand.query.form import Comparison, Count, Has, Negation, Predicate, Query
from oldhand.query.walk import relations, walk

_NAMED = 0.8
"""How well the things must be named of which each counts once."""


def excluded(
    asked: Asked, outside: AbstractSet[int], table: int, inner: Sequence[Predicate]
) -> Condition | None:
    """The condition that a row of the tables `outside` has no partner in `table`.

    Args:
        asked: the question.
        outside: tables of the query itself.
        table: the table in which there must be no partner.
        inner: conditions that the partner would have to meet.

    Returns:
        None when nothing joins them, or when `table` is part of the query itself.
    """
    if table in outside:
        return None
    inside = {table} | asked.owners(condition.left for condition in single(inner))
    best: tuple[float, int, list[JoinEdge]] | None = None
    for owner in sorted(outside - inside):
        rows = asked.tree({owner, *inside})
        edges = asked.edges(rows) if rows is not None else []
        length = sum(edge.length for edge in edges)
        if rows is not None and (best is None or length < best[0]):
            best = (length, owner, edges)
    if best is None:
        return None
    _, owner, edges = best
    at_owner = [edge for edge in edges if owner in (edge.left, edge.right)]
    if len(at_owner) != 1 or len(at_owner[0].keys) != 1:
        return None
    beside = {table for edge in edges for table in (edge.left, edge.right)} - {owner}
    return _without(asked, owner, at_owner[0], beside, inner)


def summed_once(asked: Asked, query: Query) -> Query:
    """The average age of students who have friends in Rome, over each student once: that they have some becomes a condition.

    What is restricted by both, or by what partners are not, is left as it is joined; so are rows that no word names, where
    partners are restricted, such as those that tell what a grade is worth.
    """
    many = only_multiplying(asked, query, or_narrowing=True)
    tables = {asked.vocabulary.table(one).id for one in many}
    own = set(asked.inside(query.rows)) - tables
    inner = tuple(one for one in query.where if many & set(relations(one)))
    is_left = any(set(relations(one)) - many for one in inner) or any(map(_is_negative, inner))
    named = not inner or all(asked.named_tables.get(table, 0.0) >= _NAMED for table in own)
    plain = not query.order and not any(isinstance(part, Count) for part in walk(query))
    if not (many and named and plain) or is_left:
        return query
    ends = asked.owners(one.left for one in single(inner)) or tables
    rows = asked.tree(own)
    if len(ends) != 1 or rows is None or len(rows.relations) != len(own):
        return query
    found = excluded(asked, own, min(ends), inner)
    if not isinstance(found, Has):
        return query
    where = tuple(one for one in query.where if one not in inner)
    return replace(query, rows=rows, where=(*where, replace(found, none=False)))


def _is_negative(predicate: Predicate) -> bool:
    match predicate:
        case Comparison(operator=operator):
            return operator == "!=" or operator.startswith("not ")
        case _:
            return isinstance(predicate, Negation)


def _without(
    asked: Asked, owner: int, edge: JoinEdge, beside: set[int], inner: Sequence[Predicate]
) -> Condition | None:
    """That a row of `owner` has no partner over an edge, among the rows of the tables `beside`."""
    other = edge.other(owner)
    left, right = edge.keys[0]
    own, partner = (left, right) if owner == edge.left else (right, left)
    own_id, partner_id = asked.named(owner, own), asked.named(other, partner)
    if own_id is None or partner_id is None:
        return None
    reference, referred = asked.column(own_id), asked.column(partner_id)
    if owner == edge.left and not inner and reference.foreign:
        seen = reference.column.profile
        full = seen is not None and seen.never_missing
        return None if full else Comparison(reference.ref, "null")
    rows = asked.tree(beside)
    if rows is None or asked.relation(owner) in rows.relations:
        return None
    where = tuple(inner)
    if referred.column.nullable and not referred.column.primary_key:
        where = (*where, Comparison(referred.ref, "not null"))
    return Has(reference.ref, Query(rows, (referred.ref,), where), none=True)
