"""A query with one part more, or less."""

from dataclasses import replace
from typing import cast

from oldhand.query.form import Node, Predicate, Query, Relation
from oldhand.query.parts import CLAUSES, Part, at
from oldhand.query.walk import holds_measure, relations


def relations_of(part: Part) -> tuple[Relation, ...]:
    """The relations that a part speaks of."""
    if isinstance(part.node, Relation):
        return (part.node,)
    return () if isinstance(part.node, int) else relations(part.node, inner=True)


def with_condition(query: Query, predicate: Predicate) -> Query:
    """The query with one more condition, on its rows or on its groups."""
    if holds_measure(predicate):
        return replace(query, having=(*query.having, predicate))
    return replace(query, where=(*query.where, predicate))


def without(query: Query, part: Part) -> Query | None:
    """The query without one of its parts; None where nothing would be left of it."""
    match part.kind:
        case "limit":
            return replace(query, limit=None)
        case "offset":
            return replace(query, offset=0)
        case "distinct":
            return replace(query, distinct=False)
        case "select" if len(query.select) < 2:
            return None
        case "group" if part.node in query.select:
            select = tuple(one for one in query.select if one != part.node)
            group = tuple(one for one in query.group if one != part.node)
            order = tuple(one for one in query.order if one.by != part.node)
            made = replace(query, select=select, group=group, order=order, names=())
            return made if select else None
        case _:
            *_, name = CLAUSES[part.kind]
            terms = cast("tuple[Node, ...]", at(query, CLAUSES[part.kind]))
            kept = tuple(one for one in terms if one != part.node)
            fields: dict[str, tuple[Node, ...]] = {str(name): kept}
            if part.kind == "select":
                fields["names"] = ()
            return replace(query, **fields)  # pyright: ignore[reportArgumentType]
