"""Looking after what was learned, for the owner: what waits for approval, what is always shown, what is let go of."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, ParamSpec

from oldhand.face.given import OfMemory, memory_id_of
from oldhand.face.opened import Opened
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.memory import Memory
from oldhand.store import export_memories

P = ParamSpec("P")


class AsyncCare:
    """The part of `AsyncOldhand` that is about looking after lessons."""

    _opened: Opened

    async def waiting(self) -> tuple[Memory, ...]:
        """The lessons that are set aside until somebody has looked at them, newest first."""
        return await asyncio.to_thread(self._opened.home.reviewing.waiting)

    async def approve(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a lesson be shown that waits, as the owner's own word.

        Args:
            memory_id: its id, or the first characters of it.
            rater: who decides: the owner.

        Raises:
            UsageError: whoever approves is not the owner.
            UnknownMemory: there is no such lesson.
        """
        return await self._changed(self._opened.home.reviewing.approve, memory_id, rater)

    async def reject(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a lesson never be shown, whatever else comes to speak for it; the arguments are those of `approve`.

        Raises:
            UsageError: whoever rejects is not the owner.
            UnknownMemory: there is no such lesson.
        """
        return await self._changed(self._opened.home.reviewing.reject, memory_id, rater)

    async def pin(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a lesson always be shown where it fits, whatever its trial says; the arguments are those of `approve`.

        Raises:
            UsageError: whoever pins is not the owner, or it is no lesson.
            UnknownMemory: there is no such lesson.
        """
        return await self._changed(self._opened.home.reviewing.pin, memory_id, rater)

    async def unpin(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a pinned lesson be superseded and pruned again, it stays approved; the arguments are those of `approve`.

        Raises:
            UsageError: whoever does is not the owner, or it is not pinned.
            UnknownMemory: there is no such lesson.
        """
        return await self._changed(self._opened.home.reviewing.unpin, memory_id, rater)

    async def quarantine(self, memory_id: OfMemory, *, reason: str) -> Memory:
        """Set a lesson aside: it is shown no more until it is restored.

        Raises:
            UsageError: it is set aside already.
            UnknownMemory: there is none.
        """
        return await self._changed(self._opened.home.reviewing.quarantine, memory_id, reason)

    async def restore(self, memory_id: OfMemory) -> Memory:
        """Take a lesson back that was retired or set aside: it is young, and on trial anew.

        Raises:
            UsageError: it is shown, or waits for approval.
            UnknownMemory: there is none.
        """
        return await self._changed(self._opened.home.reviewing.restore, memory_id)

    async def prune(self, *, dry_run: bool = False) -> tuple[Memory, ...]:
        """Let go of what has expired, of what is hardly believed and old, and of what was superseded.

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
