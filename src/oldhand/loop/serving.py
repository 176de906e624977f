"""Conversations as requests bring them: whole, with what is said of the answer before."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from oldhand.agent.analysis.lesson_text import lessons_text
from oldhand.errors import UsageError
from oldhand.loop.critique import FeedbackIntake, Said
from oldhand.loop.ground import LoopPart
from oldhand.loop.recalling import Considered, Recalling
from oldhand.loop.routing import Answering, RoutedQuestion
from oldhand.record.answer import Answer, Outcome
from oldhand.record.base import Record, checked_name, checked_question
from oldhand.record.episode import Episode, Message
from oldhand.record.lesson import Lesson
from oldhand.record.ports import Observer
from oldhand.record.route import CheckedContext, SaidBefore
from oldhand.record.usage import LedgerEntry

_LOOKED_AT = 50
"""Latest answers to a user among which the one is looked for that a conversation goes on from."""
_WAITING = 1_000
"""Recalls that are kept until their answers are recorded."""


@dataclass(frozen=True)
class Serving(LoopPart):
    """Answers requests for one clone."""

    answering: Answering
    critique: FeedbackIntake

    async def route(
        self,
        messages: Sequence[Message],
        known: CheckedContext,
        said: SaidBefore | None = None,
        observe: Observer | None = None,
    ) -> Answer:
        """Answer the last message; before that, note what is said of the answer before.

        Without a session, the conversation goes on from the answer that stands in its messages.

        Raises:
            UsageError: something is said, but there is no answer that it could be about.
            OldhandError: as `Turn.ask`.
        """
        before = await asyncio.to_thread(self._before, messages, known)
        if said is not None:
            rated = before
            if rated is None and known.session_id is None:
                rated = next(iter(await asyncio.to_thread(self._episodes, known, 1)), None)
            if rated is None:
                raise UsageError(f"{known.user} has no answer yet that could be rated.")
            await self.critique.give(rated.id, Said(known.user, said.rating, said.detail))
        session = known.session_id or (None if before is None else before.session_id)
        asked = known._replace(session_id=session)._asdict()
        return await self.answering.answer(RoutedQuestion(messages[-1].content, **asked), observe)

    def _before(self, messages: Sequence[Message], known: CheckedContext) -> Episode | None:
        """The answer that the conversation goes on from."""
        if known.session_id is not None:
            return next(iter(self._episodes(known, 1, known.session_id)), None)
        said = [one.content for one in messages if one.role in {"user", "assistant"}]
        if len(said) < 3:
            return None
        question, answer = said[-3], said[-2]
        for one in self._episodes(known, _LOOKED_AT):
            # Below an answer there may be rows, and what people have said meanwhile.
            if one.answer.question == question and answer.startswith(one.answer.text):
                return one
        return None

    def _episodes(
        self, known: CheckedContext, limit: int, session_id: str | None = None
    ) -> tuple[Episode, ...]:
        return self.store.episodes(
            self.clone_id, user_id=known.user, session_id=session_id, limit=limit
        )


# Recall and recording for agents that are not ours: they work their own way, and learn here.
#
# Invariant: what such an agent was told for a question is kept with its answer, drawn like any other, so that every later word
# on the answer credits it.
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
