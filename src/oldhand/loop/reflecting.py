"""Looking back on answers: what waits in the store is taken up one by one, and what was found is saved.

Invariant: an answer waits until its reflection is saved. Whatever ends a process, nothing is lost, and no two processes
save a reflection on the same state of one answer.
"""

import asyncio
from dataclasses import dataclass

from oldhand.errors import OldhandError
from oldhand.errors.mishaps import Mishap
from oldhand.learning.reflection import Reflected, Reflectors, depth_of
from oldhand.learning.reflection.lm_reflector import STAGE
from oldhand.learning.reflection.reflection_memory import reflection_id, reflection_memory
from oldhand.loop.ground import LoopPart
from oldhand.record.answer import Outcome
from oldhand.record.feedback import Feedback
from oldhand.record.memory import Memory
from oldhand.record.ports import random_id
from oldhand.record.schema import DatabaseSchema
from oldhand.settings import ReflectionSettings
from oldhand.store.reflection_queue import Claim

RULES_SECONDS = 10.0
"""For how long an answer is held while rules look at it, which takes them milliseconds."""
_PATIENCE = 10
"""Times that an answer is asked for which others are looking at."""
_PAUSE = 0.02
"""Seconds between two of them."""
_MARGIN = 30.0
"""Seconds that a claim outlasts the time of a model."""


