"""The one boundary behind which notes and evaluators run: whatever they do, the run goes on."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from oldhand.agent.tools.threads import done_beside
from oldhand.errors.mishaps import Mishap, Mishaps

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Callbacks(Mishaps):
    """Runs other people's functions beside the loop, for a limited time, and counts those that fail.

    >>> callbacks = Callbacks(seconds=5)
    >>> asyncio.run(callbacks.run("notes", lambda: 1 / 0))
    Mishap(error='ZeroDivisionError: division by zero')
    >>> callbacks.failures["notes"]
    1
    """

    seconds: float
    """Time after which a callback is no longer waited for; its thread is left to itself."""

    @property
    def failures(self) -> Counter[str]:
        """How often each kind of callback has failed."""
        return self.counts

    async def run(self, kind: str, work: Callable[[], T]) -> T | Mishap:
        """What `work` returns, or what went wrong with it: it may block, raise, never end, or be asynchronous."""
        return await self.spared_while(kind, self._beside(kind, work))

    async def _beside(self, kind: str, work: Callable[[], T]) -> T:
        timeout = asyncio.timeout(self.seconds)
        try:
            async with timeout:
                return await done_beside(work, name=kind)
        except TimeoutError as error:
            if not timeout.expired():
                raise
            raise TimeoutError(f"no end after {self.seconds:g} seconds") from error
