"""Who has a say."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from oldhand.face.given import several
from oldhand.face.opened import FaceGroup
from oldhand.record.clone import Clone

if TYPE_CHECKING:
    from oldhand.store import ErasedCounts


class AsyncPeople(FaceGroup):
    """`old.people`: who owns the assistant, who its experts are, and whom it shall forget."""

    async def get(self) -> Clone:
        """Who owns this assistant, and who its experts are."""
        return await asyncio.to_thread(self._opened.home.people.clone)

    async def name(
        self, *, owner: str | None = None, experts: str | Sequence[str] | None = None
    ) -> Clone:
        """Name another owner, or who the experts are; what is left out stays."""
        named = None if experts is None else several("experts", experts)
        return await asyncio.to_thread(self._opened.home.people.name, owner=owner, experts=named)

    async def erase(self, user: str, *, dry_run: bool = False) -> "ErasedCounts":
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
