"""What people say about an answer: feedback, with a role that is looked up, never claimed."""

import asyncio
from dataclasses import dataclass

from oldhand.errors import UsageError
from oldhand.loop.people import People
from oldhand.record.base import checked_name
from oldhand.record.feedback import Feedback
from oldhand.record.ports import Clock, NewId
from oldhand.store import Store


@dataclass(frozen=True)
class Critique:
    """Takes feedback and makes it durable."""

    clone_id: str
    store: Store
    people: People
    clock: Clock
    new_id: NewId

    async def give(
        self,
        episode_id: str,
        *,
        rating: int | None,
        text: str | None,
        correction: str | None,
        rater: str,
        tags: tuple[str, ...],
    ) -> Feedback:
        """Record one signal on one episode; it is on disk when this returns."""
        if rating not in (None, -1, 0, 1):
            raise UsageError(f"A rating is +1, 0 or -1, not {rating!r}.")
        if rating is None and not (text or correction or tags):
            raise UsageError("Feedback says something: a rating, a text, a correction or tags.")
        return await asyncio.to_thread(
            self._record, episode_id, rating, text, correction, checked_name(rater), tags
        )

    def _record(
        self,
        episode_id: str,
        rating: int | None,
        text: str | None,
        correction: str | None,
        rater: str,
        tags: tuple[str, ...],
    ) -> Feedback:
        episode = self.store.episode(self.clone_id, episode_id)
        feedback = Feedback(
            id=self.new_id(),
            clone_id=self.clone_id,
            episode_id=episode.id,
            rater=rater,
            source=self.people.role(rater),
            created_at=self.clock.now(),
            rating=rating,
            text=text,
            correction=correction,
            tags=tags,
        )
        self.store.add_feedback(feedback)
        return feedback
