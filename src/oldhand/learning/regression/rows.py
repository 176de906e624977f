"""Whether two results say the same."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.record.base import Row
from oldhand.record.row_digest import comparable

_MOST_CELLS = 5_000_000
"""Cells that are compared in search of the order of columns; columns that hold different values need but one."""


def same_rows(wanted: Sequence[Row], found: Sequence[Row], *, ordered: bool = False) -> bool:
    """Whether rows are the same, in any order of columns.

    >>> same_rows([("Ana", 1), ("Bo", 2)], [(2, "Bo"), (1.0, "Ana")])
    True
    >>> same_rows([(1,), (2,)], [(2,), (1,)], ordered=True), same_rows([(1,)], [(1, 5)])
    (False, False)
    """
    if len(wanted) != len(found):
        return False
    if not wanted:
        return True
    if len(wanted[0]) != len(found[0]):
        return False
    one = [tuple(map(comparable, row)) for row in wanted]
    two = [tuple(map(comparable, row)) for row in found]
    target = one if ordered else Counter(one)
    for order in _orders(one, two):
        turned = [tuple(row[place] for place in order) for row in two]
        if (turned if ordered else Counter(turned)) == target:
            return True
    return False


def sorts(sql: str) -> bool:
    """Whether a query says in which order its rows come.

    >>> sorts("SELECT a FROM t ORDER BY a"), sorts("SELECT a FROM (SELECT a FROM t ORDER BY a) AS s")
    (True, False)
    """
    try:
        tree = parse_one(sql)
    except (SqlglotError, RecursionError):
        return False
    return isinstance(tree, exp.Query) and tree.args.get("order") is not None


def _orders(one: list[tuple[object, ...]], two: list[tuple[object, ...]]) -> Iterator[list[int]]:
    """Orders of the second's columns in which each holds the same values as the first's."""
    width = len(one[0])
    yield list(range(width))
    left = [frozenset(Counter(row[place] for row in one).items()) for place in range(width)]
    right = [frozenset(Counter(row[place] for row in two).items()) for place in range(width)]
    if Counter(left) == Counter(
        right
    ):  # else no order fits, and the search for one would never end
        fitting = [[p for p in range(width) if right[p] == values] for values in left]
        yield from islice(_choices(fitting, []), max(1, _MOST_CELLS // (width * len(one))))


def _choices(fitting: list[list[int]], chosen: list[int]) -> Iterator[list[int]]:
    if len(chosen) == len(fitting):
        yield list(chosen)
        return
    for place in fitting[len(chosen)]:
        if place not in chosen:
            yield from _choices(fitting, [*chosen, place])
