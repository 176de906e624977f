"""The likeliest parts of what is written as one word."""

from collections.abc import Callable

Cost = Callable[[str, int, int], float | None]
"""How unlikely the part of a piece from one place to another is; None where it cannot be one."""


def cheapest(piece: str, cost_of: Cost, longest: int) -> tuple[float, tuple[str, ...]] | None:
    """The parts with the least cost together, none longer than `longest` letters, after their cost; None where there are none.

    >>> cheapest("abc", lambda piece, start, end: {"ab": 1.0, "bc": 2.5, "a": 1.0, "c": 1.0}.get(piece[start:end]), 2)
    (2.0, ('ab', 'c'))
    """
    best: list[tuple[float, tuple[str, ...]] | None] = [(0.0, ())]
    for end in range(1, len(piece) + 1):
        ways = (
            (before[0] + cost, (*before[1], piece[start:end]))
            for start in range(max(0, end - longest), end)
            if (before := best[start]) and (cost := cost_of(piece, start, end)) is not None
        )
        best.append(min(ways, default=None))
    return best[-1]
