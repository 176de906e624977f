"""Exams at night: every lesson in use is examined again when more has been confirmed."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from oldhand.learning.evidence.exam_results import exam_of
from oldhand.learning.lifecycle.quarantine import set_aside
from oldhand.learning.regression.exam import Exam
from oldhand.loop.rehearsing import Rehearsal, Trial
from oldhand.models import LanguageModel
from oldhand.record.answer import Outcome
from oldhand.record.base import Row
from oldhand.record.episode import Message
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import LESSONS, is_found_out, is_on_trial, is_shown
from oldhand.store import Store

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RehearsedExaminee:
    """Answers the questions of exams by rehearsals. Methods block: they are asked in a thread."""

    rehearsal: Rehearsal
    lms: Sequence[LanguageModel]

    def foreseen(
        self, question: str, shown: Sequence[Memory], hidden: Collection[str]
    ) -> object | None:
        """What would be asked; None for a language model."""
        trial = Trial(tuple(shown), frozenset(hidden))
        read = asyncio.run(self.rehearsal.foreseen(question, trial))
        return None if read is None else (read.verdict, read.query)

    def rows(
        self, question: str, shown: Sequence[Memory], hidden: Collection[str]
    ) -> tuple[Row, ...] | None:
        """The rows of the answer."""
        trial = Trial(tuple(shown), frozenset(hidden))
        return asyncio.run(self._answered(question, trial))

    async def _answered(self, question: str, trial: Trial) -> tuple[Row, ...] | None:
        asked = (Message(role="user", content=question),)
        try:
            response = await self.rehearsal.answer(asked, trial=trial)
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
                if is_known or not is_found_out(lesson) or not is_shown(lesson):
                    continue
                if (after := self._after(self.exam.examined(lesson))) != lesson:
                    self._save(lesson, after)
                    if not is_shown(after):
                        yield after

    def _after(self, lesson: Memory) -> Memory:
        result = exam_of(lesson)
        if result is None or not result.broken or not is_on_trial(lesson):
            return lesson
        return set_aside(lesson, f"It breaks the confirmed answer to {result.broken[0]!r}.")

    def _save(self, before: Memory, after: Memory) -> None:
        with self.store.learning(self.clone_id):
            if self.store.memory(self.clone_id, before.id) == before:
                self.store.save_memory(after)
