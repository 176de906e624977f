"""Which readings of a question are worth asking about: those that say different things about what was asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.understanding import Candidate
from oldhand.query.form import ColumnRef, Count, Query
from oldhand.query.normal import normal
from oldhand.query.opaque import Opaque
from oldhand.query.walk import is_measure

OFFERED = 2
"""Readings to choose from."""
PROPOSED = 4
"""Readings of which one is proposed, and the others offered after a no."""
_RESTRICTING = ("value", "number", "not", "null", "than_average", "superlative", "per", "group", "share")  # fmt: skip
"""Kinds of words that no reading may leave out which the first one answers to."""


def readings_to_choose(candidates: Sequence[Candidate], most: int = OFFERED) -> tuple[str, ...]:
    """The first reading and the next one that means something else; only the first when there is none.

    Nobody is asked about repeated rows, the order of columns or rows, or a further column.
    """
    chosen: list[tuple[Candidate, _Gist]] = []
    for candidate in candidates:
        gist = _gist(candidate.query)
        least = candidates[0].features
        restricts_less = any(
            candidate.features.get(f"unused.{kind}", 0.0) > least.get(f"unused.{kind}", 0.0)
            for kind in _RESTRICTING
        )
        alike = any(gist.is_like(other) for _, other in chosen)
        said = any(candidate.reading == other.reading for other, _ in chosen)
        if not (restricts_less or alike or said):
            chosen.append((candidate, gist))
    return tuple(candidate.reading for candidate, _ in chosen[:most])


def told_apart(readings: Sequence[str]) -> tuple[str, ...]:
    """The readings in short: only what not all of them say; as they are when one says nothing of its own.

    >>> told_apart(["name of customers with city 'Rome', sorted by name",
    ...             "name of customers with region 'Rome', sorted by name"])
    ("name of customers with city 'Rome'", "name of customers with region 'Rome'")
    >>> told_apart(["name of stores", "name of stores, the one with the most employees"])
    ('name of stores', 'name of stores, the one with the most employees')
    """
    clauses = [reading.split(", ") for reading in readings]
    shared = set(clauses[0]).intersection(*clauses) if clauses else set[str]()
    short = tuple(
        ", ".join(clause for clause in parts if clause not in shared) for parts in clauses
    )
    return short if all(short) and len(set(short)) == len(short) else tuple(readings)


def same_rows(one: Query | Opaque, other: Query | Opaque) -> bool:
    """True when two queries show the same rows, be it by other columns; what they compute has to be the same.

    >>> from oldhand.query.form import ColumnRef, Relation, Rows
    >>> people = Relation("hr", "main", "people")
    >>> shown = (ColumnRef(people, "name"), ColumnRef(people, "id"), Count())
    >>> name, number, count = (Query(Rows((people,)), (one,), limit=1) for one in shown)
    >>> same_rows(name, number), same_rows(count, number)
    (True, False)
    """
    first, second = _gist(one), _gist(other)
    plain = all(isinstance(shown, ColumnRef) for shown in first.shown | second.shown)
    return first.has_rows_of(second) and (plain or first.shown == second.shown)


@dataclass(frozen=True)
class _Gist:
    """What a query asks for, the way between tables, repeated rows and the order of columns aside."""

    shown: frozenset[object]
    rest: frozenset[object]
    groups: frozenset[object] = frozenset()
    figures: frozenset[object] = frozenset()
    """What is shown that is computed."""
    relations: frozenset[object] = frozenset()
    joins: frozenset[object] = frozenset()

    def has_rows_of(self, other: "_Gist") -> bool:
        """True for the same rows; those that other keys join between the same tables are others: where a train starts, or ends."""
        return self.groups == other.groups and self._is_narrowed_as(other)

    def is_like(self, other: "_Gist") -> bool:
        """True when one shows no less than the other of the same rows, or the same figures of the same groups."""
        if not self._is_narrowed_as(other):
            return False
        if self.groups == other.groups and _nested(self.shown, other.shown):
            return True
        grouped = bool(self.groups and other.groups) and _nested(self.groups, other.groups)
        return grouped and self.figures == other.figures

    def _is_narrowed_as(self, other: "_Gist") -> bool:
        tied = self.relations == other.relations and self.joins != other.joins
        return self.rest == other.rest and not tied


def _nested(one: frozenset[object], other: frozenset[object]) -> bool:
    return one <= other or other <= one


def _gist(query: Query | Opaque) -> _Gist:
    if isinstance(query, Opaque):
        return _Gist(frozenset(), frozenset({query}))
    parts = normal(query)
    # How often the same row is counted is no other question.
    shown = (
        Count() if isinstance(one.key, Count) else one.key for one in parts if one.kind == "select"
    )
    without = {"select", "relation", "join", "distinct", "each", "group"}
    if query.limit is None:
        without.add("order")
    figured = query.having or any(map(is_measure, (*query.select, *(o.by for o in query.order))))
    groups = (one.key for one in parts if one.kind == "group" and figured)
    rest = ((one.kind, one.key) for one in parts if one.kind not in without)
    relations, joins = (
        frozenset(one.key for one in parts if one.kind == kind) for kind in ("relation", "join")
    )
    figures = frozenset(
        Count() if isinstance(t, Count) else t for t in query.select if is_measure(t)
    )
    return _Gist(frozenset(shown), frozenset(rest), frozenset(groups), figures, relations, joins)


def apart_by_rows(found: Sequence[Query]) -> tuple[Query, ...]:
    """Those that ask for other rows; how often the same row is counted makes no choice."""
    kept: list[Query] = []
    for one in found:
        if not any(same_rows(one, other) for other in kept):
            kept.append(one)
    return tuple(kept)
