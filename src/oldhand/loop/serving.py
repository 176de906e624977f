"""Conversations as requests bring them: whole, with what is said of the answer before."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.errors import UsageError
from oldhand.loop.critique import FeedbackIntake, Said
from oldhand.loop.ground import LoopPart
from oldhand.loop.routing import Answering, RoutedQuestion
from oldhand.record.answer import Answer
from oldhand.record.episode import Episode, Message
from oldhand.record.ports import Observer
from oldhand.record.route import CheckedContext, SaidBefore

_LOOKED_AT = 50
"""Latest answers to a user among which the one is looked for that a conversation goes on from."""


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
