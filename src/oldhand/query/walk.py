"""Ways through a query: what stands inside of a part, which columns and tables it reads, and what it becomes when those change."""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import lru_cache, wraps
from operator import attrgetter
from typing import TypeVar, cast, get_args

from oldhand.query.form import (
    Aggregate,
    Arithmetic,
    Case,
    ColumnRef,
    Comparison,
    Count,
    DatePart,
    Elapsed,
    Expression,
    Function,
    Has,
    Join,
    Measure,
    Negation,
    Node,
    OwnGroup,
    Predicate,
    Proportion,
    Query,
    Ratio,
    Relation,
    Rows,
    Share,
)
from oldhand.query.opaque import Opaque

N = TypeVar("N", bound=Node)
T = TypeVar("T")

_KEPT = 16_384
_NODES = cast("tuple[type[Node], ...]", get_args(Node))
_PLAIN = {"class", "tuple", "str", "int", "float", "bool", "None"}
INSIDE = {
    kind: tuple(f.name for f in fields(kind) if set(re.findall(r"\w+", str(f.type))) - _PLAIN)
    for kind in _NODES
}
"""The fields of each kind of node in which other nodes stand, in the order in which they are read."""


def _held_by(names: tuple[str, ...]) -> Callable[[Node], tuple[object, ...]]:
    """What stands in these fields, read at once."""
    if not names:
        return lambda node: ()  # noqa: ARG005
    one = attrgetter(*names)
    return one if len(names) > 1 else lambda node: (one(node),)


_HELD = {kind: _held_by(names) for kind, names in INSIDE.items()}
MEASURES = (Count, Aggregate, Share, Proportion, Ratio, OwnGroup)
"""The kinds of expressions that say something of many rows."""


def children(node: Node) -> list[Node]:
    """What `node` is directly made of, in the order in which it is read."""
    found: list[Node] = []
    _gather(_HELD[type(node)](node), found)
    return found


def _gather(held: tuple[object, ...], found: list[Node]) -> None:
    for one in held:
        if type(one) in INSIDE:
            found.append(cast("Node", one))
        elif one and isinstance(one, tuple):
            _gather(cast("tuple[object, ...]", one), found)


def walk(node: Node, *, inner: bool = False) -> Iterator[Node]:
    """`node` and all that stands inside of it, parts before their own parts.

    Args:
        node: where to begin.
        inner: whether to go on into queries inside of `node`; they themselves are given either way.
    """
    waiting = [node]  # the next one at the end
    while waiting:
        one = waiting.pop()
        yield one
        if inner or one is node or not isinstance(one, Query):
            parts = children(one)
            parts.reverse()
            waiting += parts


def _once(read: Callable[[Query], T]) -> Callable[[Query], T]:
    """Reads each query once: dozens of constraints look at the same one after another, and to hash it takes longer than to know it."""
    known: dict[int, tuple[Query, T]] = {}

    @wraps(read)
    def reading(query: Query) -> T:
        found = known.get(id(query))
        if found is None or found[0] is not query:
            if len(known) >= _KEPT:
                known.clear()
            found = known[id(query)] = (query, read(query))
        return found[1]

    return reading


@lru_cache(maxsize=_KEPT)
def columns(node: Node) -> tuple[ColumnRef, ...]:
    """The columns that `node` reads, each once, those of queries inside of it aside.

    >>> orders = Relation("shop", "main", "orders")
    >>> [one.name for one in columns(Aggregate("sum", Arithmetic("*", ColumnRef(orders, "price"), ColumnRef(orders, "pieces"))))]
    ['price', 'pieces']
    """
    return tuple(dict.fromkeys(one for one in walk(node) if isinstance(one, ColumnRef)))


def relations(node: Node, *, inner: bool = False) -> tuple[Relation, ...]:
    """The relations that `node` reads, each once; with `inner` those of queries inside of it as well."""
    return tuple(dict.fromkeys(r for r in walk(node, inner=inner) if isinstance(r, Relation)))


def queries(node: Node) -> Iterator[Query]:
    """The queries inside of `node`, outer ones first, itself left out."""
    each = walk(node, inner=True)
    next(each)
    return (one for one in each if isinstance(one, Query))


@_once
def all_queries(query: Query) -> tuple[Query, ...]:
    """A query, and the queries inside of it, outer ones first."""
    return (query, *queries(query))


def databases(query: Query | Opaque) -> tuple[str, ...]:
    """The databases that a query reads, in the order in which it does; of SQL that the form can't hold, its own."""
    if isinstance(query, Opaque):
        return (query.database,)
    found = (one.database for one in relations(query, inner=True))
    return tuple(dict.fromkeys(name for name in found if name))


def figures_of(query: Query) -> tuple[Expression, ...]:
    """The measures that a query shows.

    >>> from oldhand.query.form import Count, Relation, Rows
    >>> figures_of(Query(Rows((Relation("shop", "main", "orders"),)), select=(Count(),)))
    (Count(of=None, distinct=False),)
    """
    return tuple(one for one in query.select if is_measure(one))


def is_measure(expression: Expression) -> bool:
    """True for what is computed from many rows, or holds something that is.

    >>> from oldhand.query.form import Value
    >>> is_measure(Arithmetic("/", Aggregate("sum", Value(1)), Value(2))), is_measure(Value(2))
    (True, False)
    """
    if isinstance(expression, MEASURES):
        return True
    return isinstance(expression, Arithmetic | Function | Case) and bool(measures(expression))


