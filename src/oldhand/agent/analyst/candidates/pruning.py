"""Leaves out tables that a join brings in without need."""

from collections.abc import Set as AbstractSet

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.query.form import Join, Relation, Rows


def pruned(asked: Asked, rows: Rows, used: AbstractSet[int]) -> Rows:
    """The rows without tables that each row has exactly one of, and that are not used.

    A row of `orders` has one customer: joining `customers` without showing anything of them changes
    nothing. The other way round it would: a customer may have no orders, or many.

    Args:
        asked: the question.
        rows: the tables joined.
        used: the tables whose columns are read, or whose rows are counted.
    """
    needed = {asked.relation(table) for table in used}
    joins = list(rows.joins)
    relations = list(rows.relations)
    while len(relations) > 1:
        leaf = next((r for r in relations if r not in needed and _is_leaf(asked, r, joins)), None)
        if leaf is None:
            break
        relations.remove(leaf)
        joins = [join for join in joins if leaf not in (join.left, join.right)]
    return rows if len(relations) == len(rows.relations) else _ordered(relations[0], joins)


def multiplies(asked: Asked, rows: Rows, table: int) -> bool:
    """True when a row of `table` may come several times: `customers` joined with their orders."""
    start = asked.relation(table)
    reached, seen = [start], {start}
    while reached:
        here = reached.pop()
        for join in rows.joins:
            other = join.other(here) if here in (join.left, join.right) else here
            if other in seen:
                continue
            if join.right == here and {left for left, _ in join.keys} != _key(asked, other):
                return True
            seen.add(other)
            reached.append(other)
    return False


def joined_by(asked: Asked, rows: Rows, table: int) -> list[int]:
    """The columns over which a table without a key is joined: they tell its rows apart."""
    relation = asked.relation(table)
    names = {
        pair[relation == join.right].casefold()
        for join in rows.joins
        if relation in (join.left, join.right)
        for pair in join.keys
    }
    columns = asked.vocabulary.tables[table].columns
    return [c for c in columns if asked.column(c).column.name.casefold() in names]


def _key(asked: Asked, relation: Relation) -> set[str]:
    """The names of the columns of a primary key."""
    table = asked.vocabulary.table(relation).id
    return {asked.column(column).column.name for column in asked.key(table)}


def _is_leaf(asked: Asked, relation: Relation, joins: list[Join]) -> bool:
    """True when one join leads to a table, from a column that must hold its key."""
    at = [join for join in joins if relation in (join.left, join.right)]
    if len(at) != 1 or at[0].right != relation or relation.role:
        return False
    return {right for _, right in at[0].keys} == _key(asked, relation)


def _ordered(start: Relation, joins: list[Join]) -> Rows:
    """Relations and joins in an order in which each join brings in a new relation."""
    relations, chosen = [start], list[Join]()
    while len(chosen) < len(joins):
        join = next(j for j in joins if (j.left in relations) != (j.right in relations))
        relations.append(join.right if join.left in relations else join.left)
        chosen.append(join)
    return Rows(tuple(relations), tuple(chosen))
