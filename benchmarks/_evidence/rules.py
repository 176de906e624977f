"""Rules that may retire a lesson: the one that is used, and others to compare it with."""

from collections.abc import Callable
from math import log, sqrt
from statistics import NormalDist
from typing import Protocol

from oldhand.learning.evidence.spending import Spending, SpendingPlan, evenly, obrien_fleming
from oldhand.learning.evidence.watch import Watch
from oldhand.settings import TrialSettings

TRIAL = TrialSettings()
ALPHA = TRIAL.false_alarms


class Rule(Protocol):
    """Watches one lesson."""

    def add(self, shown: bool, chance: float, success: float) -> bool:
        """Take one outcome in, and say whether the lesson is to go."""
        ...


class GroupSequential:
    """The rule of the package."""

    def __init__(self, spending: Spending = obrien_fleming) -> None:
        plan = SpendingPlan.of(TRIAL)
        self.watch = Watch(SpendingPlan(plan.alpha, plan.horizon, spending))
        self._looks = 0

    def add(self, shown: bool, chance: float, success: float) -> bool:
        """Ask only after a new look."""
        self.watch.add(shown, chance, success)
        if len(self.watch.looks) == self._looks:
            return False
        self._looks = len(self.watch.looks)
        return self.watch.harms() is not None


class Betting:
    """Valid at any time, without a horizon: a bet against "no harm" that is won when it has grown 1 / alpha fold.

    The capital multiplies by 1 - bet x, with x = (A - p)(y - m) and the bet that the outcomes so far suggest: the
    approximate growth-rate adaptive bets of Waudby-Smith and Ramdas, “Estimating means of bounded random variables by
    betting” (2024). By Ville's inequality the capital reaches 1 / alpha with probability alpha at most.
    """

    def __init__(self) -> None:
        self._capital, self._sum, self._square, self._count = 0.0, 0.0, 0.0625, 1
        self._right = 0.5

    def add(self, shown: bool, chance: float, success: float) -> bool:
        """Bet on one outcome."""
        mean = self._sum / self._count
        spread = self._square / self._count
        bet = min(max(-mean / (spread + mean * mean), 0.0), 0.5)
        x = (shown - chance) * (success - self._right / self._count)
        self._capital += log(1 - bet * x)
        self._count += 1
        self._sum += x
        self._square += x * x
        self._right += success
        return self._capital >= -log(ALPHA)


class EveryDay:
    """What goes wrong: the test of a single look, made after every tenth showing."""

    def __init__(self) -> None:
        self._score = self._variance = 0.0
        self._count, self._right = 1, 0.5
        self._limit = NormalDist().inv_cdf(ALPHA)

    def add(self, shown: bool, chance: float, success: float) -> bool:
        """Test without regard to earlier tests."""
        surprise = success - self._right / self._count
        self._score += (shown - chance) * surprise
        self._variance += chance * (1 - chance) * surprise * surprise
        self._count += 1
        self._right += success
        daily = self._count % 20 == 0 and self._count >= 100
        return daily and self._score / sqrt(self._variance) <= self._limit


USED = "group-sequential, O'Brien-Fleming (used)"
RULES: dict[str, Callable[[], Rule]] = {
    USED: GroupSequential,
    "group-sequential, spent evenly": lambda: GroupSequential(evenly),
    "betting, valid at any time": Betting,
    "single test, every day": EveryDay,
}
