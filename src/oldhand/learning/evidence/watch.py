"""A lesson under watch: its score at each planned look, and whether that says enough."""

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

from oldhand.learning.evidence.boundaries import bounds
from oldhand.learning.evidence.contrast import Contrast, standardised
from oldhand.learning.evidence.spending import Plan

_GROWTH = 1.001
"""A look that brings less information than this is passed over."""


class Look(NamedTuple):
    """What was known at one look."""

    showings: float
    """Even showings."""
    score: float
    variance: float
    """The information of the test."""

    @property
    def standing(self) -> float:
        """The standardised score: below 0 when answers are better without the lesson."""
        return standardised(self.score, self.variance)


class Crossing(NamedTuple):
    """The look at which the evidence was enough."""

    number: int
    """Which of the looks, from 0."""
    look: Look
    bound: float
    """What its standing had to reach."""


class Watch:
    """Takes in the outcomes of one lesson in the order in which they became known.

    When to look follows from the chances alone and not from the outcomes, so that any number of calls, daily or hourly,
    comes to the same decisions.

    >>> watch = Watch(Plan(alpha=0.05, horizon=1000))
    >>> for number in range(2000):
    ...     watch.add(number % 2 == 0, 0.5, float(number % 10 in (1, 3, 5, 2)))
    >>> harmful = watch.harms()
    >>> harmful.look.showings, round(harmful.look.standing, 2), round(harmful.bound, 2), watch.helps()
    (150.0, -7.09, 4.97, None)
    """

    __slots__ = ("_next", "looks", "plan", "success")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.success = Contrast(0.5)
        self.looks: list[Look] = []
        self._next = plan.next_look(0)

    @property
    def showings(self) -> float:
        """Even showings so far: 2 p (1 - p) of each trial, which is its chance to be shown when that is one half."""
        return 2 * self.success.weight

    def add(self, shown: bool, chance: float, success: float) -> None:
        """Take one outcome in, and look where it is time to."""
        self.success.add(shown, chance, success)
        if 2 * self.success.weight >= self._next:
            self._look()

    def _look(self) -> None:
        contrast, showings = self.success, self.showings
        self._next = self.plan.next_look(showings)
        if contrast.variance > _GROWTH * (self.looks[-1].variance if self.looks else 0.0):
            self.looks.append(Look(showings, contrast.score, contrast.variance))

    def harms(self) -> Crossing | None:
        """The first look at which answers were so much better without it that it is no chance."""
        return first_crossing(self.looks, self.plan, -1)

    def helps(self) -> Crossing | None:
        """The first look at which answers were so much better with it that it is no chance."""
        return first_crossing(self.looks, self.plan, 1)


def first_crossing(looks: Sequence[Look], plan: Plan, sign: int) -> Crossing | None:
    """Where the standing, times `sign`, reaches its bound for the first time."""
    spent = tuple(plan.spent(look.showings) for look in looks)
    if not any(
        _may_cross(sign * look.standing, part) for look, part in zip(looks, spent, strict=True)
    ):
        return None
    at = bounds([look.variance for look in looks], spent)
    for number, (look, bound) in enumerate(zip(looks, at, strict=True)):
        if sign * look.standing >= bound:
            return Crossing(number, look, bound)
    return None


def _may_cross(standing: float, spent: float) -> bool:
    """Whether it is worth working out the bound: it is never nearer than that of a single look with all that is spent."""
    return spent > 0 and standing >= NormalDist().inv_cdf(1 - spent)
