"""Turns a query round where only the form of the question has changed: highest and lowest, average and sum."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from oldhand.query.form import Aggregate, Comparison, Node, Order, Query
from oldhand.query.walk import changed, walk

Pair = tuple[str, str]
"""The form of the old question, and that of the new one in its place."""
Turned = tuple[Query, Pair]
"""The query as it is then, and what has changed."""

_OPPOSITE: Mapping[str, str] = {
    "top": "bottom", "bottom": "top", "rising": "falling", "falling": "rising", "extreme old": "top",
}  # fmt: skip
_FUNCTIONS: Mapping[str, str] = {"average": "avg", "sum": "sum", "top": "max", "bottom": "min"}
_OPERATORS: Mapping[str, str] = {"more": ">", "less": "<", "at least": ">=", "at most": "<="}
_EXTREMES = {"min": "max", "max": "min"}


def turned(
    query: Query, old: frozenset[str], new: frozenset[str]
) -> tuple[Query, tuple[Pair, ...]]:
    """The query where one form has taken the place of another, and the pairs of forms for which that was possible."""
    found: list[Pair] = []
    for rule in (_direction, _aggregate, _comparison):
        made = rule(query, old, new)
        if made is not None:
            query, pair = made
            found.append(pair)
            old, new = old - {pair[0]}, new - {pair[1]}
    return query, tuple(found)


def _direction(query: Query, old: frozenset[str], new: frozenset[str]) -> Turned | None:
    """`the oldest` and `the youngest`, `ascending` and `descending`."""
    pair = next(((one, _OPPOSITE[one]) for one in sorted(old) if _OPPOSITE.get(one) in new), None)

    def other_way(node: Node) -> Node:
        return replace(node, descending=not node.descending) if isinstance(node, Order) else node

    def other_end(node: Node) -> Node:
        if not isinstance(node, Aggregate) or node.function not in _EXTREMES:
            return node
        return replace(node, function=_EXTREMES[node.function])

    return _told(query, pair, other_way) or _told(query, pair, other_end)


def _aggregate(query: Query, old: frozenset[str], new: frozenset[str]) -> Turned | None:
    """`the average price` and `the total price`."""
    pair = _only(old, new, _FUNCTIONS)

    def swap(node: Node) -> Node:
        if pair is None or not isinstance(node, Aggregate) or node.function != _FUNCTIONS[pair[0]]:
            return node
        return replace(node, function=_FUNCTIONS[pair[1]])

    return _told(query, pair, swap)


def _comparison(query: Query, old: frozenset[str], new: frozenset[str]) -> Turned | None:
    """`older than` and `younger than`, where one comparison only can be meant."""
    pair = _only(old, new, _OPERATORS)

    def is_meant(node: Node) -> bool:
        return (
            pair is not None
            and isinstance(node, Comparison)
            and node.operator == _OPERATORS[pair[0]]
        )

    def swap(node: Node) -> Node:
        if pair is None or not isinstance(node, Comparison) or not is_meant(node):
            return node
        return replace(node, operator=_OPERATORS[pair[1]])

    several = sum(is_meant(node) for node in walk(query, inner=True)) > 1
    return None if several else _told(query, pair, swap)


def _told(query: Query, pair: Pair | None, swap: Callable[[Node], Node]) -> Turned | None:
    """The changed query with what has changed; None when nothing has."""
    made = changed(query, swap) if pair is not None else query
    return (made, pair) if pair is not None and made is not query else None


def _only(old: frozenset[str], new: frozenset[str], known: Mapping[str, str]) -> Pair | None:
    """The one form of either question that is known; None when there is none or more than one."""
    before = [form for form in old if form in known]
    after = [form for form in new if form in known]
    return (before[0], after[0]) if len(before) == len(after) == 1 else None
