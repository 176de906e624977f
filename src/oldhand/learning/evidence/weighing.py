"""The look at all lessons of a clone: what the evidence is, and what is done about it.

Nothing is kept but the decisions: everything else is derived anew from the draws and the feedback log, so that votes
that came late, or were changed, count.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from oldhand.errors import OldhandError, UnknownMemory
from oldhand.learning.evidence.spending import Plan
from oldhand.learning.evidence.starts import trials_start
from oldhand.learning.evidence.watch import Watch
from oldhand.learning.evidence.weighed import Decision, Draws, LessonEvidence, weighed
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.ports import Clock
from oldhand.record.stage import Stage, at_stage
from oldhand.record.trial import Trial
from oldhand.settings import TrialSettings
from oldhand.store import Store

logger = logging.getLogger(__name__)

_STAGES = {Decision.PROMOTE: Stage.TRUSTED, Decision.RETIRE: Stage.RETIRED}


class Decided(NamedTuple):
    """A lesson whose stage is to change."""

    memory: Memory
    """As it is to be: a new version that holds the numbers behind it."""
    evidence: LessonEvidence


def breaks_nothing(memory: Memory) -> tuple[()]:  # noqa: ARG001
    """For a clone without specs."""
    return ()


@dataclass(frozen=True)
class Weighing:
    """Weighs the evidence for the lessons of one clone. Methods block."""

    clone_id: str
    store: Store
    limits: TrialSettings
    clock: Clock
    breaks: Callable[[Memory], Sequence[object]] = breaks_nothing
    """The specs that a lesson breaks: where there are any, it is not promoted."""

    def evidence(self, lesson_id: str | None = None) -> tuple[LessonEvidence, ...]:
        """The evidence for each lesson that was ever on trial, or for one; the most telling first.

        Those that were forgotten since are left out.
        """
        plan = Plan.of(self.limits)
        found: dict[str, _Known | None] = {}

        def take(trial: Trial) -> None:
            if trial.lesson_id not in found:
                found[trial.lesson_id] = self._known(trial.lesson_id, plan)
            known = found[trial.lesson_id]
            if known is not None and trial.at >= known.since:
                known.draws.add(trial)

        self.store.trials.each(self.clone_id, take, lesson_id=lesson_id)
        all_known = [weighed(one.memory, one.draws) for one in found.values() if one is not None]
        return tuple(sorted(all_known, key=_told, reverse=True))

    def weigh(self) -> tuple[Decided, ...]:
        """The lessons that are to be promoted or retired; changes nothing yet."""
        decided: list[Decided] = []
        for one in self.evidence():
            stage = _STAGES.get(one.decision)
            # Prompts are chosen among their versions, which is the matter of their own trial.
            if stage is None or one.type is MemoryType.PROMPT:
                continue
            memory = self.store.memory(self.clone_id, one.lesson_id)
            if stage is Stage.TRUSTED and self._held_back(memory):
                continue
            decided.append(Decided(_with_numbers(at_stage(memory, stage), one, self.clock), one))
        return tuple(decided)

    def decide(self) -> tuple[Decided, ...]:
        """Promote what has been found to help, and retire what has been found to do harm."""
        with self.store.learning(self.clone_id):
            decided = self.weigh()
            self.carry_out(decided)
        return decided

    def _held_back(self, memory: Memory) -> bool:
        """Whether it would break a spec; also while nobody can tell, because a model or a database can't be reached."""
        try:
            broken = self.breaks(memory)
        except OldhandError as error:
            logger.warning("lesson_waits: %s: %s: %s", memory.id, type(error).__name__, error)
            return True
        if broken:
            logger.info("lesson_held_back: %s would break a spec", memory.id)
        return bool(broken)

    def carry_out(self, decided: Sequence[Decided]) -> None:
        """Save what was decided as new versions of the lessons, and log each; `decide` keeps other learners out."""
        self.store.save_memories(self.clone_id, [one.memory for one in decided])
        for one in decided:
            effect, known = one.evidence.effect, one.evidence
            logger.info(
                "lesson_%s: %s, effect %s after %d answers with it and %d without",
                _STAGES[known.decision], known.lesson_id, effect, known.judged_shown, known.judged_held_out,
            )  # fmt: skip

    def _known(self, lesson_id: str, plan: Plan) -> "_Known | None":
        try:
            versions = self.store.memory_versions(self.clone_id, lesson_id)
        except UnknownMemory:
            return None
        if versions[-1].forgotten_at is not None:
            return None
        return _Known(versions[-1].memory, trials_start(versions), Draws(Watch(plan)))


class _Known(NamedTuple):
    memory: Memory
    since: datetime
    draws: Draws


def _told(one: LessonEvidence) -> tuple[bool, float, str]:
    """Decisions first, then by how much is known."""
    return (one.decision is not Decision.WAIT, one.progress, one.lesson_id)


def _with_numbers(memory: Memory, evidence: LessonEvidence, clock: Clock) -> Memory:
    """The memory with what its trial has shown."""
    told = evidence.model_dump(
        mode="json",
        include={
            "shown", "held_out", "judged_shown", "judged_held_out", "success_shown", "success_held_out", "effect",
            "standing", "bound",
        },
    )  # fmt: skip
    trial = {"decided": evidence.decision.value, "at": clock.now().isoformat(), **told}
    return memory.model_copy(update={"payload": memory.payload.model_copy(update={"trial": trial})})
