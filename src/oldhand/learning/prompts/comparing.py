"""A version on trial against the active one: what the answers made with either say.

Two questions, two measures. Whether the version on trial is to be promoted is asked of the same evidence as with lessons
(`learning/evidence`): no useless version gets through more often than was allowed, however often somebody looks, and
though the draws follow what is known. Whether to give it up is only a matter of cost, since nothing changes by it: the
test ends as soon as little is lost by keeping the active version (Stucchio, *Bayesian A/B Testing at VWO*, 2015).
"""

from enum import StrEnum

from pydantic import Field

from oldhand.learning.evidence import Interval, SpendingPlan, Watch, power_family
from oldhand.learning.prompts.beta import Arm, chance_better, expected_loss
from oldhand.record.base import Record
from oldhand.record.memory import PerformanceMetrics
from oldhand.settings import PromptSettings


class PromptVerdict(StrEnum):
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
    difference: Interval | None
    """Of the shares of right answers, candidate less active, with 95 % confidence; None while too few are judged."""
    loss: float = Field(ge=0)
    """The share of right answers that promoting the candidate now may cost, on average."""
    standing: float | None
    """The evidence at the last look: the standardised score, above 0 when answers are better with the candidate."""
    bound: float | None
    """What it had to reach then for the candidate to be promoted; None before the first look."""
    verdict: PromptVerdict

    @property
    def judged(self) -> int:
        """Answers of this test of which it is known how they went."""
        return self.judged_active + self.judged_candidate


def watch_of(limits: PromptSettings) -> Watch:
    """What takes in the answers of one test, in the order in which it became known how they went.

    All false alarms may be spent by when the test ends, even where the draws lean to one side as far as they can.
    """
    chance = limits.least_chance
    horizon = 2 * chance * (1 - chance) * limits.most_episodes
    return Watch(SpendingPlan(limits.false_alarms, horizon, power_family, first=1.0))


def chance_of(active: Arm, candidate: Arm, limits: PromptSettings) -> float:
    """The probability with which the candidate is drawn: that it is the better one, kept off 0 and 1.

    Drawing by it is Thompson sampling; what is drawn with some chance either way can be weighed without bias.
    """
    better = chance_better(candidate, active)
    return round(min(max(better, limits.least_chance), 1 - limits.least_chance), 4)


def verdict_of(active: Arm, candidate: Arm, watch: Watch, limits: PromptSettings) -> PromptVerdict:
    """Whether enough is known to choose.

    >>> limits = PromptSettings()
    >>> watch = watch_of(limits)
    >>> for number in range(200):
    ...     watch.add(number % 2 == 0, 0.5, float(number % 2 == 0 or number % 5 > 0))
    >>> verdict_of(Arm(80, 20), Arm(100, 0), watch, limits).value
    'promote'
    >>> verdict_of(Arm(44, 6), Arm(44, 6), watch_of(limits), limits).value
    'wait'
    """
    judged = active.judged + candidate.judged
    if judged < limits.episodes:
        return PromptVerdict.WAIT
    if watch.harms():
        return PromptVerdict.KEEP
    if watch.helps():
        return PromptVerdict.PROMOTE
    no_better = candidate.mean <= active.mean and expected_loss(active, candidate) <= limits.loss
    return PromptVerdict.KEEP if no_better or judged >= limits.most_episodes else PromptVerdict.WAIT
