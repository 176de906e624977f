"""Reads a column of the rows that a rule says, where other tables have one by the same name: the city of an invoice is that of its site."""

from collections.abc import Mapping

from oldhand.agent.analyst.effects.mentions import names_table
from oldhand.agent.analyst.effects.rerouting import steps_of, tied, ties
from oldhand.query.form import ColumnRef, Node, Query, Relation, Rows
from oldhand.query.known import called_alike
from oldhand.query.walk import changed, walk
from oldhand.record.join_path import JoinPath


def owned(
    query: Query, path: JoinPath, tables: Mapping[str, Relation], question: str
) -> Query | None:
    """The query with the column of the last table of `path` in place of another table's; None where nothing is to be changed.

    The other table is left out where it serves for nothing else. What the question names stays.
    """
    things, owner = tables[path.tables[0].casefold()], tables[path.tables[-1].casefold()]
    meant = ColumnRef(owner, path.column or "")

    def taken(part: Node) -> Node:
        if not isinstance(part, Query) or things not in part.rows.relations:
            return part
        rivals = {*part.rows.relations} - {things, owner}
        read = {one for one in walk(part) if isinstance(one, ColumnRef) and one.of in rivals}
        read = {one for one in read if called_alike(one, meant)}
        others = {one.of for one in read}
        if len(others) != 1 or names_table(question, [one.table for one in others]):
            return part
        made = changed(part, lambda inner: meant if inner in read else inner)
        rows = _led(made, path, tables, others.pop())
        return (
            part if rows is None else changed(made, lambda one: rows if one == made.rows else one)
        )

    made = changed(query, taken)
    return None if made == query else made


def _led(
    query: Query, path: JoinPath, tables: Mapping[str, Relation], other: Relation
) -> Rows | None:
    """The rows of a query with those that the path leads to, and without another table's that it no longer needs."""
    rows = query.rows
    known = {ties(join) for join in rows.joins}
    steps = [one for one in steps_of(path, tables, path.tables) if ties(one) not in known]
    if any(join.outer for join in rows.joins) or not (steps or known):
        return None
    beside = [join for join in rows.joins if other in (join.left, join.right)]
    read = any(isinstance(one, ColumnRef) and one.of == other for one in walk(query, inner=True))
    on_the_way = any(other in (step.left, step.right) for step in steps)
    needless = len(beside) == 1 and not read and not on_the_way
    joins = [join for join in rows.joins if not (needless and join in beside)]
    relations = [one for one in rows.relations if not (needless and one == other)]
    return tied(relations, [*joins, *steps])
