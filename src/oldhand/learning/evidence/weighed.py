"""What is known of one lesson, and what follows from it."""

from collections.abc import Iterator
from enum import StrEnum

from oldhand.learning.evidence.boundaries import Bounds
from oldhand.learning.evidence.contrast import Contrast, Interval, belief
from oldhand.learning.evidence.exam_results import ExamResult, exam_of
from oldhand.learning.evidence.spending import SpendingPlan
from oldhand.learning.evidence.watch import Crossing, Watch
from oldhand.learning.lifecycle.quarantine import reason_of
from oldhand.record.base import Record
from oldhand.record.episode import SAME
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import (
    Stage,
    State,
    is_found_out,
    is_on_trial,
    is_shown,
    stage_of,
    state_of,
)
from oldhand.record.trial import Trial
from oldhand.settings import TrialSettings


class EvidenceDecision(StrEnum):
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


class Shadows(Record):
    """What the answers say of a lesson that were worked out both ways, with it and without."""

    same: int
    """Answers that came out the same either way: it had no effect on them."""
    differing: int
    """Answers that came out otherwise; which one was shown was drawn."""
    judged: int
    """Of these, how many have a known outcome."""
    both: int
    """Of these, how many where the one that was not shown is known as well."""
    effect: Interval | None
    """On the share of right answers among those that differ; None while there is too little."""
    progress: float
    """Information so far, as a share of that of the first horizon."""
    marks: tuple[Mark, ...]


class LessonEvidence(Record):
    """Whether a lesson helps, as far as can be told: by its exam, by shadows, and by draws of which nothing else is known."""

    lesson_id: str
    type: MemoryType
    summary: str
    state: State
    exam: ExamResult | None
    """How confirmed questions are answered with it and without; None when it was not examined."""
    shadows: Shadows
    shown: int
    """Answers that were made with it by a draw, since it says what it says."""
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
    decision: EvidenceDecision
    bound: float | None
    """What the standing had to reach, in either direction, where there is a decision."""
    standing: float | None
    """What it was then."""
    chance: float
    """With which it is to be shown from now on where it is left to chance: better-believed lessons more often."""
    why: str = ""
    """Why it is not in force, where that is known; such as a spec that it broke."""

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
_STEPS = 20
"""Chances move in steps of a twentieth, so that a lesson is not saved anew for next to nothing."""


class Draws:
    """All draws of one lesson; only sums are kept."""

    __slots__ = (
        "both",
        "cost",
        "differing",
        "held_out",
        "limits",
        "same",
        "seconds",
        "shadows",
        "shown",
        "watch",
    )

    def __init__(self, limits: TrialSettings) -> None:
        self.limits = limits
        self.watch = Watch(SpendingPlan.of(limits))
        self.shadows = Watch(SpendingPlan.of_shadows(limits))
        self.cost, self.seconds = Contrast(), Contrast()
        self.shown = self.held_out = self.same = self.differing = self.both = 0

    def add(self, trial: Trial) -> None:
        """Take one draw in."""
        if trial.shadow == SAME:
            self.same += 1
        elif trial.shadow is not None:
            self.differing += 1
            self.both += trial.other is not None
            if trial.success is not None:
                self.shadows.add(trial.shown, trial.chance, trial.success, trial.other)
        else:
            self._add_unseen(trial)

    def _add_unseen(self, trial: Trial) -> None:
        if trial.shown:
            self.shown += 1
        else:
            self.held_out += 1
        self.cost.add(trial.shown, trial.chance, trial.cost)
        self.seconds.add(trial.shown, trial.chance, trial.seconds)
        if trial.success is not None:
            self.watch.add(trial.shown, trial.chance, trial.success)

    def chance(self) -> float:
        """How often the lesson is to be shown, by how likely it is to help, within the limits."""
        limits = self.limits
        scores = (self.watch.success, self.shadows.success)
        believed = belief(sum(one.score for one in scores), sum(one.variance for one in scores))
        drawn = limits.young + believed - 0.5
        return round(min(max(drawn, limits.least), 1 - limits.least) * _STEPS) / _STEPS


def weighed(memory: Memory, draws: Draws) -> LessonEvidence:
    """What the exam and the draws of a lesson say."""
    watch = draws.watch
    success = watch.success
    shown, held_out = success.means()
    effect = success.interval()
    decision, crossing = _decision(memory, draws)
    return LessonEvidence(
        lesson_id=memory.id,
        type=memory.type,
        summary=memory.summary,
        state=state_of(memory),
        exam=exam_of(memory),
        shadows=_shadows(draws),
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
        marks=_marks(watch),
        decision=decision,
        bound=crossing and crossing.bound,
        standing=crossing and crossing.look.standing,
        chance=draws.chance(),
        why=reason_of(memory),
    )


def _shadows(draws: Draws) -> Shadows:
    watch = draws.shadows
    success = watch.success
    return Shadows(
        same=draws.same,
        differing=draws.differing,
        judged=success.shown + success.held,
        both=draws.both,
        effect=success.interval(),
        progress=watch.showings / watch.plan.horizon,
        marks=_marks(watch),
    )


def _marks(watch: Watch) -> tuple[Mark, ...]:
    return tuple(
        Mark(showings=look.showings, standing=look.standing, information=look.variance)
        for look in watch.looks
    )


def path_of(one: LessonEvidence, limits: TrialSettings) -> list[tuple[Mark, float]]:
    """The looks at shadows where there were any, else at draws; each with what the standing had to reach, either way."""
    seen = bool(one.shadows.marks)
    marks = one.shadows.marks if seen else one.marks
    plan = SpendingPlan.of_shadows(limits) if seen else SpendingPlan.of(limits)
    bounds = Bounds()
    return [(mark, bounds.at_next(mark.information, plan.spent(mark.showings))) for mark in marks]


def _decision(memory: Memory, draws: Draws) -> tuple[EvidenceDecision, Crossing | None]:
    """What somebody with a say stands behind is in force until they take it back."""
    if not is_shown(memory) or (is_found_out(memory) and not is_on_trial(memory)):
        return EvidenceDecision.WAIT, None
    decision = decided(draws, promoted=stage_of(memory) is not Stage.CANDIDATE)
    harm = decision is EvidenceDecision.RETIRE
    return decision, None if decision is EvidenceDecision.WAIT else next(
        _crossings(draws, harm=harm)
    )


def decided(draws: Draws, *, promoted: bool) -> EvidenceDecision:
    """What the draws of a lesson come to; harm goes before help: one that helped once may do harm by now."""
    if next(_crossings(draws, harm=True), None):
        return EvidenceDecision.RETIRE
    if not promoted and next(_crossings(draws, harm=False), None):
        return EvidenceDecision.PROMOTE
    return EvidenceDecision.WAIT


def _crossings(draws: Draws, *, harm: bool) -> Iterator[Crossing]:
    for watch in (draws.shadows, draws.watch):
        if found := watch.harms() if harm else watch.helps():
            yield found
