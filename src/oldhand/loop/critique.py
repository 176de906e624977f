"""What people say about an answer: feedback, with a role that is looked up, never claimed; then what it teaches.

Feedback is on the disk before anything is learned from it. Learning that fails, or is interrupted, loses nothing: it
is derived from the log, by the next feedback on the same question at the latest.
"""

import asyncio
from dataclasses import dataclass

from oldhand.errors import UsageError
from oldhand.errors.mishaps import Mishap, Mishaps
from oldhand.learning.learner import Learner
from oldhand.learning.notes import is_taken_back
from oldhand.loop.people import People
from oldhand.record.base import checked_name
from oldhand.record.feedback import CONFIRMS, Feedback
from oldhand.record.ports import Clock, NewId
from oldhand.record.receipt import Receipt
from oldhand.store import Store


@dataclass(frozen=True)
class Said:
    """What somebody says about an answer."""

    rater: str
    rating: int | None = None
    text: str | None = None
    correction: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Critique:
    """Takes feedback, makes it durable, and learns from it."""

    clone_id: str
    store: Store
    people: People
    learner: Learner
    mishaps: Mishaps
    clock: Clock
    new_id: NewId

    async def give(self, episode_id: str, said: Said) -> Receipt:
        """Record one signal on one episode, and learn from it; the signal is on disk when this returns."""
        if said.rating not in (None, -1, 0, 1):
            raise UsageError(f"A rating is +1, 0 or -1, not {said.rating!r}.")
        if said.rating is None and not (
            _filled(said.text) or _filled(said.correction) or any(map(_filled, said.tags))
        ):
            raise UsageError("Feedback says something: a rating, a text, a correction or tags.")
        checked_name(said.rater)
        return await asyncio.to_thread(self._give, episode_id, said)

    def _give(self, episode_id: str, said: Said) -> Receipt:
        feedback = self._recorded(episode_id, said)
        learned = self.mishaps.spared("learning", lambda: self.learner.learn(feedback))
        if isinstance(learned, Mishap):
            note = f"The feedback is kept, but learning from it failed: {learned.error}"
            return Receipt(**dict(feedback), note=note)
        return Receipt(
            **dict(feedback),
            learned=tuple(one for one in learned.saved if not is_taken_back(one)),
            withdrawn=learned.withdrawn,
            note=learned.note,
        )

    def _recorded(self, episode_id: str, said: Said) -> Feedback:
        episode = self.store.episode(self.clone_id, episode_id)
        tags = [one for one in said.tags if _filled(one) and one != CONFIRMS]
        if self.learner.cases.corrections.repeated(episode, said.correction or "") is not None:
            tags.append(CONFIRMS)
        feedback = Feedback(
            id=self.new_id(),
            clone_id=self.clone_id,
            episode_id=episode.id,
            rater=said.rater,
            source=self.people.role(said.rater),
            created_at=self.clock.now(),
            rating=said.rating,
            text=_filled(said.text),
            correction=_filled(said.correction),
            tags=tuple(tags),
        )
        self.store.add_feedback(feedback)
        return feedback


def _filled(text: str | None) -> str | None:
    """The text, unless nothing stands in it that can be seen."""
    return text if text and any(one.isprintable() and one != " " for one in text) else None
