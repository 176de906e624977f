"""Exams at night: every lesson in use is examined again when more has been confirmed."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from oldhand.errors import OldhandError
from oldhand.learning.evidence.exam_results import exam_of, faults_in
from oldhand.learning.lifecycle.quarantine import set_aside
from oldhand.learning.regression.exam import Exam
from oldhand.loop.rehearsing import Rehearsal
from oldhand.models import LanguageModel
from oldhand.record.answer import Outcome
from oldhand.record.base import Row
from oldhand.record.episode import SAME, Message
from oldhand.record.memory import NOTES, Memory, MemoryType
from oldhand.record.rehearsal import RehearsalSetup
from oldhand.record.row_digest import rows_digest
from oldhand.record.stage import LESSONS, SUGGESTION, is_on_trial, is_shown
from oldhand.store import Store

logger = logging.getLogger(__name__)

_NO_LESSONS = NOTES | {SUGGESTION}
"""Tags of what is kept as a memory of those types, and is nothing for a mind to read."""


@dataclass(frozen=True)
class RehearsedExaminee:
    """Answers the questions of exams by rehearsals. Methods block: they are asked in a thread."""

    rehearsal: Rehearsal
    lms: Sequence[LanguageModel]

    @property
    def foresees(self) -> bool:
        """False for a language model."""
        return self.rehearsal.turn.mind.foresees

    def foreseen(self, question: str, setup: RehearsalSetup) -> object:
        """What would be asked."""
        read = asyncio.run(self.rehearsal.foreseen(question, setup))
        return read.verdict, read.query

    def rows(self, question: str, setup: RehearsalSetup) -> tuple[Row, ...] | None:
        """The rows of the answer."""
        return asyncio.run(self._answered(question, setup))

    async def _answered(self, question: str, setup: RehearsalSetup) -> tuple[Row, ...] | None:
        asked = (Message(role="user", content=question),)
        try:
            response = await self.rehearsal.answer(asked, trial=setup)
        finally:
            for lm in self.lms:
                await lm.aclose()  # of this loop's connections only
        given = response.outcome is Outcome.ANSWERED and bool(response.steps)
        return response.rows if given and not response.truncated else None


@dataclass(frozen=True)
class Examining:
    """Examines the lessons of one clone. Methods block."""

    clone_id: str
    store: Store
    exam: Exam
    shadows: int = 0
    """Answers of a language model that are given again in one night, with the opposite draw of a lesson."""

    def examine(self, *, go_on: Callable[[], bool]) -> Iterator[Memory]:
        """Examine anew what has not been since something was confirmed; gives the lessons that are set aside for it.

        What nobody with a say stands behind is set aside when it breaks a confirmed answer; all else only says so.
        """
        newest = self.store.memories(self.clone_id, type=MemoryType.EXAMPLE, limit=1)
        for kind in LESSONS if newest else ():
            for lesson in self.store.memories(self.clone_id, type=kind, limit=None):
                if not go_on():
                    return
                known = exam_of(lesson)
                is_known = known is not None and known.at >= newest[0].created_at
                if is_known or lesson.word is not None or not is_shown(lesson):
                    continue
                if not _NO_LESSONS.isdisjoint(lesson.tags):
                    continue
                if (after := self._after(self.exam.examined(lesson))) != lesson:
                    self._save(lesson, after)
                    if not is_shown(after):
                        yield after

    def shadow(self, *, go_on: Callable[[], bool]) -> int:
        """Answer again with the opposite draw what a language model answered, as far as that is paid for; says how often.

        Only questions that stand alone: what came before them may have been answered otherwise by now.
        """
        looked = 0
        for episode_id, lesson_id in self.store.trials.unseen(self.clone_id, self.shadows):
            if not go_on():
                break
            try:
                shadow = self._shadow_of(episode_id, lesson_id)
            except OldhandError as error:
                logger.warning("shadow_fails: %s: %s", type(error).__name__, error)
                break  # a model that does not answer now will not answer the next one
            if shadow is not None:
                self.store.trials.note_shadow(self.clone_id, episode_id, lesson_id, shadow)
                looked += 1
        return looked

    def _shadow_of(self, episode_id: str, lesson_id: str) -> str | None:
        """A digest of what the opposite draw gives, the other lessons as they were."""
        answer = self.store.episode(self.clone_id, episode_id).answer
        recollection = self.store.recollection(self.clone_id, episode_id)
        if answer.standalone != answer.question or answer.truncated or recollection is None:
            return None
        lessons = [one for one in recollection.items if one.kind == "memory"]
        turned = {one.item_id: one.shown is not (one.item_id == lesson_id) for one in lessons}
        there = self.store.lessons.kept(
            self.clone_id, [one for one, shown in turned.items() if shown]
        )
        shown = [one.memory for one in there.values() if not one.forgotten]
        hidden = frozenset(one for one, is_shown_now in turned.items() if not is_shown_now)
        setup = RehearsalSetup(tuple(shown), hidden)
        rows = self.exam.examinee.rows(answer.question, setup)
        if rows is None:
            return None
        other = rows_digest(rows)
        return SAME if other == rows_digest(answer.rows) else other

    def _after(self, lesson: Memory) -> Memory:
        result = exam_of(lesson)
        if result is None or not result.broken or not is_on_trial(lesson):
            return lesson
        fault = faults_in(result)[0]
        return set_aside(lesson, f"{fault[:1].upper()}{fault[1:]}.")

    def _save(self, before: Memory, after: Memory) -> None:
        with self.store.learning(self.clone_id):
            if self.store.memory(self.clone_id, before.id) == before:
                self.store.save_memory(after)
