"""Looking after what was learned, for the owner: what waits for approval, what is always shown, what is let go of."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, ParamSpec

from oldhand.face.given import OfMemory, memory_id_of
from oldhand.face.opened import Opened
from oldhand.loop.reviewing import Waiting
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.memory import Memory
from oldhand.store import export_memories

P = ParamSpec("P")


class AsyncCare:
    """The part of `AsyncOldhand` that is about looking after lessons."""

    _opened: Opened

    async def waiting(self) -> tuple[Waiting, ...]:
        """The lessons that wait until somebody with a say has looked at them, newest first: why, and whose words they are."""
        return await asyncio.to_thread(self._opened.home.reviewing.waiting)

    async def approve(
        self, memory_id: OfMemory, *, rater: str = DEFAULT_USER, pin: bool = False
    ) -> Memory:
        """Let a lesson be shown, as the owner's own word.

        Args:
            memory_id: its id, or the first characters of it.
            rater: who decides: the owner.
            pin: let it be shown always where it fits, neither replaced nor let go of; False lets a pinned one be no more.

        Raises:
            UsageError: whoever approves is not the owner, or it is no lesson that could be pinned.
            UnknownMemory: there is no such lesson.
        """
        approve = self._opened.home.reviewing.approve
        return await self._changed(approve, memory_id, rater, pin=pin)

    async def retire(
        self, memory_id: OfMemory, *, reason: str = "", rater: str = DEFAULT_USER
    ) -> Memory:
        """Let a lesson be shown no more, whatever else comes to speak for it; it is kept, and `undo` takes it back.

        Raises:
            UsageError: whoever retires is not the owner, or it is retired already.
            UnknownMemory: there is no such lesson.
        """
        return await self._changed(self._opened.home.reviewing.retire, memory_id, rater, reason)

    async def edit(self, memory_id: OfMemory, text: str, *, rater: str = DEFAULT_USER) -> Memory:
        """Put a lesson into other words: they are those of the rater, and in force at once.

        Raises:
            UsageError: the rater is neither owner nor expert, or it is no lesson in words.
            UnknownMemory: there is no such lesson.
        """
        return await self._changed(self._opened.home.reviewing.edit, memory_id, text, rater)

    async def undo(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a memory be as it was before its last change; also one that was forgotten, by its whole id.

        Raises:
            UsageError: whoever does so is not the owner, it was never changed, or it follows from what people said.
            UnknownMemory: there never was one.
        """
        return await self._changed(self._opened.home.undoing.undo, memory_id, rater)

    async def prune(self, *, dry_run: bool = False) -> tuple[Memory, ...]:
        """Erase what has expired, what is hardly believed and old, and what another has taken the place of.

        Args:
            dry_run: only say what would go.
        """
        prune = self._opened.home.reviewing.prune
        return await asyncio.to_thread(lambda: prune(dry_run=dry_run))

    async def export_memories(self, file: str | Path, *, user: str | None = None) -> int:
        """Write memories as JSON Lines, one on each line, oldest first.

        Args:
            file: is overwritten.
            user: only this user's; everybody's when None.

        Returns:
            how many there were.
        """

        def write() -> int:
            with Path(file).open("w", encoding="utf-8", newline="") as lines:
                return export_memories(self._opened.home.store, lines, user_id=user)

        return await asyncio.to_thread(write)

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
