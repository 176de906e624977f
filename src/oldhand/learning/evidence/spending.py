"""How much of the allowed false alarms may be spent by when."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from oldhand.settings import TrialSettings

_NORMAL = NormalDist()

Spending = Callable[[float, float], float]
"""From the share of false alarms that may be spent in all, and the share of the information that is there, 0 to 1, to
what may be spent until then."""


def obrien_fleming(alpha: float, share: float) -> float:
    """Little at first, nearly all of it at the end: 2 - 2 Φ(z(alpha/2) / √share), as Lan and DeMets (1983) have it.

    >>> [round(obrien_fleming(0.025, share), 5) for share in (0.2, 0.6, 1)]
    [0.0, 0.00381, 0.025]
    """
    if share <= 0:
        return 0.0
    return min(2 - 2 * _NORMAL.cdf(_NORMAL.inv_cdf(1 - alpha / 2) / sqrt(share)), alpha)


def evenly(alpha: float, share: float) -> float:
    """As much at first as at the end: alpha share, of the same family as `power_family`.

    >>> evenly(0.04, 0.5)
    0.02
    """
    return alpha * min(max(share, 0.0), 1.0)


def power_family(alpha: float, share: float) -> float:
    """In between: alpha share^2, of the family of Kim and DeMets (1987).

    >>> power_family(0.04, 0.5)
    0.01
    """
    return evenly(alpha, min(max(share, 0.0), 1.0) ** 2)


@dataclass(frozen=True)
class SpendingPlan:
    """When a lesson is looked at, and what may be spent by then, for good: `alpha` in all, however long it goes on.

    The unit is the even showing: one showing where the chance p to be shown is one half, and else as many as bring the
    same information, which is 2 (1 - p). Nearly all of `alpha` may be
    spent within the first horizon. Each later horizon is as long as all before it, and half of what is left is spent
    evenly over it.

    >>> plan = SpendingPlan(alpha=0.05, horizon=1000)
    >>> [round(plan.spent(showings), 4) for showings in (500, 1000, 2000, 4000, 1e9)]
    [0.0053, 0.0488, 0.0494, 0.0497, 0.05]
    >>> plan.next_look(0), plan.next_look(975), plan.next_look(1000)
    (50.0, 1000.0, 1100.0)
    """

    alpha: float
    horizon: float
    """Even showings of the first horizon."""
    spending: Spending = obrien_fleming
    first: float = 0.975
    """Share of `alpha` for the first horizon."""
    looks: int = 20
    """Looks within the first horizon; each later one comes after a tenth more."""

    @classmethod
    def of(cls, limits: TrialSettings) -> "SpendingPlan":
        """The plan for draws of which only the shown answer is known."""
        return cls(limits.false_alarms, limits.horizon)

    @classmethod
    def of_shadows(cls, limits: TrialSettings) -> "SpendingPlan":
        """The plan for draws that are known to change the answer: each says so much that a few will do.

        How few depends on how many votes are wrong, which nobody knows: so the allowance is spent evenly, and a tenth of
        it is left for later horizons.
        """
        return cls(limits.false_alarms, limits.shadows, evenly, first=0.9)

    def spent(self, showings: float) -> float:
        """What may be spent until there are so many even showings."""
        if showings <= self.horizon:
            return self.spending(self.first * self.alpha, showings / self.horizon)
        left, begin = (1 - self.first) * self.alpha, self.horizon
        while showings > 2 * begin:
            left, begin = left / 2, 2 * begin
        return self.alpha - left + left / 2 * (showings - begin) / begin

    def next_look(self, showings: float) -> float:
        """The even showings at which to look next, when there are so many now."""
        step = self.horizon / self.looks
        if showings < self.horizon:
            return (showings // step + 1) * step
        look = self.horizon
        while look <= showings:
            look *= 1.1
        return look
