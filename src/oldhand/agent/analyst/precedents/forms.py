"""The forms of a query in the words in which a gist tells those of a question: `count`, `top`, `not`, and so on."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from sqlglot import exp

_NODES: Mapping[type[exp.Expr], str] = {
    exp.Not: "not", exp.NEQ: "not", exp.Except: "not", exp.Avg: "average", exp.Sum: "sum", exp.Count: "count",
    exp.Group: "each", exp.GT: "more", exp.LT: "less", exp.GTE: "at least", exp.LTE: "at most",
    exp.Between: "between", exp.Or: "or", exp.Union: "or", exp.Intersect: "both", exp.Like: "like",
    exp.Max: "top", exp.Min: "bottom", exp.Distinct: "distinct",
}  # fmt: skip


@lru_cache(maxsize=8192)
def forms_of(query: exp.Query) -> frozenset[str]:
    """The forms that a query has.

    >>> from sqlglot import parse_one
    >>> sorted(forms_of(parse_one("SELECT COUNT(*) FROM t WHERE a > 3")))
    ['count', 'more']
    >>> sorted(forms_of(parse_one("SELECT a FROM t ORDER BY b DESC LIMIT 1")))
    ['top']
    """
    return frozenset(_forms(query))


def _forms(query: exp.Query) -> Iterator[str]:
    for node in query.walk():
        if form := _NODES.get(type(node)):
            yield form
        if isinstance(node, exp.Query) and (order := node.args.get("order")):
            falling = bool(order.expressions[0].args.get("desc"))
            if node.args.get("limit"):
                yield "top" if falling else "bottom"
            else:
                yield "falling" if falling else "rising"
