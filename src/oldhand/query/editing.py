"""Queries in which another part stands, with all that hangs on it."""

from dataclasses import replace
from typing import cast

from oldhand.query.form import Expression, Node, Predicate, Query
from oldhand.query.parts import Part, Path, at
from oldhand.query.walk import changed, holds_measure, is_measure


def with_part(query: Query, part: Part, other: Node | int) -> Query:
    """The query with another part in place of one of its own, and all that hangs on it changed as well.

    What is shown and grouped by is one thing: where one is replaced, so is the other. A predicate goes where it belongs. Where
    a relation is replaced, its columns become those of the other one.

    >>> from oldhand.query.form import ColumnRef, Count, Relation, Rows
    >>> from oldhand.query.parts import parts
    >>> customers = Relation("shop", "main", "customers")
    >>> city, region = ColumnRef(customers, "city"), ColumnRef(customers, "region")
    >>> query = Query(Rows((customers,)), (city, Count()), group=(city,))
    >>> changed = with_part(query, parts(query)[1], region)
    >>> changed.select[0].name, changed.group[0].name
    ('region', 'region')
    """
    holder = cast("Query", at(query, part.holder))
    if part.kind == "relation":
        made = changed(holder, lambda one: other if one == part.node else one)  # pyright: ignore[reportReturnType, reportArgumentType]
    elif part.kind in ("select", "group", "each"):
        made = _with_term(holder, part, cast("Expression", other))
    elif part.kind in ("where", "having"):
        made = _with_predicate(holder, part, cast("Predicate", other))
    else:
        made = _put(holder, part.path[len(part.holder) :], other)
    return cast("Query", _put(query, part.holder, made))


def _with_term(query: Query, part: Part, other: Expression) -> Query:
    def swapped(terms: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple(other if one == part.node else one for one in terms)

    return replace(
        query,
        select=swapped(query.select),
        group=tuple(dict.fromkeys(one for one in swapped(query.group) if not is_measure(one))),
        each=swapped(query.each),
        order=tuple(replace(one, by=other) if one.by == part.node else one for one in query.order),
        names=(),
    )


def _with_predicate(query: Query, part: Part, other: Predicate) -> Query:
    """A predicate of the same sort stands in the same place; one of the other sort restricts what it must."""
    if holds_measure(other) == (part.kind == "having"):
        return cast("Query", _put(query, part.path[len(part.holder) :], other))
    if part.kind == "having":
        rest = tuple(one for one in query.having if one != part.node)
        return replace(query, having=rest, where=(*query.where, other))
    rest = tuple(one for one in query.where if one != part.node)
    return replace(query, where=rest, having=(*query.having, other))


def _put(held: object, path: Path, node: object) -> object:
    """A copy of `held` with `node` at the end of a path."""
    if not path:
        return node
    step, *rest = path
    inner = _put(at(held, (step,)), tuple(rest), node)
    if isinstance(step, int):
        several = cast("tuple[object, ...]", held)
        return (*several[:step], inner, *several[step + 1 :])
    return replace(cast("Query", held), **{step: inner})  # pyright: ignore[reportArgumentType]
