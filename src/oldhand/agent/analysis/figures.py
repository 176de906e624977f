"""What the numbers of a result come to, and how they compare: what a sentence may say of them beyond each number itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from oldhand.record.base import Row

_COMPARED = 6
"""Numbers that are set against each other; among more, any number would be found."""
_ADDED = 1_000


@dataclass(frozen=True)
class Figures:
    """Figures of a result.

    >>> found = Figures.of([("March", 1500), ("April", 1650)])
    >>> sorted(found.sums), sorted(found.differences), sorted(round(one, 2) for one in found.shares)
    ([1575.0, 3150.0], [150.0], [0.09, 0.1, 0.48, 0.52])
    """

    sums: frozenset[float] = field(default_factory=frozenset[float])
    """Sums and means of the columns."""
    differences: frozenset[float] = field(default_factory=frozenset[float])
    ratios: frozenset[float] = field(default_factory=frozenset[float])
    shares: frozenset[float] = field(default_factory=frozenset[float])
    """Of a sum, and changes from one number to another."""

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Figures":
        """Those of a column each; of one row, those of its numbers."""
        columns = [_numbers(column) for column in zip(*rows[:_ADDED], strict=True)]
        added = [column for column in columns if len(column) > 1]
        compared = [one for one in added if len(one) <= _COMPARED]
        if len(rows) == 1:
            row = _numbers(rows[0])
            compared = [row] if 1 < len(row) <= _COMPARED else []
        pairs = [pair for one in compared for pair in permutations(one, 2)]
        wholes = [(one, abs(sum(column))) for column in added for one in column]
        changes = [abs(a - b) / abs(b) for a, b in pairs if b]
        return cls(
            frozenset(abs(one) for column in added for one in (sum(column), _mean(column))),
            frozenset(abs(a - b) for a, b in pairs),
            frozenset(abs(a / b) for a, b in pairs if b),
            frozenset([*changes, *(abs(one) / whole for one, whole in wholes if whole)]),
        )


def _numbers(cells: Sequence[object]) -> list[float]:
    return list(_plain(cells))


def _plain(cells: Sequence[object]) -> Iterator[float]:
    for cell in cells:
        if isinstance(cell, int | float) and not isinstance(cell, bool):
            yield float(cell)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
