"""Queries in which a part is replaced, added or removed, with all that hangs on it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from oldhand.errors import IncompleteQuery, UnjoinedRelation
from oldhand.query.form import (
    Compound,
    Expression,
    Join,
    Node,
    Predicate,
    Query,
    Relation,
    Rows,
)
from oldhand.query.parts import CLAUSES, SINGLE, Part, Path, at, own_parts, queries_in
from oldhand.query.walk import changed, holds_measure, is_measure, relations


def replaced(query: Query, part: Part, other: Node | int, *, joins: Sequence[Join] = ()) -> Query:
    """The query with another part in place of one of its own, and all that hangs on it changed as well.

    What is shown and grouped by is one thing: where one is replaced, so is the other. A predicate goes where it belongs. Where
    a relation is replaced, its columns become those of the other one.

    Args:
        query: the query.
        part: one of `parts(query)`.
        other: what stands there then; of the same sort.
        joins: how relations come in that are not there.

    Raises:
        UnjoinedRelation: `other` reads a relation that is neither there nor joined.

    >>> from oldhand.query.form import Column, Count
    >>> from oldhand.query.parts import parts
    >>> customers = Relation("shop", "main", "customers")
    >>> city, region = Column(customers, "city"), Column(customers, "region")
    >>> query = Query(Rows((customers,)), (city, Count()), group=(city,))
    >>> changed = replaced(query, parts(query)[1], region)
    >>> changed.select[0].name, changed.group[0].name
    ('region', 'region')
    """

    def change(holder: Query) -> Query:
        holder = _joined(holder, joins)
        if part.kind == "relation":
            made = changed(holder, lambda one: other if one == part.node else one)  # pyright: ignore[reportReturnType, reportArgumentType]
        elif part.kind in ("select", "group", "each"):
            made = _with_term(holder, part, cast("Expression", other))
        elif part.kind in ("where", "having"):
            made = _with_predicate(holder, part, cast("Predicate", other))
        else:
            made = cast("Query", _put(holder, part.path[len(part.holder) :], other))
        return made

    return _edited(query, part.holder, other, change)


def added(
    query: Query, kind: str, node: Node | int, *, holder: Path = (), joins: Sequence[Join] = ()
) -> Query:
    """The query with a further part; what is shown beside a measure is grouped by as well.

    Args:
        query: the query.
        kind: that of the part.
        node: the part.
        holder: the path of the query that gets it; the outermost one if not given.
        joins: how relations come in that are not there.

    Raises:
        UnjoinedRelation: `node` reads a relation that is neither there nor joined.
    """

    def change(before: Query) -> Query:
        before = _joined(before, joins)
        if kind in SINGLE:
            return replace(before, **{kind: bool(node) if kind == "distinct" else node})  # pyright: ignore[reportArgumentType]
        if kind == "join":
            return _joined(before, [cast("Join", node)])
        if kind in ("where", "having"):
            return _narrowed(before, cast("Predicate", node))
        made = _put(
            before, CLAUSES[kind], (*cast("tuple[Node, ...]", at(before, CLAUSES[kind])), node)
        )
        query = cast("Query", made)
        term = cast("Expression", node)
        measured = query.group or any(is_measure(one) for one in query.select)
        if kind == "select" and measured and not is_measure(term) and term not in query.group:
            query = replace(query, group=(*query.group, term))
        return query

    return _edited(query, holder, node, change)


def removed(query: Query, part: Part) -> Query:
    """The query without one of its parts; a group that is no more is not shown either, nor what was joined to nothing.

    Raises:
        IncompleteQuery: nothing would be left to show, or to read.
        UnjoinedRelation: the part is a relation, or a join, on which others still rest.
    """

    def change(holder: Query) -> Query:
        if part.kind in ("relation", "join"):
            return _without_relation(holder, part)
        if part.kind in SINGLE:
            none = {"limit": None, "offset": 0, "distinct": False, "compound": None}[part.kind]
            return replace(holder, **{part.kind: none})  # pyright: ignore[reportArgumentType]
        clause = CLAUSES[part.kind]
        held = list(cast("tuple[Node, ...]", at(holder, clause)))
        del held[cast("int", part.path[-1])]
        made = cast("Query", _put(holder, clause, tuple(held)))
        if part.kind in ("select", "group"):
            made = replace(
                made,
                select=tuple(one for one in made.select if one != part.node),
                group=tuple(one for one in made.group if one != part.node),
                names=(),
            )
        if not made.select:
            raise IncompleteQuery
        return made

    return _edited(query, part.holder, None, change)


def _edited(
    query: Query, holder: Path, node: Node | int | None, change: Callable[[Query], Query]
) -> Query:
    made = change(cast("Query", at(query, holder)))
    if node is not None and not isinstance(node, int | Compound):
        around = _around(query, holder)
        known = {*made.rows.relations, *around}
        if any(one not in known for one in relations(node)):
            raise UnjoinedRelation
    return cast("Query", _put(query, holder, made))


def _around(query: Query, holder: Path) -> Iterator[Relation]:
    """The relations of the queries around a holder."""
    for end in range(len(holder)):
        held = at(query, holder[:end])
        if isinstance(held, Query):
            yield from held.rows.relations


def _joined(query: Query, joins: Sequence[Join]) -> Query:
    """The query with those joins that bring in a relation which isn't there."""
    rows = query.rows
    for join in joins:
        fresh = [one for one in (join.left, join.right) if one not in rows.relations]
        if len(fresh) > 1:
            raise UnjoinedRelation
        if fresh:
            rows = Rows((*rows.relations, *fresh), (*rows.joins, join))
    return replace(query, rows=rows)


def _without_relation(query: Query, part: Part) -> Query:
    number = cast("int", part.path[-1])
    place = number + 1 if part.kind == "join" else number
    gone, rows = query.rows.relations[place], query.rows
    if len(rows.relations) == 1:
        raise IncompleteQuery
    joins = [join for join in rows.joins if gone not in (join.left, join.right)]
    left = replace(
        query, rows=Rows(tuple(one for one in rows.relations if one != gone), tuple(joins))
    )
    if len(joins) < len(rows.joins) - 1 or gone in relations(left, inner=True):
        raise UnjoinedRelation
    return left


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
    held = list(cast("tuple[Predicate, ...]", getattr(query, part.kind)))
    del held[cast("int", part.path[-1])]
    return _narrowed(cast("Query", _put(query, (part.kind,), tuple(held))), other)


def _narrowed(query: Query, predicate: Predicate) -> Query:
    if holds_measure(predicate):
        return replace(query, having=(*query.having, predicate))
    return replace(query, where=(*query.where, predicate))


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


def is_whole(query: Query, around: Sequence[Relation] = ()) -> bool:
    """True when a query, and each one inside of it, reads all relations whose columns it names.

    Args:
        query: the query.
        around: the relations of the queries around it.
    """
    known = (*query.rows.relations, *around)
    for part in own_parts(query):
        if isinstance(part.node, int | Compound):
            continue
        if not all(one in known for one in relations(part.node)):
            return False
    inside = [inner for part in own_parts(query) for _, inner in queries_in(part)]
    return all(is_whole(inner, known) for inner in inside)
