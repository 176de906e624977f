"""The forms of a query in the words in which a gist tells those of a question: `count`, `top`, `not`, and so on."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from oldhand.query.form import (
    Aggregate,
    AnyOf,
    Comparison,
    Compound,
    Count,
    Has,
    Negation,
    Node,
    Proportion,
    Query,
    Share,
)
from oldhand.query.opaque import Opaque
from oldhand.query.parts import at, parts
from oldhand.query.walk import walk

_OPERATORS: Mapping[str, str] = {
    ">": "more", "<": "less", ">=": "at least", "<=": "at most", "between": "between", "like": "like",
}  # fmt: skip
_NUMBERS: Mapping[str, str] = {
    "avg": "average", "sum": "sum", "median": "median", "stddev": "spread",
}  # fmt: skip
SHARE = "share"
"""The form that says which part of a whole something is."""
_FUNCTIONS: Mapping[str, str] = {**_NUMBERS, "max": "top", "min": "bottom"}
MEASURES = frozenset(("count", SHARE, *_NUMBERS.values()))
"""The forms that say which number is computed."""
_COMPOUNDS = {"union": "or", "union all": "or", "intersect": "both", "except": "not"}


@lru_cache(maxsize=8192)
def forms_of(query: Query | Opaque) -> frozenset[str]:
    """The forms that a query has.

    >>> from oldhand.query.form import ColumnRef, Order, Relation, Rows
    >>> people = Relation("hr", "main", "people")
    >>> age = ColumnRef(people, "age")
    >>> sorted(forms_of(Query(Rows((people,)), (Count(),), (Comparison(age, ">", (3,)),))))
    ['count', 'more']
    >>> sorted(forms_of(Query(Rows((people,)), (age,), order=(Order(age, descending=True),), limit=1)))
    ['top']
    """
    return frozenset(_forms(query)) if isinstance(query, Query) else frozenset()


def _forms(query: Query) -> Iterator[str]:
    for part in parts(query):
        if part.kind == "group":
            yield "each"
        elif part.kind == "distinct":
            yield "distinct"
        elif isinstance(part.node, Compound):
            yield _COMPOUNDS[part.node.kind]
        elif part.kind not in ("relation", "join") and not isinstance(part.node, int):
            if part.kind == "order" and part.path[-1] == 0:
                yield _order(at(query, part.holder))
            for node in walk(part.node):
                yield from _said(node)


def _order(query: object) -> str:
    if not isinstance(query, Query):
        return ""
    falling = query.order[0].descending
    if query.limit is not None:
        return "top" if falling else "bottom"
    return "falling" if falling else "rising"


def _said(node: Node) -> Iterator[str]:
    match node:
        case Comparison(operator=operator):
            plain = operator.removeprefix("not ")
            if plain != operator or operator == "!=":
                yield "not"
            yield from ("at least", "less") if plain == "within" else ()
            yield from (_OPERATORS[plain],) if plain in _OPERATORS else ()
        case Has(none=True) | Negation():
            yield "not"
        case AnyOf():
            yield "or"
        case Count(distinct=distinct):
            yield from ("count", "distinct") if distinct else ("count",)
        case Aggregate(function=function) if function in _FUNCTIONS:
            yield _FUNCTIONS[function]
        case Share(of=of):
            yield from (SHARE, "sum" if of is not None else "average")
        case Proportion():
            yield from (SHARE, "sum")
        case _:
            return
