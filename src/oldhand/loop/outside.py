"""Recall and recording for agents that are not ours: they work their own way, and learn here.

Invariant: what such an agent was told for a question is kept with its answer, drawn like any other, so that every later word
on the answer credits it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from oldhand.agent.analysis.lesson_text import lessons_text
from oldhand.errors import UsageError
from oldhand.loop.ground import LoopPart
from oldhand.loop.recalling import Considered, Recalling
from oldhand.record.answer import Answer, Outcome
from oldhand.record.base import Record, checked_name, checked_question
from oldhand.record.episode import Episode
from oldhand.record.lesson import Lesson
from oldhand.record.usage import LedgerEntry

_WAITING = 1_000
"""Recalls that are kept until their answers are recorded."""


class Recollected(Record):
    """What was learned that fits a question."""

    recall_id: str
    """Give it back with the answer."""
    text: str
    """The lessons as a prompt shows them, fenced as data; empty when there are none."""
    lessons: tuple[Lesson, ...] = ()


@dataclass(frozen=True)
class OutsideAgents(LoopPart):
    """What agents written elsewhere can do in one clone."""

    recalling: Recalling
    waiting: dict[str, Considered] = field(default_factory=dict[str, Considered])
    """What was recalled for answers that are not recorded yet."""

    async def recall(self, question: str, user: str, databases: Sequence[str]) -> Recollected:
        """The lessons that fit a question."""
        checked_question(question)
        found = await asyncio.to_thread(
            self.recalling.consider, question, checked_name(user), databases
        )
        recall_id = self.new_id()
        while len(self.waiting) >= _WAITING:
            self.waiting.pop(next(iter(self.waiting)))
        self.waiting[recall_id] = found
        shown = found.shown
        return Recollected(recall_id=recall_id, text=lessons_text(shown), lessons=shown)

    async def record(
        self,
        answer: Answer,
        user: str,
        tools: Sequence[str],
        recall_id: str | None,
        entries: tuple[LedgerEntry, ...] = (),
    ) -> str:
        """Keep a question and its answer as an episode; feedback can be given on it from now on.

        Raises:
            UsageError: nothing was recalled under this id, or its answer is recorded already.
        """
        considered = Considered()
        if recall_id is not None:
            if recall_id not in self.waiting:
                raise UsageError("Nothing waits under this id: recall again, or leave it out.")
            considered = self.waiting.pop(recall_id)
        episode = Episode.of(
            answer, self.clone_id, checked_name(user), self.clock.now(), tools, entries
        )
        recollection = considered.recollection(episode.id, None)
        await asyncio.to_thread(self.store.record_episode, episode, recollection)
        return episode.id

    def answered(
        self, question: str, text: str, *, model: str, succeeded: bool, session_id: str | None
    ) -> Answer:
        """The answer of an agent, in the form of every other."""
        return Answer(
            episode_id=self.new_id(),
            question=checked_question(question),
            outcome=Outcome.ANSWERED if succeeded else Outcome.FAILED,
            text=text,
            confidence=None,
            model=model,
            seconds=0.0,
            session_id=session_id or self.new_id(),
        )
