"""What was learned, for its people: look at it, decide on it, take it back."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from oldhand.face.given import OfMemory, memory_id_of, memory_state, memory_type, whole_number
from oldhand.face.opened import WAIT_SECONDS, FaceGroup
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.memory import Memory, MemoryType

if TYPE_CHECKING:
    from oldhand.learning.evidence import LessonEvidence
    from oldhand.learning.hygiene import Flawed
    from oldhand.loop.memories import Defined, EditedMemory, Remembered
    from oldhand.loop.progress import MemoryChange
    from oldhand.loop.rebuilding import Rebuilt
    from oldhand.loop.reviewing import Waiting
    from oldhand.record.why import Cause
    from oldhand.store import ImportReport, RolledBack

P = ParamSpec("P")


class AsyncMemories(FaceGroup):
    """`old.memories`: what was learned, and what is let go of."""

    async def list(
        self,
        *,
        type: str | None = None,  # noqa: A002
        user: str | None = None,
        text: str | None = None,
        limit: int | None = 100,
        state: str | None = None,
        skip: int = 0,
    ) -> tuple[Memory, ...]:
        """What was learned, newest first.

        Args:
            type: only one type, such as `example`; all but episodes and reflections when None.
            user: only this user's; the assistant's own lie under `default`.
            text: only those in which all of these words occur.
            limit: how many at most; None for all.
            state: only those that are `candidate`, `on trial`, `in force`, `waiting` or `retired`.
            skip: how many of the newest are left out, such as those of earlier pages.

        Raises:
            UsageError: there is no such type, or no such state, or `limit` or `skip` is no number of memories.
        """
        most = whole_number("limit", limit)
        wanted = memory_state(state)
        kind = memory_type(type)
        if kind is MemoryType.REFLECTION:
            await asyncio.to_thread(self._opened.home.background.wait, WAIT_SECONDS)
            await asyncio.to_thread(self._opened.home.background.catch_up, WAIT_SECONDS)
        find, over = self._opened.home.memories.all, whole_number("skip", skip) or 0
        return await asyncio.to_thread(find, kind, user, text, most, wanted, over)

    async def get(self, memory_id: OfMemory) -> "Remembered":
        """One memory with its history and how it fared, by id or the first characters of it.

        Raises:
            UnknownMemory: there is no such memory.
        """
        return await asyncio.to_thread(self._opened.home.memories.one, memory_id_of(memory_id))

    async def define(self, phrase: str, target: str, *, rater: str = DEFAULT_USER) -> "Defined":
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

    async def why(self, memory_id: OfMemory) -> "Cause":
        """Where a memory comes from: the feedback, answers and reflections that it was learned from, and what these rest on.

        Raises:
            UnknownMemory: there is no such memory.
        """
        whole = (await self.get(memory_id)).memory.id
        return await asyncio.to_thread(self._opened.home.explaining.why_memory, whole)

    async def changes(
        self, since: datetime | None = None, *, limit: int | None = None
    ) -> "tuple[MemoryChange, ...]":
        """What has become of memories since a moment, the latest change first.

        Args:
            since: without a time zone it is the machine's; the beginning of the last night when None.
            limit: how many at most; None for all.
        """
        changes, most = self._opened.home.memories.changes, whole_number("limit", limit)
        return await asyncio.to_thread(lambda: tuple(islice(changes(since), most)))

    async def flaws(self, *, limit: int | None = None) -> "tuple[Flawed, ...]":
        """What is wrong with lessons: what is there twice, stale, contradicting, of no use or broken, and what waits; up to `limit`."""
        flaws, most = self._opened.home.reviewing.flaws, whole_number("limit", limit)
        return (await asyncio.to_thread(flaws))[:most]

    async def clean(self) -> "tuple[Flawed, ...]":
        """Retire the lessons with which something is wrong, but for those that wait for a decision or are pinned."""
        return await asyncio.to_thread(partial(self._opened.home.reviewing.flaws, retire=True))

    async def waiting(self, *, limit: int | None = None) -> "tuple[Waiting, ...]":
        """The lessons that wait until somebody with a say has looked at them, newest first: why, and whose words they are; up to `limit`."""
        most = whole_number("limit", limit)
        return await asyncio.to_thread(self._opened.home.reviewing.waiting, most)

    async def approve(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a lesson be shown, as the owner's own word; one that was pinned is pinned no more.

        Args:
            memory_id: its id, or the first characters of it.
            rater: who decides: the owner.

        Raises:
            UsageError: whoever approves is not the owner.
            UnknownMemory: there is no such lesson.
        """
        return await self._changed(self._opened.home.reviewing.approve, memory_id, rater)

    async def pin(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a lesson be shown always where it fits, neither replaced nor let go of; `approve` ends that.

        Raises:
            UsageError: whoever pins is not the owner, or it is no lesson that could be pinned.
            UnknownMemory: there is no such lesson.
        """
        return await self._changed(self._opened.home.reviewing.approve, memory_id, rater, pin=True)

    async def retire(
        self, memory_id: OfMemory, *, reason: str = "", rater: str = DEFAULT_USER
    ) -> Memory:
        """Let a lesson be shown no more, whatever else comes to speak for it; it is kept, and `undo` takes it back.

        Raises:
            UsageError: whoever retires is not the owner, or it is retired already.
            UnknownMemory: there is no such lesson.
        """
        return await self._changed(self._opened.home.reviewing.retire, memory_id, rater, reason)

    async def edit(
        self, memory_id: OfMemory, text: str, *, rater: str = DEFAULT_USER
    ) -> "EditedMemory":
        """Put a memory into other words: they are those of the rater, in force at once, and examined by what was confirmed.

        Args:
            memory_id: its id, or the first characters of it.
            text: what it shall say: of a lesson its words, of a rule about rows a sentence such as `Leave out orders with status =
                'cancelled'`, of a confirmed pair its SQL, of a word what it means. The version before stays, and `undo` brings it back.
            rater: who says so: the owner or an expert.

        Returns:
            the memory with a `note` on what speaks against it, and with earlier questions that are answered otherwise now as `consequences`.

        Raises:
            UsageError: the rater is neither owner nor expert, or it can't say that.
            OldhandError: a rule, a word or SQL is not understood, or can't be run.
            UnknownMemory: there is no such memory.
        """
        whole = (await self.get(memory_id)).memory.id
        return await self._opened.home.editing.edit(whole, text, rater)

    async def undo(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a memory be as it was before its last change; also one that was forgotten, by its whole id.

        Raises:
            UsageError: whoever does so is not the owner, it was never changed, or it follows from what people said.
            UnknownMemory: there never was one.
        """
        return await self._changed(self._opened.home.editing.undo, memory_id, rater)

    async def forget(self, memory_id: OfMemory) -> Memory:
        """Forget one memory, with all that was said for it so far; people can teach it again.

        Raises:
            UnknownMemory: there is no such memory.
        """
        return await asyncio.to_thread(self._opened.home.memories.forget, memory_id_of(memory_id))

    async def prune(self, *, dry_run: bool = False) -> tuple[Memory, ...]:
        """Erase what has expired, what is hardly believed and old, and what another has taken the place of.

        Args:
            dry_run: only say what would go.
        """
        return await asyncio.to_thread(partial(self._opened.home.reviewing.prune, dry_run=dry_run))

    async def export(
        self,
        file: str | Path,
        *,
        user: str | None = None,
        type: str | None = None,  # noqa: A002
    ) -> int:
        """Write memories as JSON Lines, one on each line, oldest first.

        Args:
            file: is overwritten.
            user: only this user's; everybody's when None.
            type: only one type, such as `example`.

        Returns:
            how many there were.

        Raises:
            UsageError, StoreError: there is no such type; the file can't be written.
        """
        kind = memory_type(type)
        from oldhand.sources.databases.files import replacing
        from oldhand.store import export_memories

        def write() -> int:
            with replacing(Path(file)) as lines:
                return export_memories(self._opened.home.store, lines, user_id=user, type=kind)

        return await asyncio.to_thread(write)

    async def import_file(
        self, source: str | Path, *, user: str | None = None, trust: bool = False
    ) -> "ImportReport":
        """Read memories back in; everything is checked before anything is changed.

        Args:
            source: a file of lines, or a folder as the journal lays it out.
            user: whose they are when the lines don't say.
            trust: believe what the lines say about who taught them; for files of your own.

        Returns:
            how many were new, changed, unchanged, skipped and not trusted, and why.

        Raises:
            JournalError: a line does not hold; it is named, and nothing was imported.
        """
        from oldhand.store import import_memories

        store, path = self._opened.home.store, Path(source)
        return await asyncio.to_thread(
            lambda: import_memories(store, path, user_id=user, trust=trust)
        )

    async def evidence(
        self, lesson_id: OfMemory | None = None, *, decide: bool = False, limit: int | None = None
    ) -> "tuple[LessonEvidence, ...]":
        """Whether each lesson that was examined or on trial helps: its effect on right answers, cost and time, with 95 % intervals.

        Args:
            lesson_id: only this memory, of whatever kind, by id or the first characters of it; it takes its exam now where it never did.
            decide: before that, promote what has been found to help and retire what has been found to do harm.
            limit: how many at most, what is to be decided first; None for all.

        Raises:
            UnknownMemory: there is no such lesson.
        """
        most = whole_number("limit", limit)
        chosen = None if lesson_id is None else (await self.get(lesson_id)).memory.id
        if decide:
            await asyncio.to_thread(self._opened.home.trials.decide)
        if chosen is not None:
            return (await asyncio.to_thread(self._opened.home.trials.looked_at, chosen),)
        return (await asyncio.to_thread(self._opened.home.trials.evidence))[:most]

    async def roll_back(
        self, to: datetime | None = None, *, before_feedback: str | None = None
    ) -> "RolledBack":
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

    async def rebuild(self, *, drop: bool = False) -> "Rebuilt":
        """Derive all that was learned anew from what is on record; changes nothing unless something was lost.

        What people pinned, defined, approved or imported stays, and what they forgot or rolled back stays forgotten.

        Args:
            drop: first let go of all that will be derived, as if it had never been.
        """
        return await self._opened.home.rebuilding.rebuild(drop=drop)

    async def _changed(
        self,
        change: Callable[Concatenate[str, P], Memory],
        memory_id: OfMemory,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Memory:
        """Change the memory of which these are the first characters of the id."""
        one = self._opened.home.memories.one
        whole = (await asyncio.to_thread(one, memory_id_of(memory_id))).memory.id
        return await asyncio.to_thread(change, whole, *args, **kwargs)
