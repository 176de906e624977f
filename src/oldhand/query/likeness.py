"""How alike two queries are: a number, and what they agree in."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from functools import lru_cache
from math import fsum

from oldhand.query.blanking import (
    ORDERING,
    blanked,
    directions,
    functions,
    is_time,
    signs,
    times,
    values,
)
from oldhand.query.form import (
    Aggregate,
    Comparison,
    DatePart,
    Elapsed,
    Has,
    Negation,
    Node,
    Order,
    Query,
)
from oldhand.query.normal import Normal, normal
from oldhand.query.walk import MEASURES, walk

Mark = tuple[str, object]
"""A kind and a content: the least that two queries can have in common."""

WEIGHTS: Mapping[str, float] = {
    "select": 1.0, "distinct": 0.5, "relation": 0.7, "join": 0.3, "where": 1.0, "value": 0.7, "group": 0.8,
    "having": 1.0, "order": 0.8, "limit": 0.6, "compound": 1.0, "number": 0.3,
}  # fmt: skip
"""How much a mark of each kind counts; others count half."""
_KEPT = 8192


@dataclass(frozen=True, slots=True)
class Agreement:
    """In what two queries are the same; the answer to one is an answer to the other only where they agree in everything."""

    polarity: bool
    """What must hold, and what must not."""
    direction: bool
    """Most or least, rising or falling, above or below."""
    operands: bool
    """What is read, compared, grouped by and shown, with which values, and how many rows of it."""
    measure: bool
    """What is computed."""
    time: bool
    """Which time, and in which units."""

    @property
    def full(self) -> bool:
        """True when they agree in everything."""
        return all(astuple(self))


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two queries are."""

    amount: float
    """The weight of what they share over that of all, 0..1."""
    agreement: Agreement


def likeness(one: Query, other: Query) -> Likeness:
    """How alike two queries are, part by part.

    >>> from oldhand.query.form import ColumnRef, Relation, Rows
    >>> products = Relation("shop", "main", "products")
    >>> mean, total = (Query(Rows((products,)), (Aggregate(f, ColumnRef(products, "price")),)) for f in ("avg", "sum"))
    >>> found = likeness(mean, total)
    >>> round(found.amount, 2), found.agreement.measure, found.agreement.operands
    (0.33, False, True)
    """
    ours, theirs = _aspects(one), _aspects(other)
    agreement = Agreement(*(mine == yours for mine, yours in zip(ours, theirs, strict=True)))
    return Likeness(share(marks(one), marks(other)), agreement)


def share(one: frozenset[Mark], other: frozenset[Mark]) -> float:
    """The weight of the marks that both have over that of all, 0..1."""
    return weight(one & other) / (weight(one | other) or 1.0)


def weight(some: frozenset[Mark]) -> float:
    """The sum of the weights of some marks."""
    return fsum(WEIGHTS.get(kind.rpartition(".")[2], 0.5) for kind, _ in some)


@lru_cache(maxsize=_KEPT)
def marks(query: Query) -> frozenset[Mark]:
    """What can be shared with another query: its parts, those with values once with and once without them.

    A kind is that of a part, or `value` for conditions with their values, or `number` for how many outputs there are.
    """
    return frozenset(_marks(query))


def _marks(query: Query) -> Iterator[Mark]:
    outputs: dict[str, int] = {}
    for one in normal(query):
        place, kind = _place(one)
        if kind in ("where", "having"):
            shape = blanked(one.key, values)
            yield one.kind, shape
            if shape != one.key:
                yield f"{place}value", one.key
            continue
        if kind == "select":
            outputs[place] = outputs.get(place, 0) + 1
        yield one.kind, one.key
    yield from ((f"{place}number", count) for place, count in outputs.items())


def _place(one: Normal) -> tuple[str, str]:
    place, dot, kind = one.kind.rpartition(".")
    return place + dot, kind


@lru_cache(maxsize=_KEPT)
def _aspects(query: Query) -> tuple[frozenset[object], ...]:
    """What a query is like in each of the respects of `Agreement`."""
    found = normal(query)
    inside = [
        (one.kind, node)
        for one in found
        if not isinstance(one.key, int | str)
        for node in walk(one.key)
    ]
    polarity, direction, measure, time = (
        [(kind, *said) for kind, node in inside if (said := of(node))]
        for of in (_polarity, _direction, _measure, _time)
    )
    polarity += [(one.kind,) for one in found if one.key == "except"]
    operands = [(one.kind, blanked(one.key, functions, signs, directions, times)) for one in found]
    # Counted: of two conditions on one column, one may be turned round and the other not.
    return tuple(
        frozenset(Counter(said).items()) for said in (polarity, direction, operands, measure, time)
    )


def _polarity(node: Node) -> tuple[object, ...]:
    match node:
        case Comparison(left=left, operator=operator) if operator[:2] in ("!=", "no"):
            return (blanked(left, functions, times),)
        case Has(left=left, none=True):
            return (left,)
        case Negation():
            return ("not",)
        case _:
            return ()


def _direction(node: Node) -> tuple[object, ...]:
    match node:
        case Order(by=by, descending=descending):
            return (blanked(by, functions, times), descending)
        case Comparison(left=left, operator=operator) if operator in ORDERING:
            return (blanked(left, functions, times), operator)
        case Aggregate(function="min" | "max" as function):
            return (function,)
        case _:
            return ()


def _measure(node: Node) -> tuple[object, ...]:
    return (blanked(node, times),) if isinstance(node, MEASURES) else ()


def _time(node: Node) -> tuple[object, ...]:
    match node:
        case Comparison(left=left) if is_time(node):
            return (blanked(left, functions), node.operator, node.values)
        case DatePart(of=of, part=part):
            return (of, part)
        case Elapsed(unit=unit, exact=exact):
            return (unit, exact)
        case _:
            return ()
