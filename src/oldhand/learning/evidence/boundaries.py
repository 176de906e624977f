"""The bounds of a group-sequential test, for looks after whatever information has come together.

The score over its variance moves like Brownian motion, as far as nothing has an effect. The density of what has not
crossed a bound yet is carried from look to look by numerical integration: Armitage, McPherson and Rowe (1969), on the
grid of Jennison and Turnbull, “Group Sequential Methods” (2000), chapter 19.2.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import erfc, exp, inf, log, pi, sqrt
from statistics import NormalDist

_FINENESS = 6
"""Of the grid; the bounds are then right to within 0.002."""
_FAR = 8.0
"""Standard deviations beyond which there is nothing."""
_LEAST = 1e-12
"""Less than this need not be spent."""
_ROOT = sqrt(2 * pi)

_Density = list[tuple[float, float]]
"""Points, each with its probability: what has crossed no bound so far."""


class Bounds:
    """The values that the standardised score must reach, look by look, for a one-sided test.

    >>> from oldhand.learning.evidence.spending import obrien_fleming
    >>> bounds = Bounds()
    >>> [round(bounds.at_next(share, obrien_fleming(0.025, share)), 2) for share in (0.2, 0.4, 0.6, 0.8, 1)]
    [4.88, 3.36, 2.68, 2.29, 2.03]
    """

    __slots__ = ("_density", "_information", "_spent")

    def __init__(self) -> None:
        self._density: _Density = []
        self._information = self._spent = 0.0

    def at_next(self, information: float, spent: float) -> float:
        """The bound at the next look.

        Args:
            information: then, more than before, in any unit: the variance of the score.
            spent: the false alarms that may have happened by then, not less than before (Lan and DeMets 1983).
        """
        before, spend = self._information, spent - self._spent
        bound = _bound(self._density, before, information, spend)
        self._density = _carried(self._density, before, information, bound)
        self._information, self._spent = information, spent
        return bound


def crossing(information: Sequence[float], at: Sequence[float]) -> Iterator[float]:
    """The probability of crossing each of the bounds `at` for the first time, where there is no effect.

    >>> pocock = [2.413] * 5
    >>> round(sum(crossing([1, 2, 3, 4, 5], pocock)), 4)
    0.025
    """
    density: _Density = []
    for (before, here), bound in zip(pairwise((0.0, *information)), at, strict=True):
        yield _beyond(density, before, here, bound)
        density = _carried(density, before, here, bound)


def _bound(density: _Density, before: float, here: float, spend: float) -> float:
    """Where exactly `spend` lies beyond."""
    if spend <= _LEAST:
        return inf
    if not density:
        return NormalDist().inv_cdf(1 - spend)
    low, high = -_FAR, _FAR
    while high - low > 1e-6:
        middle = (low + high) / 2
        if _beyond(density, before, here, middle) > spend:
            low = middle
        else:
            high = middle
    return high


def _beyond(density: _Density, before: float, here: float, bound: float) -> float:
    """The probability to be beyond `bound` now, having crossed none before."""
    if bound == inf:
        return 0.0
    if not density:
        return erfc(bound / sqrt(2)) / 2
    edge, step, scale = bound * sqrt(here), sqrt(before), 1 / sqrt(2 * (here - before))
    return sum([mass * erfc((edge - point * step) * scale) for point, mass in density]) / 2


def _carried(density: _Density, before: float, here: float, bound: float) -> _Density:
    """The density at the next look, on this side of its bound."""
    grid = _grid(min(bound, _FAR))
    if not density:
        return [(point, weight * exp(-point * point / 2) / _ROOT) for point, weight in grid]
    spread = sqrt(here - before)
    origins = [(point * sqrt(before) / spread, mass) for point, mass in density]
    scale = sqrt(here) / spread
    carried: _Density = []
    for point, weight in grid:
        at = point * scale
        near = [(at - origin, mass) for origin, mass in origins if -_FAR < at - origin < _FAR]
        total = sum([mass * exp(-apart * apart / 2) for apart, mass in near])
        carried.append((point, weight * scale / _ROOT * total))
    return carried


def _grid(bound: float) -> _Density:
    """Points up to `bound` with their weights by Simpson's rule; denser in the middle."""
    r = _FINENESS
    far = [3 + 4 * log(r / rest) for rest in range(r, 0, -1)]
    ends = [-one for one in reversed(far)] + [-3 + 3 * i / (2 * r) for i in range(1, 4 * r)] + far
    ends = [one for one in ends if -_FAR < one < bound] + [bound]
    points = [ends[0]]
    weights = [0.0]
    for low, high in pairwise(ends):
        sixth = (high - low) / 6
        weights[-1] += sixth
        points += [(low + high) / 2, high]
        weights += [4 * sixth, sixth]
    return list(zip(points, weights, strict=True))
