"""What is known of one lesson, and what follows from it."""

from enum import StrEnum

from oldhand.learning.evidence.boundaries import Bounds
from oldhand.learning.evidence.contrast import Contrast, Interval
from oldhand.learning.evidence.spending import Plan
from oldhand.learning.evidence.watch import Crossing, Watch
from oldhand.learning.lifecycle.quarantine import reason_of
from oldhand.record.base import Record
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import Stage, is_shown, stage_of
from oldhand.record.trial import Trial
from oldhand.settings import TrialSettings


class Decision(StrEnum):
    """What the evidence says is to be done with a lesson."""

    WAIT = "wait"
    """Nothing yet: it goes on as it is."""
    PROMOTE = "promote"
    RETIRE = "retire"


class Mark(Record):
    """The evidence at one look."""

    showings: float
    """Even showings: those that a chance of one half would have brought for as much information."""
    standing: float
    """The standardised score; below 0 when answers are better without the lesson."""
    information: float
    """The variance of the score."""


class LessonEvidence(Record):
    """Whether a lesson helps, as far as can be told."""

    lesson_id: str
    type: MemoryType
    summary: str
    stage: Stage
    shown: int
    """Answers that were made with it, since it says what it says."""
    held_out: int
    """Answers that it was left out of at random."""
    judged_shown: int
    """Of those with it, how many have a known outcome."""
    judged_held_out: int
    success_shown: float | None
    """Share of the judged answers with it that were right."""
    success_held_out: float | None
    effect: Interval | None
    """On the share of right answers; None while there is too little."""
    cost: Interval | None
    """What it adds to the cost of an answer, in US dollars."""
    seconds: Interval | None
    """What it adds to the time of an answer."""
    lost: Interval | None
    """Right answers that holding it out has cost so far; below 0, those that it has saved."""
    progress: float
    """Information so far, as a share of that of the first horizon."""
    marks: tuple[Mark, ...]
    decision: Decision
    bound: float | None
    """What the standing had to reach, in either direction, where there is a decision."""
    standing: float | None
    """What it was then."""
    set_aside: str = ""
    """Why it is not shown any more, where somebody said so; such as a spec that it broke."""

    @property
    def uneven(self) -> bool:
        """Whether outcomes are told of answers with it much more often, or more rarely, than of those without.

        Then people judge by what they see, and the effect is that on judged answers only.
        """
        if min(self.shown, self.held_out) == 0:
            return False
        with_it, without = self.judged_shown / self.shown, self.judged_held_out / self.held_out
        judged = (self.judged_shown + self.judged_held_out) / (self.shown + self.held_out)
        spread = judged * (1 - judged) * (1 / self.shown + 1 / self.held_out)
        return (with_it - without) ** 2 > _UNLIKELY**2 * spread


_UNLIKELY = 3.0
"""Standard deviations that are no accident, with so many lessons looked at."""


class Draws:
    """All draws of one lesson; only sums are kept."""

    __slots__ = ("cost", "held_out", "seconds", "shown", "watch")

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.cost, self.seconds = Contrast(), Contrast()
        self.shown = self.held_out = 0

    def add(self, trial: Trial) -> None:
        """Take one draw in."""
        if trial.shown:
            self.shown += 1
        else:
            self.held_out += 1
        self.cost.add(trial.shown, trial.chance, trial.cost)
        self.seconds.add(trial.shown, trial.chance, trial.seconds)
        if trial.success is not None:
            self.watch.add(trial.shown, trial.chance, trial.success)


def weighed(memory: Memory, draws: Draws) -> LessonEvidence:
    """What the draws of a lesson say."""
    watch = draws.watch
    success = watch.success
    shown, held_out = success.means()
    effect = success.interval()
    decision, crossing = _decision(memory, watch)
    return LessonEvidence(
        lesson_id=memory.id,
        type=memory.type,
        summary=memory.summary,
        stage=stage_of(memory),
        shown=draws.shown,
        held_out=draws.held_out,
        judged_shown=success.shown,
        judged_held_out=success.held,
        success_shown=shown,
        success_held_out=held_out,
        effect=effect,
        cost=draws.cost.interval(),
        seconds=draws.seconds.interval(),
        lost=effect and effect.times(draws.held_out),
        progress=watch.showings / watch.plan.horizon,
        marks=tuple(
            Mark(showings=look.showings, standing=look.standing, information=look.variance)
            for look in watch.looks
        ),
        decision=decision,
        bound=crossing and crossing.bound,
        standing=crossing and crossing.look.standing,
        set_aside=reason_of(memory),
    )


def bounds_of(evidence: LessonEvidence, limits: TrialSettings) -> tuple[float, ...]:
    """What the standing had to reach at each of its marks, in either direction."""
    plan, bounds = Plan.of(limits), Bounds()
    return tuple(
        bounds.at_next(mark.information, plan.spent(mark.showings)) for mark in evidence.marks
    )


def _decision(memory: Memory, watch: Watch) -> tuple[Decision, Crossing | None]:
    """Harm goes before help: a lesson that helped once may do harm by now."""
    if not is_shown(memory):
        return Decision.WAIT, None
    if harmful := watch.harms():
        return Decision.RETIRE, harmful
    if stage_of(memory) is Stage.CANDIDATE and (helpful := watch.helps()):
        return Decision.PROMOTE, helpful
    return Decision.WAIT, None