@dataclass(frozen=True)
class Reflecting(LoopPart):
    """Looks back on the answers of one clone."""

    reflectors: Reflectors
    settings: ReflectionSettings

    async def run(
        self,
        limit: int | None = None,
        seconds: float | None = None,
        *,
        models: bool = True,
        over: bool = False,
    ) -> tuple[Memory, ...]:
        """Look back on what waits, the longest waiting first; those that only a model has to look at come last.

        It blocks but for what it waits for from a model: let it have an event loop of its own. It can be cancelled
        between two answers and while a model works; the answer then waits on.

        Args:
            limit: answers at most; None for all.
            seconds: after which no further one is begun; None for no end.
            models: False to leave to others what a language model has to look at.
            over: also what the rules of others are at, such as those in the background of this process.

        Returns:
            the reflections that were saved.

        Raises:
            StoreError: the store can't be asked what waits.
        """
        began, saved, me = self.clock.monotonic(), list[Memory](), random_id()
        while limit is None or len(saved) < limit:
            claim = self._claimed(me, models=models, over=over)
            if claim is None:
                break
            if (memory := await self._looked_back(claim)) is not None:
                saved.append(memory)
            if seconds is not None and self.clock.monotonic() - began >= seconds:
                break
            await asyncio.sleep(0)
        return tuple(saved)

    def may_ask_model(self) -> bool:
        """Whether there is a model that looks back, and tokens are left to it today."""
        most = self.settings.daily_tokens
        if self.reflectors.model is None or most is None:
            return self.reflectors.model is not None
        midnight = self.clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
        spent = (
            one.usage.input_tokens + one.usage.output_tokens
            for one in self.store.usage_totals(self.clone_id, midnight)
            if one.stage == STAGE
        )
        return sum(spent) < most

    async def by_rules(self, episode_id: str) -> str:
        """Let rules look back on one answer now, unless somebody else has just done so; gives the reflection's id."""
        for _ in range(_PATIENCE):
            if claim := self._claimed(random_id(), models=False, episode_id=episode_id):
                await self._looked_back(claim)
                break
            await asyncio.sleep(_PAUSE)
        return reflection_id(self.clone_id, episode_id)

    async def foreseen(self, feedback: Feedback) -> Memory:
        """What rules would find if that were said of an answer; nothing is saved."""
        reflected = await asyncio.to_thread(self.read, feedback.episode_id, feedback)
        found = await self.reflectors.rules.reflect(reflected, depth_of(reflected))
        return reflection_memory(reflected, found)

    async def look_back(self, episode_id: str) -> Memory:
        """Look back on one answer now and closely, by the model where there is one.

        Raises:
            UnknownEpisode: there is no such answer.
            StoreError: it could not be read or saved.
        """
        reflected = await asyncio.to_thread(self.read, episode_id)
        mind = self.reflectors.model or self.reflectors.rules
        reflection = await mind.reflect(reflected, depth_of(reflected, wanted=True))
        memory = reflection_memory(reflected, reflection)

        def save() -> None:
            self.store.reflections.wait_again(self.clone_id, reflected.episode.id)
            claim = self._claimed(random_id(), episode_id=reflected.episode.id)
            if claim is None:
                return  # another process is at it, and saves what it finds
            self.store.reflections.finish(self.clone_id, claim, memory, ledger=reflection.ledger)

        await asyncio.to_thread(save)
        return memory

    def read(self, episode_id: str, *said_now: Feedback) -> Reflected:
        """All that is known of one answer, in one state of the store, and what is said now; blocks."""
        with self.store.snapshot():
            episode = self.store.episode(self.clone_id, episode_id)
            said = self.store.feedback_on(self.clone_id, episode.id)
            found = Reflected(
                episode=episode,
                recollection=self.store.recollection(self.clone_id, episode.id),
                evaluations=self.store.evaluations(self.clone_id, episode.id),
                feedback=tuple(one for one in (*said, *said_now) if one.passage is None),
                asker=self.people.role(episode.user_id),
            )
        return found.model_copy(update={"schemas": self._schemas(found)})

    def _schemas(self, reflected: Reflected) -> tuple[DatabaseSchema, ...]:
        """Those of the databases that were asked, where there is something to compare with them; all where none was, and one should have been."""
        answer = reflected.episode.answer
        corrected = any(one.corrects for one in reflected.standing)
        agreed = answer.outcome is Outcome.PROPOSED and any(one.rating == 1 for one in reflected.standing)  # fmt: skip
        if not (corrected or agreed or any(step.failures for step in answer.steps)):
            return ()
        known = dict.fromkeys(entry.name for entry in self.catalog.list())
        steps = dict.fromkeys(step.database for step in answer.steps if step.database in known)
        asked = steps or (known if corrected and not answer.steps else {})
        found: list[DatabaseSchema] = []
        for name in asked:
            try:
                found.append(self.catalog.schema(name))
            except OldhandError:
                continue  # its file is broken, or the database is away: what needs it is left out
        return tuple(found)

    def _claimed(
        self, by: str, *, models: bool = True, over: bool = False, episode_id: str | None = None
    ) -> Claim | None:
        queue, tries = self.store.reflections, self.settings.tries
        claim = queue.claim(
            self.clone_id,
            by,
            seconds=RULES_SECONDS,
            tries=tries,
            models=models and self.may_ask_model(),
            episode_id=episode_id,
        )
        if claim is None and over:
            return queue.take_over(self.clone_id, by, seconds=RULES_SECONDS, tries=tries)
        return claim

    async def _looked_back(self, claim: Claim) -> Memory | None:
        """What was saved; None when it failed, or somebody else has it by now."""
        try:
            done = await self.mishaps.spared_while("reflection", self._saved(claim))
        except asyncio.CancelledError:
            let_go = self.store.reflections.let_go
            self.mishaps.spared("reflection", lambda: let_go(self.clone_id, claim))
            raise
        # What has failed is taken up again when its claim runs out, and not at once.
        return None if isinstance(done, Mishap) else done

    async def _saved(self, claim: Claim) -> Memory | None:
        mind, queue = self.reflectors.rules, self.store.reflections
        if claim.for_model and self.reflectors.model is not None:
            mind = self.reflectors.model
            if not queue.hold(self.clone_id, claim, seconds=self.settings.model_seconds + _MARGIN):
                return None
        reflected = self.read(claim.episode_id)
        depth = depth_of(reflected)
        reflection = await mind.reflect(reflected, depth)
        memory = reflection_memory(reflected, reflection)
        again = depth == "deep" and self.reflectors.model is not None and not claim.for_model
        saved = queue.finish(
            self.clone_id, claim, memory, for_model=again, ledger=reflection.ledger
        )
        return memory if saved else None
