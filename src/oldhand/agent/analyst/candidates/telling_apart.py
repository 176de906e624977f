"""Things of the same name: each of them is shown, though the names are to be different ones."""

from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.query.form import Column, Elapsed, Expression, Query


def told_apart(asked: Asked, query: Query) -> Query:
    """The query with one row for each thing, where it asked for different names of things that a join repeats."""
    shown = (*query.select, *(order.by for order in query.order))
    if not query.distinct or len(query.rows.relations) < 2:
        return query
    if not all(isinstance(one, Column | Elapsed) for one in shown):
        return query
    keys = _keys(asked, shown)
    named = any(entry.name_like for entry in asked.entries(query.select))
    if not named or len(keys) != 1:
        return query
    return replace(query, group=tuple(dict.fromkeys([*keys, *shown])), distinct=False)


def _keys(asked: Asked, shown: tuple[Expression, ...]) -> list[Column | Elapsed]:
    """The key of the things that all of what is shown belongs to."""
    owners = asked.owners(shown)
    return [asked.ref(key) for key in asked.key(owners.pop())] if len(owners) == 1 else []