@lru_cache(maxsize=_KEPT)
def depends_on_all_rows(query: Query | Opaque | None) -> bool:
    """True when a part of the rows would give another answer, and not a part of it: numbers of many rows, first places, what is missing."""
    if not isinstance(query, Query):
        return False
    each = tuple(all_queries(query))
    turned = any(isinstance(one, Negation) or (isinstance(one, Has) and one.none) for one in walk(query, inner=True))  # fmt: skip
    left = any(one.compound is not None and one.compound.kind == "except" for one in each)
    cut = any(one.order and one.limit is not None for one in each)
    return (
        turned or left or cut or any(isinstance(one, MEASURES) for one in walk(query, inner=True))
    )


def holds_measure(predicate: Node) -> bool:
    """True for a predicate that restricts groups: one side of it is a measure of the group's rows.

    >>> from oldhand.query.form import Value
    >>> holds_measure(Comparison(Count(), ">", (3,))), holds_measure(Comparison(Value(1), "=", (1,)))
    (True, False)
    """
    if isinstance(predicate, OwnGroup | Query):
        return False
    return isinstance(predicate, MEASURES) or any(map(holds_measure, children(predicate)))


def equal_columns(predicate: Predicate) -> tuple[ColumnRef, ColumnRef] | None:
    """The two columns, of different relations, that an equation says are equal."""
    if not isinstance(predicate, Comparison) or predicate.operator != "=":
        return None
    one, two = predicate.left, predicate.right
    if isinstance(one, ColumnRef) and isinstance(two, ColumnRef) and one.of != two.of:
        return one, two
    return None


def measures(node: Node) -> tuple[Measure, ...]:
    """The measures that `node` holds, outer ones first, those of queries inside of it aside."""
    return tuple(one for one in walk(node) if isinstance(one, MEASURES))


def function_of(expression: Expression) -> str:
    """`count`, `sum`, `avg`, …, `share`, `proportion` for a measure, that of its top for a ratio; empty for an attribute.

    >>> from oldhand.query.form import Value
    >>> function_of(Ratio(Aggregate("sum", Value(1)), Count())), function_of(Value(1))
    ('sum', '')
    """
    match expression:
        case Count() | Share() | Proportion():
            return type(expression).__name__.lower()
        case Aggregate(function=function):
            return function
        case Ratio(top=inner) | OwnGroup(measure=inner):
            return function_of(inner)
        case _:
            return ""


def attribute(expression: Expression) -> ColumnRef | Elapsed | None:
    """The attribute that an expression is about, its first one; None for a count of rows, or a share of them."""
    match expression:
        case ColumnRef() | Elapsed():
            return expression
        case Count(of=of) | Aggregate(of=of) | Proportion(of=of) | Share(of=of) | DatePart(of=of):
            return None if of is None else attribute(of)
        case _:
            return next(iter(attributes(expression)), None)


def attributes(node: Node) -> tuple[ColumnRef | Elapsed, ...]:
    """The columns and the spans of time that `node` reads, each once, those of queries inside of it aside."""
    return (node,) if isinstance(node, ColumnRef | Elapsed) else _attributes(node)


@lru_cache(maxsize=_KEPT)
def _attributes(node: Node) -> tuple[ColumnRef | Elapsed, ...]:
    inside = (child for child in children(node) if not isinstance(child, Query))
    return tuple(dict.fromkeys(one for child in inside for one in attributes(child)))


def changed(node: N, change: Callable[[Node], Node]) -> N:
    """A copy of `node` in which `change` has been applied to each part, inner ones first, queries inside included.

    Args:
        node: what to copy.
        change: gives for each part what is to stand in its place: itself, or a part of the same sort.

    >>> orders, bills = Relation("shop", "main", "orders"), Relation("shop", "main", "bills")
    >>> changed(ColumnRef(orders, "id"), lambda part: bills if part == orders else part).of.table
    'bills'
    """
    return cast("N", change(_rebuilt(node, lambda part: changed(part, change))))


def replaced(node: N, change: Callable[[Node], Node | None]) -> N:
    """A copy of `node` with other parts, outer ones first, queries inside included.

    Args:
        node: what to copy.
        change: gives what is to stand in place of a part, which is not looked into then; None goes on inside.

    >>> from oldhand.query.form import Value
    >>> city = ColumnRef(Relation("shop", "main", "customers"), "city")
    >>> replaced(Function("lower", (city,)), lambda part: Value("Rome") if part == city else None)
    Function(name='lower', of=(Value(value='Rome'),))
    """
    made = change(node)
    if made is not None:
        return cast("N", made)
    return _rebuilt(node, lambda part: replaced(part, change))


def _rebuilt(node: N, each: Callable[[Node], Node]) -> N:
    fields = {name: cast("object", getattr(node, name)) for name in INSIDE[type(node)]}
    made = {name: _made(held, each) for name, held in fields.items()}
    fresh = {name: held for name, held in made.items() if held is not fields[name]}
    return replace(node, **fresh) if fresh else node


def _made(held: object, each: Callable[[Node], Node]) -> object:
    if type(held) in INSIDE:
        return each(cast("Node", held))
    if not isinstance(held, tuple):
        return held
    before = cast("tuple[object, ...]", held)
    after = tuple(_made(one, each) for one in before)
    return before if all(a is b for a, b in zip(after, before, strict=True)) else after


def way_between(rows: Rows, start: Relation, end: Relation) -> list[Join]:
    """The joins that lead from one relation to another; none where nothing does."""
    ways: dict[Relation, list[Join]] = {start: []}
    waiting = [start]
    while waiting:
        one = waiting.pop(0)
        for join in rows.joins:
            other = join.right if join.left == one else join.left
            if one in (join.left, join.right) and other not in ways:
                ways[other] = [*ways[one], join]
                waiting.append(other)
    return ways.get(end, [])
