"""What similar questions teach about a query that nobody has asked for yet: which pieces they had, and where rules erred."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.precedents.parts import Part, Parts

KINDS = (
    "select",
    "number",
    "distinct",
    "from",
    "where",
    "group",
    "having",
    "order",
    "limit",
    "set",
)
"""Pieces that are compared; values are each question's own."""
SHARPNESS = 3
"""Power to which the likeness of questions is raised, so that the near ones count most."""


@dataclass(frozen=True, slots=True)
class Habit:
    """One confirmed pair, as far as it tells about other questions."""

    weight: float
    """How near its question is, 0..1."""
    parts: frozenset[Part]
    lacked: frozenset[Part]
    """Pieces that the rules' reading of its question lacked."""
    superfluous: frozenset[Part]
    """Pieces that the rules' reading of its question had without need."""


def habit(likeness: float, confirmed: Parts, read: Parts) -> Habit:
    """What one pair teaches: its own pieces, against those that the rules read into its question.

    >>> found = habit(1.0, (("from", "t"), ("select", "t.name")), (("from", "t"), ("select", "t.id")))
    >>> sorted(found.lacked), sorted(found.superfluous)
    ([('select', 't.name')], [('select', 't.id')])
    """
    right, wrong = frozenset(confirmed), frozenset(read)
    return Habit(likeness**SHARPNESS, right, right - wrong, wrong - right)


def habit_features(parts: Parts, habits: Sequence[Habit]) -> dict[str, float]:
    """For each kind of piece, how customary those of a query are among similar questions.

    `like.KIND` is the mean share of pieces in common, `lacked.KIND` and `superfluous.KIND` are how many pieces
    the rules lacked, or had without need, when they read similar questions; all weighted by nearness.
    """
    found: dict[str, float] = defaultdict(float)
    total = sum(one.weight for one in habits) or 1.0
    own = _by_kind(parts)
    for one in habits:
        theirs = _by_kind(one.parts)
        for kind in KINDS:
            mine, other = own.get(kind, frozenset()), theirs.get(kind, frozenset())
            if mine or other:
                shared = len(mine & other) / len(mine | other)
                found[f"like.{kind}"] += one.weight * shared / total
        for name, pieces in (("lacked", one.lacked), ("superfluous", one.superfluous)):
            for kind, content in pieces:
                if (kind, content) in parts and kind in KINDS:
                    found[f"{name}.{kind}"] += one.weight
    return dict(found)


def _by_kind(parts: Parts | frozenset[Part]) -> Mapping[str, frozenset[Part]]:
    found: dict[str, set[Part]] = defaultdict(set)
    for kind, content in parts:
        found[kind].add((kind, content))
    return {kind: frozenset(pieces) for kind, pieces in found.items()}
