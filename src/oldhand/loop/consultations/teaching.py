"""What people reply is learned from by the same ways as all other words of theirs: as feedback on the answer that it is about.

Invariant: a reply is learned from once, also when the process dies in between: the feedback carries the consultation's id.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from oldhand.loop.critique import FeedbackIntake
from oldhand.record.answer import Answer, Outcome
from oldhand.record.consultation import Consultation, ExpertAsk
from oldhand.record.episode import Episode
from oldhand.record.feedback import Said
from oldhand.store import Store

PEOPLE = "people"
"""The mind of an answer that only people gave."""


@dataclass(frozen=True)
class ConsultationTeaching:
    """Learns from replies in one clone."""

    clone_id: str
    store: Store
    critique: Callable[[], FeedbackIntake]

    async def learn(self, one: Consultation, part: ExpertAsk) -> None:
        """Take a reply up as what would have been right."""
        tag = f"consultation-{one.id}"
        episode = await asyncio.to_thread(self._episode, one)
        given = await asyncio.to_thread(self.store.feedback_on, self.clone_id, episode.id)
        if any(tag in it.tags and it.rater == part.expert for it in given):
            return
        reply = part.reply or ""
        proposed = episode.answer.outcome is Outcome.PROPOSED and one.wanted.choices
        if proposed and reply == one.wanted.choices[0]:
            said = Said(part.expert, 1, tags=(tag,))
        else:
            said = Said(part.expert, -1, correction=reply, tags=(tag,))
        await self.critique().give(episode.id, said, foresees=False)

    def _episode(self, one: Consultation) -> Episode:
        """The answer that it is about; where there is none, the question to people itself, without an answer yet."""
        if one.episode_id is not None:
            return self.store.episode(self.clone_id, one.episode_id)
        known = self.store.episodes_called(self.clone_id, [one.id]).get(one.id)
        if known is not None:
            return known
        answer = Answer(
            episode_id=one.id,
            question=one.question,
            outcome=Outcome.ABSTAINED,
            text="People were asked.",
            notes=(one.names,),
            confidence=0.0,
            model=PEOPLE,
            seconds=0.0,
            session_id=one.id,
        )
        episode = Episode.of(answer, self.clone_id, one.asked_by, one.asked_at, ())
        self.store.record_episode(episode, None)
        return episode
