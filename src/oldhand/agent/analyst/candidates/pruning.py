"""Leaves out tables that a join brings in without need."""

from collections.abc import Set as AbstractSet

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.linking.joins import Edge, JoinTree


def pruned(
    asked: Asked, tree: JoinTree, columns: AbstractSet[int], counted: AbstractSet[int] = frozenset()
) -> JoinTree:
    """The tree without tables that each row has exactly one of, and of which no column is used.

    A row of `orders` has one customer: joining `customers` without showing anything of them changes
    nothing. The other way round it would: a customer may have no orders, or many.

    Args:
        asked: the question.
        tree: the tables joined.
        columns: columns that are used.
        counted: tables whose rows are counted; they stay.
    """
    needed = {asked.column(column).table for column in columns} | counted
    edges = list(tree.edges)
    tables = list(tree.tables)
    while True:
        leaf = next((t for t in tables if t not in needed and _is_leaf(asked, t, edges)), None)
        if leaf is None or len(tables) == 1:
            break
        tables.remove(leaf)
        edges = [edge for edge in edges if leaf not in (edge.left, edge.right)]
    return tree if len(tables) == len(tree.tables) else _ordered(tables[0], edges)


def multiplies(asked: Asked, tree: JoinTree, table: int) -> bool:
    """True when a row of `table` may come several times: `customers` joined with their orders."""
    reached, seen = [table], {table}
    while reached:
        here = reached.pop()
        for edge in tree.edges:
            other = edge.other(here) if here in (edge.left, edge.right) else here
            if other in seen:
                continue
            key = {asked.column(column).column.name for column in asked.key(other)}
            if edge.right == here and {left for left, _ in edge.pairs} != key:
                return True
            seen.add(other)
            reached.append(other)
    return False


def joined_by(asked: Asked, tree: JoinTree, table: int) -> list[int]:
    """The columns over which a table without a key is joined: they tell its rows apart."""
    names = {
        pair[table == edge.right].casefold()
        for edge in tree.edges
        if table in (edge.left, edge.right)
        for pair in edge.pairs
    }
    columns = asked.vocabulary.tables[table].columns
    return [c for c in columns if asked.column(c).column.name.casefold() in names]


def _is_leaf(asked: Asked, table: int, edges: list[Edge]) -> bool:
    """True when one edge leads to the table, from a column that must hold its key."""
    at = [edge for edge in edges if table in (edge.left, edge.right)]
    if len(at) != 1 or at[0].right != table:
        return False
    key = {asked.column(column).column.name for column in asked.key(table)}
    if asked.vocabulary.tables[table].role:
        return False
    return {right for _, right in at[0].pairs} == key


def _ordered(start: int, edges: list[Edge]) -> JoinTree:
    """Tables and edges in an order in which each edge brings in a new table."""
    tables, chosen = [start], list[Edge]()
    while len(chosen) < len(edges):
        edge = next(e for e in edges if (e.left in tables) != (e.right in tables))
        tables.append(edge.right if edge.left in tables else edge.left)
        chosen.append(edge)
    return JoinTree(tuple(tables), tuple(chosen))
