"""The real face: every method is a coroutine."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from oldhand.bootstrap import Home, LanguageModel, open_home
from oldhand.errors import UsageError
from oldhand.learning.evidence import LessonEvidence
from oldhand.learning.notes import Learned
from oldhand.loop.critique import Said
from oldhand.loop.memories import Defined, Remembered
from oldhand.record.answer import Answer
from oldhand.record.clone import DEFAULT_USER, Clone
from oldhand.record.episode import Episode
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.ports import Observer
from oldhand.record.receipt import Receipt
from oldhand.record.route import Context, RouteResponse, conversation
from oldhand.record.why import Why
from oldhand.sources.databases import Catalog
from oldhand.store import RolledBack

_WAIT_SECONDS = 2.0
"""Time for which those who want to see what was found wait for the background."""


def _names(databases: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if databases is None:
        return None
    if not databases:
        raise UsageError("No database is named: leave `databases` out to use all of them.")
    return (databases,) if isinstance(databases, str) else tuple(databases)


def _memory_type(name: str) -> MemoryType:
    if name not in set(MemoryType):
        raise UsageError(f"There is no memory type {name!r}: use {', '.join(MemoryType)}.")
    return MemoryType(name)


class AsyncOldhand:
    """An assistant in a home folder, for code that runs in an event loop.

    Args:
        home: the folder, created if missing; else `OLDHAND_HOME`, else `~/.oldhand`.
        store: URL of the store, such as `postgresql://…`; a SQLite file in the home by default.
        model: the mind that answers: `builtin`, a model's name such as `openai:gpt-4o`, or a model object.
        base_url: address of an OpenAI-compatible server for the model.

    Raises:
        StoreError: the home or the store cannot be used.
        UnknownModel: no model goes by that name.
    """

    def __init__(
        self,
        home: str | Path | None = None,
        *,
        store: str | None = None,
        model: str | LanguageModel | None = None,
        base_url: str | None = None,
    ) -> None:
        self._home: Home = open_home(home, store=store, model=model, base_url=base_url)
        self.databases: Catalog = self._home.catalog

    @property
    def path(self) -> Path:
        """The home folder."""
        return self._home.path

    async def ask(
        self,
        question: str,
        *,
        databases: str | Sequence[str] | None = None,
        user: str = DEFAULT_USER,
        session_id: str | None = None,
        observe: Observer | None = None,
    ) -> Answer:
        """Answer `question` from the registered databases, or from those named.

        Args:
            question: in plain words.
            databases: a name or several; all registered ones when None.
            user: who asks; the episode is kept under this name.
            session_id: goes on with a conversation, so that "and in Berlin?" is understood.
            observe: is called with each event while the answer is worked out.

        Returns:
            The answer, already stored; `answer.abstained` is true when there is none, and
            `answer.text` then says why or asks back.

        Raises:
            InvalidQuestion: empty or too long.
            UnknownDatabase: a name that is not registered, or no database at all.
            DatabaseUnreachable: a database that is needed does not answer.
            ModelError: the language model did not do its part.
        """
        answer = await self._home.turn.ask(
            question,
            databases=_names(databases),
            user=user,
            session_id=session_id,
            observe=observe,
        )
        self._home.background.soon()
        return answer

    async def reflect(self, episode_id: str) -> Memory:
        """Look back on one answer now, and closely; every answer is looked back on by itself in the background.

        Args:
            episode_id: `answer.episode_id`, or its first characters.

        Returns:
            the reflection as it is kept: `payload.learnings`, `payload.root_cause`, `payload.proposals`.

        Raises:
            UnknownEpisode: there is no such answer.
        """
        await asyncio.to_thread(self._home.background.wait, _WAIT_SECONDS)
        return await self._home.reflecting.look_back(episode_id)

    async def rehearse(
        self, messages: Sequence[Mapping[str, str]], context: Context | None = None
    ) -> RouteResponse:
        """Answer the last message of a conversation and leave no trace: for tests.

        Nothing is recorded, nothing is left to chance: every lesson that fits and is neither retired nor set aside counts.

        Args:
            messages: oldest first, each with `role` and `content`; the last one is the user's.
            context: `databases` to ask and `user` who asks, where that matters; other keys are passed over.

        Raises:
            InvalidQuestion: the messages are no conversation that could be answered.
            OldhandError: as `ask`.
        """
        said, known = conversation(messages), context or {}
        databases, user = known.get("databases"), known.get("user")
        return await self._home.rehearsal.answer(
            said,
            databases=_names(databases if isinstance(databases, str | Sequence) else None),
            user=user if isinstance(user, str) else DEFAULT_USER,
        )

    async def feedback(
        self,
        episode_id: str,
        *,
        rating: int | None = None,
        text: str | None = None,
        correction: str | None = None,
        rater: str = DEFAULT_USER,
        tags: Sequence[str] = (),
    ) -> Receipt:
        """Say how good an answer was; it is on disk when this returns, and learned from.

        Args:
            episode_id: `answer.episode_id`, or its first characters.
            rating: +1, 0 or -1; 0 takes back what the same person said before.
            text: anything about it in words.
            correction: the right answer, or the right SQL; `shop: SELECT …` where several databases could run it.
            rater: who says so; the role is looked up in the clone, and unknown means external.
            tags: words to find it by, such as `too-verbose`.

        Returns:
            the feedback with what it has taught: `learned`, `withdrawn`, and a `note` when that was nothing.

        Raises:
            UnknownEpisode: there is no such answer.
            UsageError: nothing was said, or the rating is none of +1, 0, -1.
        """
        said = Said(rater, rating, text, correction, tuple(tags))
        receipt = await self._home.critique.give(episode_id, said)
        self._home.background.soon()
        return receipt

    async def memories(
        self,
        *,
        type: str | None = None,  # noqa: A002
        user: str | None = None,
        text: str | None = None,
        limit: int | None = 100,
    ) -> tuple[Memory, ...]:
        """What was learned, newest first.

        Args:
            type: only one type, such as `example`; all but episodes and reflections when None.
            user: only this user's; the assistant's own lie under `default`.
            text: only those in which all of these words occur.
            limit: how many at most; None for all.

        Raises:
            UsageError: there is no such type.
        """
        kind = None if type is None else _memory_type(type)
        if kind is MemoryType.REFLECTION:
            await asyncio.to_thread(self._home.background.wait, _WAIT_SECONDS)
            await asyncio.to_thread(self._home.background.catch_up, _WAIT_SECONDS)
        return await self._home.memories.all(kind=kind, user=user, text=text, limit=limit)

    async def memory(self, memory_id: str) -> Remembered:
        """One memory with its history and how it fared, by id or the first characters of it.

        Raises:
            UnknownMemory: there is no such memory.
        """
        return await self._home.memories.one(memory_id)

    async def forget(self, memory_id: str) -> Memory:
        """Forget one memory, with all that was said for it so far; people can teach it again.

        Raises:
            UnknownMemory: there is no such memory.
        """
        return await self._home.memories.forget(memory_id)

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
        return await self._home.memories.define(phrase, target, rater)

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
        return await self._home.memories.roll_back(to, before_feedback)

    async def rebuild(self) -> Learned:
        """Learn everything anew from the feedback on record; changes nothing unless something was lost.

        What people pinned, defined or imported stays, and what they forgot or rolled back stays forgotten.
        """
        return await self._home.memories.rebuild()

    async def evidence(
        self, lesson_id: str | None = None, *, decide: bool = False
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
            await asyncio.to_thread(self._home.trials.decide)
        return await asyncio.to_thread(self._home.trials.evidence, chosen)

    async def episode(self, episode_id: str) -> Episode:
        """One question and all that followed, by id or the first characters of it.

        Raises:
            UnknownEpisode: there is no such episode.
        """
        return await self._home.history.one(episode_id)

    async def episodes(
        self, *, user: str | None = None, session_id: str | None = None, limit: int = 20
    ) -> tuple[Episode, ...]:
        """The latest episodes, newest first."""
        return await self._home.history.latest(user=user, session_id=session_id, limit=limit)

    async def why(self, episode_id: str) -> Why:
        """What an answer rests on: each lesson that was recalled for it, and what that was learned from.

        Args:
            episode_id: `answer.episode_id`, or its first characters.

        Raises:
            UnknownEpisode: there is no such answer.
        """
        return await self._home.explaining.why(episode_id)

    async def people(
        self, *, owner: str | None = None, experts: Sequence[str] | None = None
    ) -> Clone:
        """Who owns this assistant and who its experts are; names new ones when they are given."""
        named = None if experts is None else tuple(experts)
        if owner is None and named is None:
            return await asyncio.to_thread(self._home.people.clone)
        return await asyncio.to_thread(self._home.people.name, owner=owner, experts=named)

    async def close(self) -> None:
        """Close databases and store; safe to call twice."""
        await self._home.close()

    async def __aenter__(self) -> Self:
        # What the last process has left over; mostly nothing.
        seconds = self._home.settings.reflection.command_seconds
        await asyncio.to_thread(self._home.background.catch_up, seconds)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
