"""Versions of the prompts of language models: how they do, and going back."""

import asyncio
from typing import TYPE_CHECKING

from oldhand.face.opened import FaceGroup
from oldhand.record.memory import Memory

if TYPE_CHECKING:
    from oldhand.learning.prompts import PromptTest


class AsyncPrompts(FaceGroup):
    """`old.prompts`: versions of the prompts of language models; the built-in mind reads none."""

    async def list(self, role: str | None = None) -> tuple[Memory, ...]:
        """All versions, oldest first, with how the answers fared that were made with each.

        Args:
            role: only of this prompt, such as `orchestrator`; all when None.

        Raises:
            UsageError: there is no such prompt.
        """
        shelf = self._opened.home.night.evolving.shelf
        found = await asyncio.to_thread(shelf.versions, role)
        return tuple(await asyncio.to_thread(lambda: [*map(shelf.fared, found)]))

    async def diff(self, version: str, other: str | None = None) -> tuple[str, ...]:
        """The lines of a version that another lacks (`+ `), those that it lacks itself (`- `), and what both have.

        Args:
            version: its id, such as `orchestrator_v2`.
            other: what it is compared with; the version that it supersedes when None.

        Raises:
            UnknownMemory: there is no such version.
        """
        shelf = self._opened.home.night.evolving.shelf
        return await asyncio.to_thread(shelf.difference, version, other)

    async def test(self, role: str) -> "PromptTest | None":
        """How the version on trial does against the active one; None when none is on trial.

        Raises:
            UsageError: there is no such prompt.
        """
        shelf = self._opened.home.night.evolving.shelf
        return await asyncio.to_thread(lambda: shelf.test(shelf.standing(role)))

    async def roll_back(self, role: str, to: str | None = None) -> tuple[Memory, ...]:
        """Use an earlier version again: the one before the active one, or `to`; a test that runs ends.

        Returns:
            the versions that changed.

        Raises:
            UsageError: there is nothing to go back to.
            UnknownMemory: there is no such version.
        """
        return await asyncio.to_thread(self._opened.home.night.evolving.roll_back, role, to)
