"""Leads a query from one table to another along the tables of a rule, where it goes over other tables now."""

from collections.abc import Mapping, Sequence

from oldhand.agent.analyst.effects.mentions import names_table
from oldhand.query.form import ColumnRef, Join, Node, Query, Relation, Rows
from oldhand.query.walk import changed, walk, way_between
from oldhand.record.join_path import JoinPath


def rerouted(
    query: Query, path: JoinPath, tables: Mapping[str, Relation], question: str
) -> Query | None:
    """The query with the way of a path in place of one over other tables; None where it takes no such way.

    Tables on the way that is left must serve for nothing else, and the question must not name them.
    """
    start, end = tables[path.tables[0].casefold()], tables[path.tables[-1].casefold()]
    steps = steps_of(path, tables, path.tables)

    def led(part: Node) -> Node:
        if not isinstance(part, Rows) or not {start, end} <= {*part.relations}:
            return part
        way = way_between(part, start, end)
        between = _between(way, start, end)
        if not between or not steps or any(join.outer for join in part.joins):
            return part
        needless = between - {join.left for join in steps} - {join.right for join in steps}
        needed = {one.of for one in walk(query, inner=True) if isinstance(one, ColumnRef)}
        beside = {one for join in part.joins if join not in way for one in (join.left, join.right)}
        named = names_table(question, [one.table for one in needless])
        if not needless or needless & (needed | beside) or named:
            return part
        kept = [join for join in part.joins if join not in way]
        rest = [one for one in part.relations if one not in needless]
        return tied(rest, [*kept, *steps]) or part

    made = changed(query, led)
    return None if made == query else made


def _between(way: Sequence[Join], start: Relation, end: Relation) -> set[Relation]:
    return {one for join in way for one in (join.left, join.right)} - {start, end}


def tied(relations: Sequence[Relation], joins: Sequence[Join]) -> Rows | None:
    """The relations, each after one that it is joined to, with those that the joins bring in; None where that is no tree."""
    order, made, left = [relations[0]], list[Join](), {ties(one): one for one in joins}
    while fitting := [ends for ends in left if len({*ends[0]} & {*order}) == 1]:
        join = left.pop(fitting[0])
        order += [one for one in (join.left, join.right) if one not in order]
        made.append(join)
    return None if left or not {*relations} <= {*order} else Rows(tuple(order), tuple(made))


def ties(join: Join) -> tuple[frozenset[Relation], frozenset[frozenset[tuple[Relation, str]]]]:
    """What a join makes equal, whichever side stands first."""
    keys = (frozenset({(join.left, one), (join.right, other)}) for one, other in join.keys)
    return frozenset({join.left, join.right}), frozenset(keys)


def steps_of(path: JoinPath, tables: Mapping[str, Relation], order: Sequence[str]) -> list[Join]:
    """The join that brings in each table but the first; none where one is tied to several, or to nothing, before it."""
    made: list[Join] = []
    for place, name in enumerate(order[1:], 1):
        known = {one.casefold() for one in order[:place]}
        pairs = [p for p in path.on if name.casefold() in p.tables and p.tables & known]
        if len({frozenset(pair.tables) for pair in pairs}) != 1:
            return []
        left, right = pairs[0].table.casefold(), pairs[0].other_table.casefold()
        keys = [(p.column, p.other_column) if p.table.casefold() == left else (p.other_column, p.column) for p in pairs]  # fmt: skip
        made.append(Join(tables[left], tables[right], tuple(keys)))
    return made
