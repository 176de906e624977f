"""How the right statement differs from the one that was wrong: what there is to learn from a correction."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from oldhand.learning.reflection.query_parts import Condition, Pair, QueryParts


@dataclass(frozen=True)
class QueryDifference:
    """What only one of two statements says; `given` is the wrong one."""

    given: QueryParts
    right: QueryParts
    missing: tuple[Condition, ...]
    """Conditions that the wrong one lacked."""
    extra: tuple[Condition, ...]
    """Conditions that nobody wanted."""
    values: tuple[tuple[Condition, Condition], ...]
    """The same conditions with other values, the wrong ones first."""
    path: tuple[str, ...]
    """The tables of a way to join that was right in place of another one, in order; empty when it was not that."""
    path_pairs: tuple[Pair, ...]
    """What joins them."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing that can be named is different."""
        return not (self.missing or self.extra or self.values or self.path or any(self.words()))

    def words(self) -> Iterable[str]:
        """What else is different, a sentence each."""
        given, right = self.given, self.right
        if set(given.aggregates) != set(right.aggregates):
            was = given.aggregates or given.shown
            wanted = right.aggregates or right.shown
            yield f"It showed {_named(was)} instead of {_named(wanted)}."
        elif given.shown != right.shown:
            yield f"It showed {_named(given.shown)} instead of {_named(right.shown)}."
        if (lacking := set(right.tables) - set(given.tables)) and not self.path:
            yield f"It did not look at {_named(lacking)}."
        if (needless := set(given.tables) - set(right.tables)) and not self.path:
            yield f"It looked at {_named(needless)}, which is not needed."
        if given.joins != right.joins and set(given.tables) == set(right.tables) and not self.path:
            yield f"It joined on {_joined(given.joins)} instead of {_joined(right.joins)}."
        if given.groups != right.groups:
            yield f"It counted by {_named(given.groups)} instead of {_named(right.groups)}."
        if given.order != right.order:
            yield f"It sorted or cut by {given.order or 'nothing'} instead of {right.order or 'nothing'}."
        if given.distinct != right.distinct:
            yield "Rows that are the same should " + (
                "count once." if right.distinct else "all count."
            )


def difference_of(given: QueryParts, right: QueryParts) -> QueryDifference:
    """Compare the wrong statement with the right one."""
    missing = [one for key, one in right.conditions.items() if key not in given.conditions]
    extra = [one for key, one in given.conditions.items() if key not in right.conditions]
    values: list[tuple[Condition, Condition]] = []
    for wrong in tuple(extra):
        alike = [one for one in missing if (one.table, one.shape) == (wrong.table, wrong.shape)]
        if len(alike) == 1:
            values.append((wrong, alike[0]))
            extra.remove(wrong)
            missing.remove(alike[0])
    path = _path(given, right)
    on = tuple(sorted(one for one in right.joins if {one[0][0], one[1][0]} <= set(path)))
    return QueryDifference(
        given, right, tuple(missing), tuple(extra), tuple(values), path, on if path else ()
    )


def _path(given: QueryParts, right: QueryParts) -> tuple[str, ...]:
    """The tables of the other way, when both statements go from one same table to another, by different columns."""
    new, old = right.joins - given.joins, given.joins - right.joins
    if not new or not old:
        return ()
    near: defaultdict[str, set[str]] = defaultdict(set)
    for (one, _), (other, _) in new:
        near[one].add(other)
        near[other].add(one)
    ends = [table for table, beside in near.items() if len(beside) == 1]
    shared = set(given.tables) & set(right.tables)
    if (
        len(ends) != 2
        or not set(ends) <= shared
        or any(len(beside) > 2 for beside in near.values())
    ):
        return ()
    if not _are_joined(ends, old):
        return ()
    ends.sort(key=right.tables.index)
    way = [ends[0]]
    while way[-1] != ends[1]:
        onward = near[way[-1]] - set(way)
        if not onward:
            return ()  # the ends belong to two ways
        way.append(onward.pop())
    return tuple(way) if len(way) == len(near) else ()


def _are_joined(ends: Iterable[str], joins: Iterable[Pair]) -> bool:
    """Whether these joins, too, lead from one end to the other."""
    start, goal = ends
    reached, before = {start}, 0
    while len(reached) > before:
        before = len(reached)
        for (one, _), (other, _) in joins:
            if reached & {one, other}:
                reached |= {one, other}
    return goal in reached


def _named(texts: Iterable[str]) -> str:
    return ", ".join(sorted(texts)) or "nothing"


def _joined(pairs: Iterable[Pair]) -> str:
    return " and ".join(f"{a}.{b} = {c}.{d}" for (a, b), (c, d) in sorted(pairs)) or "no columns"
