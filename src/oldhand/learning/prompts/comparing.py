"""A version on trial against the active one: what the answers made with either say.

The question is not whether one is better for sure, but how much may be lost by choosing it: a version is easy to take
back. So a test ends as soon as the expected loss is small enough (Stucchio, *Bayesian A/B Testing at VWO*, 2015).
"""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field

from oldhand.learning.evidence import Interval
from oldhand.learning.prompts.beta import Arm, chance_better, expected_loss
from oldhand.record.base import Record
from oldhand.record.fared import Fared
from oldhand.record.memory import PerformanceMetrics
from oldhand.settings import PromptSettings


class Verdict(StrEnum):
    """What a test comes to."""

    WAIT = "wait"
    PROMOTE = "promote"
    """The candidate takes the place of the active version."""
    KEEP = "keep"
    """The active version stays, the candidate is deprecated."""


class PromptTest(Record):
    """The test that runs for one role."""

    role: str
    active: str
    """Id of the version that is used."""
    candidate: str
    """Id of the version that is tried."""
    active_metrics: PerformanceMetrics
    candidate_metrics: PerformanceMetrics
    judged_active: int = Field(ge=0)
    judged_candidate: int = Field(ge=0)
    better: float = Field(ge=0, le=1)
    """The probability that the candidate is the better one."""
    chance: float = Field(gt=0, lt=1)
    """The probability with which the next answer is made with the candidate."""
    difference: Interval
    """Of the shares of right answers, candidate less active, with about 95 % probability."""
    loss: float = Field(ge=0)
    """The share of right answers that promoting the candidate now may cost, on average."""
    verdict: Verdict

    @property
    def judged(self) -> int:
        """Answers of this test of which it is known how they went."""
        return self.judged_active + self.judged_candidate


def arm_of(answers: Sequence[Fared]) -> Arm:
    """How often a version led to a right answer, and how often to a wrong one."""
    good = sum(one.success is True for one in answers)
    return Arm(good, sum(one.success is False for one in answers))


def chance_of(active: Arm, candidate: Arm, limits: PromptSettings) -> float:
    """The probability with which the candidate is drawn: that it is the better one, kept off 0 and 1.

    Drawing by it is Thompson sampling; what is drawn with some chance either way can be weighed without bias.
    """
    better = chance_better(candidate, active)
    return round(min(max(better, limits.least_chance), 1 - limits.least_chance), 4)


def verdict_of(active: Arm, candidate: Arm, limits: PromptSettings) -> Verdict:
    """Whether enough is known to choose.

    >>> verdict_of(Arm(42, 8), Arm(46, 4), PromptSettings()).value
    'promote'
    >>> verdict_of(Arm(44, 6), Arm(44, 6), PromptSettings()).value
    'wait'
    """
    judged = active.judged + candidate.judged
    if judged < limits.episodes:
        return Verdict.WAIT
    if candidate.mean > active.mean:
        sure = chance_better(candidate, active) >= limits.sure
        settled = sure and expected_loss(candidate, active) <= limits.loss
        return Verdict.PROMOTE if settled else Verdict.WAIT
    settled = expected_loss(active, candidate) <= limits.loss or judged >= limits.most_episodes
    return Verdict.KEEP if settled else Verdict.WAIT
