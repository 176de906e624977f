"""What an assistant learns, for its people: say what was right, look at what came of it, take it back."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from oldhand.errors import UsageError
from oldhand.face.given import (
    OfAnswer,
    OfMemory,
    episode_id_of,
    memory_id_of,
    memory_state,
    memory_type,
    said_of,
)
from oldhand.face.opened import Opened
from oldhand.learning.evidence import LessonEvidence
from oldhand.learning.routing import Route
from oldhand.loop.memories import Defined, Remembered
from oldhand.loop.night import NightReport
from oldhand.loop.rebuilding import Rebuilt
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.fixing import Fixing, Pick
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.receipt import Receipt
from oldhand.record.why import Why
from oldhand.store import ErasedCounts, RolledBack

_WAIT_SECONDS = 2.0
"""Time for which those who want to see what was found wait for the background."""


class AsyncLearning:
    """The part of `AsyncOldhand` that is about learning."""

    _opened: Opened

    async def feedback(
        self,
        episode_id: OfAnswer,
        *,
        rating: int | None = None,
        text: str | None = None,
        correction: str | None = None,
        rater: str = DEFAULT_USER,
        tags: str | Sequence[str] = (),
    ) -> Receipt:
        """Say how good an answer was; it is on disk when this returns, and learned from.

        Args:
            episode_id: the answer, `answer.episode_id`, or the first characters of that.
            rating: +1, 0 or -1; 0 takes back what the same person said before.
            text: anything about it in words.
            correction: the right answer, or the right SQL; `shop: SELECT …` where several databases could run it.
            rater: who says so; the role is looked up in the clone, and unknown means external.
            tags: words to find it by, such as `too-verbose`; one, or several.

        Returns:
            the feedback with what it has taught: `learned`, `withdrawn`, a `note` when that was nothing, and as
            `consequences` the earlier questions that are answered otherwise now.

        Raises:
            UnknownEpisode: there is no such answer.
            UsageError: nothing was said, or the rating is none of +1, 0, -1.
        """
        said = said_of(rater, rating, text, correction, tags)
        receipt = await self._opened.home.critique.give(episode_id_of(episode_id), said)
        self._opened.home.background.soon()
        return receipt

    async def preview(
        self,
        episode_id: OfAnswer,
        *,
        rating: int | None = None,
        text: str | None = None,
        correction: str | None = None,
        rater: str = DEFAULT_USER,
        tags: str | Sequence[str] = (),
    ) -> Receipt:
        """What `feedback` would teach, and which earlier questions would then be answered otherwise; nothing is changed.

        Raises:
            UnknownEpisode: there is no such answer.
            UsageError: nothing was said, or the rating is none of +1, 0, -1.
        """
        said = said_of(rater, rating, text, correction, tags)
        return await self._opened.home.critique.preview(episode_id_of(episode_id), said)

    async def fixing(self, episode_id: OfAnswer, picked: Sequence[Pick] = ()) -> Fixing:
        """How a question was read, part by part, with what can be picked instead: to put an answer right without SQL.

        Args:
            episode_id: the answer.
            picked: pairs of the number of a part and that of a choice, one after the other, as each listing shows them;
                part 0 stands for the other readings. Nothing is kept before `fix`.

        Returns:
            the parts and readings to pick from, the rows `before`, and the rows `after` all that was picked.

        Raises:
            UnknownEpisode: there is no such answer.
            UsageError: there is nothing to pick from, or no such choice.
        """
        look, found = self._opened.home.putting_right.look, episode_id_of(episode_id)
        return await asyncio.to_thread(look, found, tuple(picked))

    async def fix(
        self, episode_id: OfAnswer, picked: Sequence[Pick], *, rater: str = DEFAULT_USER
    ) -> Receipt:
        """Correct an answer with what was picked, as `feedback` does with SQL.

        Raises:
            UsageError: nothing is picked, or the database does not run what is.
            UnknownEpisode: there is no such answer.
        """
        fixing = await self.fixing(episode_id, picked)
        if fixing.correction is None:
            why = (
                fixing.after.error if fixing.after else "Nothing is picked: look at `fixing` first."
            )
            raise UsageError(why)
        return await self.feedback(episode_id, correction=fixing.correction, rater=rater)

    async def reflect(self, episode_id: OfAnswer) -> Memory:
        """Look back on one answer now, and closely; every answer is looked back on by itself in the background.

        Returns:
            the reflection as it is kept: `payload.learnings`, `payload.root_cause`, `payload.proposals`.

        Raises:
            UnknownEpisode: there is no such answer.
        """
        found = episode_id_of(episode_id)
        await asyncio.to_thread(self._opened.home.background.wait, _WAIT_SECONDS)
        return await self._opened.home.reflecting.look_back(found)

    async def learn(self, *, dry_run: bool = False) -> NightReport:
        """Do the work of a night now: look back on answers, distil lessons, weigh and prune them.

        Args:
            dry_run: only say what would be done.

        Raises:
            StoreError: what was done so far is kept.
        """
        return await (
            self._opened.home.night.rehearse() if dry_run else self._opened.home.night.work()
        )

    async def erase_user(self, user: str, *, dry_run: bool = False) -> ErasedCounts:
        """Erase all that a user asked and said, and all that was learned from it; it can't be undone.

        What rests on the words of others, too, is learned again from these. Only that somebody was erased is noted.

        Args:
            user: whom; not the owner.
            dry_run: only say how much it would be.

        Raises:
            UsageError: the user owns the assistant.
            ErasureIncomplete: something is left, and where.
        """
        if dry_run:
            return await self._opened.home.erasing.plan(user)
        return await self._opened.home.erasing.erase(user)

    async def routes(self) -> tuple[Route, ...]:
        """How each model of the settings does on each kind of question, and the chance that it gets the next one."""
        return await asyncio.to_thread(self._opened.home.chooser.routes)

    async def why(self, episode_id: OfAnswer) -> Why:
        """What an answer rests on: each lesson that was recalled for it, and what that was learned from.

        Raises:
            UnknownEpisode: there is no such answer.
        """
        explaining = self._opened.home.explaining
        return await asyncio.to_thread(explaining.why, episode_id_of(episode_id))

    async def evidence(
        self, lesson_id: OfMemory | None = None, *, decide: bool = False
    ) -> tuple[LessonEvidence, ...]:
        """Whether each lesson that was on trial helps: its effect on right answers, cost and time, with 95 % intervals.

        Args:
            lesson_id: only this one, by id or the first characters of it.
            decide: before that, promote what has been found to help and retire what has been found to do harm.

        Raises:
            UnknownMemory: there is no such lesson.
        """
        chosen = None if lesson_id is None else (await self.memory(lesson_id)).memory.id
        if decide:
            await asyncio.to_thread(self._opened.home.trials.decide)
        return await asyncio.to_thread(self._opened.home.trials.evidence, chosen)

    async def memories(
        self,
        *,
        type: str | None = None,  # noqa: A002
        user: str | None = None,
        text: str | None = None,
        limit: int | None = 100,
        state: str | None = None,
    ) -> tuple[Memory, ...]:
        """What was learned, newest first.

        Args:
            type: only one type, such as `example`; all but episodes and reflections when None.
            user: only this user's; the assistant's own lie under `default`.
            text: only those in which all of these words occur.
            limit: how many at most; None for all.
            state: only those that are `candidate`, `on trial`, `in force`, `waiting` or `retired`.

        Raises:
            UsageError: there is no such type, or no such state.
        """
        wanted = None if state is None else memory_state(state)
        kind = None if type is None else memory_type(type)
        if kind is MemoryType.REFLECTION:
            await asyncio.to_thread(self._opened.home.background.wait, _WAIT_SECONDS)
            await asyncio.to_thread(self._opened.home.background.catch_up, _WAIT_SECONDS)
        return await asyncio.to_thread(
            self._opened.home.memories.all, kind, user, text, limit, wanted
        )

    async def memory(self, memory_id: OfMemory) -> Remembered:
        """One memory with its history and how it fared, by id or the first characters of it.

        Raises:
            UnknownMemory: there is no such memory.
        """
        return await asyncio.to_thread(self._opened.home.memories.one, memory_id_of(memory_id))

    async def forget(self, memory_id: OfMemory) -> Memory:
        """Forget one memory, with all that was said for it so far; people can teach it again.

        Raises:
            UnknownMemory: there is no such memory.
        """
        return await asyncio.to_thread(self._opened.home.memories.forget, memory_id_of(memory_id))

    async def define(self, phrase: str, target: str, *, rater: str = DEFAULT_USER) -> Defined:
        """Say what people mean by a phrase: a table, a column, a value of a column, or a range of them.

        What the phrase meant before in the same database is taken back.

        Args:
            phrase: such as `clients`.
            target: such as `shop.customers`, `shop.customers.tier`, `shop.customers.tier = A1`, `shop.orders.total > 100`,
                or `shop.orders.total between 100 and 200`.
            rater: who says so; only the owner and experts may.

        Returns:
            the word as it is kept, with what it `replaced`, and a `note` when no row holds the value today.

        Raises:
            InvalidAlias: the phrase or target cannot be one, or the person may not say so.
            UnknownTarget: the databases hold no such thing; near names are listed.
        """
        return await self._opened.home.memories.define(phrase, target, rater)

    async def roll_back(
        self, to: datetime | None = None, *, before_feedback: str | None = None
    ) -> RolledBack:
        """Let everything learned be as it was at a moment; answers and feedback stay on record.

        What people said since then no longer counts. That is noted as a memory: forget it, and all is learned again.

        Args:
            to: a moment that has passed; without a time zone it is the machine's.
            before_feedback: instead of it, the id of a feedback: the moment right before that.

        Returns:
            ids of the memories that came back, and of those that are gone.

        Raises:
            UsageError: the moment has not come yet, there is no such feedback, or none or both are given.
        """
        return await asyncio.to_thread(self._opened.home.memories.roll_back, to, before_feedback)

    async def rebuild(self, *, drop: bool = False) -> Rebuilt:
        """Derive all that was learned anew from what is on record; changes nothing unless something was lost.

        What people pinned, defined, approved or imported stays, and what they forgot or rolled back stays forgotten.

        Args:
            drop: first let go of all that will be derived, as if it had never been.
        """
        return await self._opened.home.rebuilding.rebuild(drop=drop)
