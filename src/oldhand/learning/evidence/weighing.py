"""The look at all lessons of a clone: what the evidence is, and what is done about it.

Nothing is kept but the decisions: everything else is derived anew from the draws and the feedback log, so that votes
that came late, or were changed, count.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

from oldhand.errors import OldhandError, UnknownMemory
from oldhand.learning.evidence.exam_results import ExamResult, exam_of
from oldhand.learning.evidence.holding_out import kept_chance
from oldhand.learning.evidence.weighed import Draws, EvidenceDecision, LessonEvidence, weighed
from oldhand.learning.lifecycle.quarantine import EXAM
from oldhand.record.episode import SAME
from oldhand.record.memory import CORRECTED, ExamplePayload, Memory, MemoryType
from oldhand.record.ports import Clock
from oldhand.record.stage import LESSONS, Stage, at_stage, is_on_trial, is_shown
from oldhand.record.trial import Trial
from oldhand.settings import TrialSettings
from oldhand.store import MemoryVersion, Store
from oldhand.store.journal.lines import payload_fields

_SAYS: dict[MemoryType, tuple[str, ...]] = {
    MemoryType.SEMANTIC: ("rule", "applies_when"),
    MemoryType.PROMPT: ("text",),
    MemoryType.CHECKLIST: ("step", "examples"),
    MemoryType.PREFERENCE: ("key", "value"),
    MemoryType.BUG_FIX: ("failure", "root_cause", "fix"),
    MemoryType.ISSUE: ("issue", "sql_query"),
}
"""What a mind gets to read of each type; what else changes, such as its evidence, makes no other lesson of it."""

ALWAYS = datetime.min.replace(tzinfo=UTC)


def trials_start(versions: Sequence[MemoryVersion]) -> datetime:
    """When a lesson got its present words and effect, or was restored after that: earlier trials don't count."""
    start = ALWAYS
    for before, after in pairwise(versions):
        came_back = _is_there(after) and not _is_there(before)
        if came_back or says_of(before.memory) != says_of(after.memory):
            start = after.saved_at
    return start


def _is_there(version: MemoryVersion) -> bool:
    return version.forgotten_at is None and is_shown(version.memory)


def says_of(memory: Memory) -> tuple[object, ...]:
    """What a mind gets to read or carry out of a memory, for comparing."""
    fields = payload_fields(memory)
    return (memory.effect, *(fields.get(name) for name in _SAYS.get(memory.type, ())))


logger = logging.getLogger(__name__)

