"""Rows that have no partner: `NOT IN` over the column that joins them to another table."""

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.sketch import Condition, Sketch, Term
from oldhand.agent.analyst.linking.joins import Edge, JoinTree


def excluded(
    asked: Asked,
    outside: set[int],
    table: int,
    inner: list[Condition],
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
    inside = {table} | {asked.column(c.term.column).table for c in inner}
    best: tuple[float, int, JoinTree] | None = None
    for owner in sorted(outside - inside):
        tree = asked.tree({owner, *inside})
        if tree is not None and (best is None or tree.length < best[0]):
            best = (tree.length, owner, tree)
    if best is None:
        return None
    _, owner, tree = best
    at_owner = [edge for edge in tree.edges if owner in (edge.left, edge.right)]
    if len(at_owner) != 1 or len(at_owner[0].pairs) != 1:
        return None
    return _without(asked, owner, at_owner[0], tree, inner)


def _without(
    asked: Asked, owner: int, edge: Edge, tree: JoinTree, inner: list[Condition]
) -> Condition | None:
    other = edge.other(owner)
    left, right = edge.pairs[0]
    own, partner = (left, right) if owner == edge.left else (right, left)
    own_id = _column(asked, owner, own)
    partner_id = _column(asked, other, partner)
    if own_id is None or partner_id is None:
        return None
    if owner == edge.left and not inner and asked.column(own_id).foreign:
        return Condition(Term(own_id), "null")
    rest = set(tree.tables) - {owner}
    smaller = asked.tree(rest)
    if smaller is None or owner in smaller.tables:
        return None
    where = tuple(inner)
    if asked.column(partner_id).column.nullable and not asked.column(partner_id).column.primary_key:
        where = (*where, Condition(Term(partner_id), "not null"))
    query = Sketch((Term(partner_id),), smaller, where)
    return Condition(Term(own_id), "not in", (), query)


def _column(asked: Asked, table: int, name: str) -> int | None:
    folded = name.casefold()
    columns = asked.vocabulary.tables[table].columns
    return next((c for c in columns if asked.column(c).column.name.casefold() == folded), None)
