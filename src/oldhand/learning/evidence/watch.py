"""A lesson under watch: its score at each planned look, and whether that says enough."""

from math import inf, sqrt
from statistics import NormalDist
from typing import NamedTuple

from oldhand.learning.evidence.boundaries import Bounds
from oldhand.learning.evidence.contrast import Contrast
from oldhand.learning.evidence.spending import SpendingPlan

_LEAST_SPENT = 1e-12
"""No bound is worked out for less."""
_GROWTH = 1.001
"""A look that brings less information than this is passed over."""


class Look(NamedTuple):
    """What was known at one look."""

    showings: float
    """Even showings."""
    standing: float
    """The standardised score: below 0 when answers are better without the lesson."""
    variance: float
    """That of the score: the information of the test."""
    least: float
    """No bound is nearer: that of a single look with all that may be spent by then."""


class Crossing(NamedTuple):
    """The look at which the evidence was enough."""

    look: Look
    bound: float
    """What its standing had to reach."""


class Watch:
    """Takes in the outcomes of one lesson in the order in which they became known.

    When to look follows from the showings alone and not from the outcomes, so that any number of calls, daily or hourly,
    comes to the same decisions.

    >>> watch = Watch(SpendingPlan(alpha=0.05, horizon=1000))
    >>> for number in range(2000):
    ...     watch.add(number % 2 == 0, 0.5, float(number % 10 in (1, 3, 5, 2)))
    >>> harmful = watch.harms()
    >>> harmful.look.showings, round(harmful.look.standing, 2), round(harmful.bound, 2), watch.helps()
    (150.0, -7.14, 4.95, None)
    """

    __slots__ = ("_bounds", "_known_bounds", "_next", "looks", "plan", "showings", "success")

    def __init__(self, plan: SpendingPlan) -> None:
        self.plan = plan
        self.success = Contrast(0.5)
        self.showings = 0.0
        """Even showings so far."""
        self.looks: list[Look] = []
        self._next = plan.next_look(0)
        self._bounds = Bounds()
        self._known_bounds: list[float] = []

    def add(self, shown: bool, chance: float, success: float, other: float | None = None) -> None:
        """Take one outcome in, and look where it is time to."""
        self.success.add(shown, chance, success, other)
        if shown:
            self.showings += 2 * (1 - chance)
        if self.showings >= self._next:
            self._look()

    def _look(self) -> None:
        contrast, showings = self.success, self.showings
        self._next = self.plan.next_look(showings)
        if contrast.variance > _GROWTH * (self.looks[-1].variance if self.looks else 0.0):
            spent = self.plan.spent(showings)
            least = NormalDist().inv_cdf(1 - spent) if spent > _LEAST_SPENT else inf
            standing = contrast.score / sqrt(contrast.variance)
            self.looks.append(Look(showings, standing, contrast.variance, least))

    def harms(self) -> Crossing | None:
        """The first look at which answers were so much better without it that it is no chance."""
        return self._first_crossing(-1)

    def helps(self) -> Crossing | None:
        """The first look at which answers were so much better with it that it is no chance."""
        return self._first_crossing(1)

    def _first_crossing(self, sign: int) -> Crossing | None:
        for number, look in enumerate(self.looks):
            # Most lessons never come near, and working out a bound takes milliseconds.
            if sign * look.standing >= look.least:
                bound = self.bound(number)
                if sign * look.standing >= bound:
                    return Crossing(look, bound)
        return None

    def bound(self, number: int) -> float:
        """What the standing must reach at one of the looks, in either direction."""
        for look in self.looks[len(self._known_bounds) : number + 1]:
            spent = self.plan.spent(look.showings)
            self._known_bounds.append(self._bounds.at_next(look.variance, spent))
        return self._known_bounds[number]
