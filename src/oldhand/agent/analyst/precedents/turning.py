"""Turns a query round where only the form of the question has changed: highest and lowest, average and sum."""

from collections.abc import Callable, Mapping

from sqlglot import exp

Pair = tuple[str, str]
"""The form of the old question, and that of the new one in its place."""

_OPPOSITE: Mapping[str, str] = {
    "top": "bottom", "bottom": "top", "rising": "falling", "falling": "rising", "extreme old": "top",
}  # fmt: skip
_AGGREGATES: Mapping[str, type[exp.AggFunc]] = {
    "average": exp.Avg, "sum": exp.Sum, "top": exp.Max, "bottom": exp.Min,
}  # fmt: skip
_COMPARISONS: Mapping[str, type[exp.Binary]] = {
    "more": exp.GT, "less": exp.LT, "at least": exp.GTE, "at most": exp.LTE,
}  # fmt: skip


def turned(query: exp.Query, old: frozenset[str], new: frozenset[str]) -> tuple[Pair, ...]:
    """Change `query` in place where one form has taken the place of another; the pairs that it could."""
    found: list[Pair] = []
    for rule in (_direction, _aggregate, _comparison):
        pair = rule(query, old, new)
        if pair is not None:
            found.append(pair)
            old, new = old - {pair[0]}, new - {pair[1]}
    return tuple(found)


Rule = Callable[[exp.Query, frozenset[str], frozenset[str]], Pair | None]


def _direction(query: exp.Query, old: frozenset[str], new: frozenset[str]) -> Pair | None:
    """`the oldest` and `the youngest`, `ascending` and `descending`."""
    pair = next(((one, _OPPOSITE[one]) for one in sorted(old) if _OPPOSITE.get(one) in new), None)
    if pair is None:
        return None
    ordered = list(query.find_all(exp.Ordered))
    extremes = list(query.find_all(exp.Max, exp.Min))
    for node in ordered:
        node.set("desc", not node.args.get("desc"))
    for node in extremes if not ordered else ():
        other = exp.Min if isinstance(node, exp.Max) else exp.Max
        node.replace(other(this=node.this))
    return pair if ordered or extremes else None


def _aggregate(query: exp.Query, old: frozenset[str], new: frozenset[str]) -> Pair | None:
    """`the average price` and `the total price`."""
    one, other = _only(old, _AGGREGATES), _only(new, _AGGREGATES)
    if not one or not other:
        return None
    nodes = list(query.find_all(_AGGREGATES[one]))
    for node in nodes:
        node.replace(_AGGREGATES[other](this=node.this))
    return (one, other) if nodes else None


def _comparison(query: exp.Query, old: frozenset[str], new: frozenset[str]) -> Pair | None:
    """`older than` and `younger than`."""
    one, other = _only(old, _COMPARISONS), _only(new, _COMPARISONS)
    if not one or not other:
        return None
    nodes = list(query.find_all(_COMPARISONS[one]))
    if len(nodes) != 1:
        return None
    node = nodes[0]
    node.replace(_COMPARISONS[other](this=node.this, expression=node.expression))
    return one, other


def _only(forms: frozenset[str], known: Mapping[str, object]) -> str:
    """The one form that is known; empty when there is none or more than one."""
    found = [form for form in forms if form in known]
    return found[0] if len(found) == 1 else ""