_STAGES = {EvidenceDecision.PROMOTE: Stage.TRUSTED, EvidenceDecision.RETIRE: Stage.RETIRED}


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
    exam: Callable[[Memory], ExamResult | None] = lambda _memory: None

    def evidence(
        self, lesson_id: str | None = None, *, among: Sequence[Memory] | None = None
    ) -> tuple[LessonEvidence, ...]:
        """The evidence for each lesson that was ever examined or on trial, or for one, or for those `among` some; the most telling first.

        Those that were forgotten since are left out.
        """
        found: dict[str, _Known | None] = {}
        right = self._right_rows()
        lessons = None if among is None else {one.id for one in among}
        only = lessons if lesson_id is None else {lesson_id}
        alone = next(iter(only)) if only is not None and len(only) == 1 else None

        def take(trial: Trial) -> None:
            if only is not None and trial.lesson_id not in only:
                return
            if trial.lesson_id not in found:
                found[trial.lesson_id] = self._known(trial.lesson_id)
            known = found[trial.lesson_id]
            if known is not None and trial.at >= known.since:
                known.draws.add(_with_shadow(trial, right.get(trial.episode_id)))

        self.store.trials.each(self.clone_id, take, lesson_id=alone)
        for memory in self._examined() if among is None else among:
            if (only is None or memory.id in only) and exam_of(memory) is not None:
                found.setdefault(memory.id, _Known(memory, memory.created_at, Draws(self.limits)))
        there = [one for one in found.values() if one is not None]
        all_known = [weighed(one.memory, one.draws) for one in there]
        return tuple(sorted(all_known, key=_told, reverse=True))

    def looked_at(self, memory_id: str) -> LessonEvidence:
        """The evidence for one memory of whatever kind, which takes its exam now where none is kept with it."""
        memory = self.store.memory(self.clone_id, memory_id)
        known = next(iter(self.evidence(memory_id)), weighed(memory, Draws(self.limits)))
        exam = known.exam or self.exam(memory)
        return known.model_copy(update={"exam": exam})

    def _examined(self) -> Iterator[Memory]:
        """The lessons that may have had an exam, without reading all others."""
        for kind in LESSONS:
            yield from self.store.memories(self.clone_id, type=kind, field=EXAM, limit=None)

    def weigh(self) -> tuple[Decided, ...]:
        """The lessons that are to be promoted or retired, and those whose chance moves; changes nothing yet."""
        decided: list[Decided] = []
        for one in self.evidence():
            stage = _STAGES.get(one.decision)
            # Prompts are chosen among their versions, which is the matter of their own trial.
            if one.type is MemoryType.PROMPT:
                continue
            memory = self.store.memory(self.clone_id, one.lesson_id)
            if stage is None:
                if is_on_trial(memory) and one.chance != (kept_chance(memory) or self.limits.young):
                    decided.append(Decided(_with_numbers(memory, one, self.clock), one))
            elif stage is not Stage.TRUSTED or not self._held_back(memory):
                staged = at_stage(memory, stage)
                decided.append(Decided(_with_numbers(staged, one, self.clock), one))
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
            known = one.evidence
            if known.decision is EvidenceDecision.WAIT:
                continue
            logger.info(
                "lesson_%s: %s, effect %s after %d answers with it and %d without; of %d that it changed %s",
                _STAGES[known.decision], known.lesson_id, known.effect, known.judged_shown, known.judged_held_out,
                known.shadows.judged, known.shadows.effect,
            )  # fmt: skip

    def _right_rows(self) -> dict[str, str]:
        """What would have been the right rows of corrected answers, as digests by episode."""
        corrected = self.store.memories(
            self.clone_id, type=MemoryType.EXAMPLE, tag=CORRECTED, limit=None
        )
        return {
            episode_id: one.payload.rows
            for one in corrected
            if isinstance(one.payload, ExamplePayload) and one.payload.rows is not None
            for episode_id in one.provenance.episode_ids
        }

    def _known(self, lesson_id: str) -> "_Known | None":
        try:
            versions = self.store.memory_versions(self.clone_id, lesson_id)
        except UnknownMemory:
            return None
        if versions[-1].forgotten_at is not None:
            return None
        return _Known(versions[-1].memory, trials_start(versions), Draws(self.limits))


def _with_shadow(trial: Trial, right: str | None) -> Trial:
    """The draw with how its shadow would have gone.

    No two different results are right: when the shown one was, the other was wrong; a correction tells of both.
    """
    if trial.shadow in (None, SAME) or trial.success is None:
        return trial
    if right is not None and trial.success < 1:
        return trial._replace(other=float(trial.shadow == right))
    return trial._replace(other=0.0) if trial.success == 1 else trial


class _Known(NamedTuple):
    memory: Memory
    since: datetime
    draws: Draws


def _told(one: LessonEvidence) -> tuple[bool, float, str]:
    """Decisions first, then by how much is known."""
    return (
        one.decision is not EvidenceDecision.WAIT,
        max(one.progress, one.shadows.progress),
        one.lesson_id,
    )


def _with_numbers(memory: Memory, evidence: LessonEvidence, clock: Clock) -> Memory:
    """The memory with what its trial has shown."""
    told = evidence.model_dump(
        mode="json",
        include={
            "shown", "held_out", "judged_shown", "judged_held_out", "success_shown", "success_held_out", "effect",
            "standing", "bound", "chance", "shadows",
        },
    )  # fmt: skip
    trial = {"decided": evidence.decision.value, "at": clock.now().isoformat(), **told}
    return memory.model_copy(update={"payload": memory.payload.model_copy(update={"trial": trial})})
