"""What similar questions teach about a query that nobody has asked for yet: which pieces they had, and where rules erred."""

from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.query.likeness import Mark

KINDS = (
    "select",
    "number",
    "distinct",
    "relation",
    "where",
    "group",
    "having",
    "order",
    "limit",
    "compound",
)
"""Pieces that are compared; values are each question's own."""
HABITS = ("habit.lacked", "habit.superfluous")
"""The features that tell of what similar questions had."""
SHARPNESS = 3
"""Power to which the likeness of questions is raised, so that the near ones count most."""


@dataclass(frozen=True, slots=True)
class Habit:
    """One confirmed pair, as far as it tells about other questions."""

    source: str
    """Id of the pair."""
    weight: float
    """How near its question is, 0..1."""
    lacked: frozenset[Mark]
    """Pieces that the rules' reading of its question lacked."""
    superfluous: frozenset[Mark]
    """Pieces that the rules' reading of its question had without need."""


def habit(source: str, likeness: float, confirmed: frozenset[Mark], read: frozenset[Mark]) -> Habit:
    """What one pair teaches: its pieces against those that the rules read into its question.

    >>> right, wrong = frozenset({("limit", 1), ("select", "name")}), frozenset({("limit", 1), ("select", "id")})
    >>> found = habit("p", 1.0, right, wrong)
    >>> sorted(found.lacked), sorted(found.superfluous)
    ([('select', 'name')], [('select', 'id')])
    """
    return Habit(source, likeness**SHARPNESS, confirmed - read, read - confirmed)


def habitual(parts: frozenset[Mark], habits: Sequence[Habit]) -> tuple[float, float]:
    """How many pieces of a query the rules lacked, and how many they had without need, in similar questions.

    Each piece counts as much as the question is near.

    >>> habitual(frozenset({("select", "id")}), [Habit("p", 0.5, frozenset(), frozenset({("select", "id")}))])
    (0.0, 0.5)
    """
    own = {part for part in parts if part[0] in KINDS}
    lacked = sum(one.weight * len(one.lacked & own) for one in habits)
    superfluous = sum(one.weight * len(one.superfluous & own) for one in habits)
    return float(lacked), float(superfluous)
