"""The one boundary behind which notes and evaluators run: whatever they do, the run goes on."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from oldhand.agent.tools.threads import in_own_thread

logger = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True)
class Failed:
    """A callback raised or took too long."""

    error: str
    """The error's name, and what it says."""


@dataclass(frozen=True)
class Callbacks:
    """Runs other people's functions beside the loop, for a limited time, and counts those that fail.

    >>> callbacks = Callbacks(seconds=5)
    >>> asyncio.run(callbacks.run("notes", lambda: 1 / 0))
    Failed(error='ZeroDivisionError: division by zero')
    >>> callbacks.failures["notes"]
    1
    """

    seconds: float
    """Time after which a callback is no longer waited for; its thread is left to itself."""
    failures: Counter[str] = field(default_factory=Counter[str])
    """How often each kind of callback has failed."""

    async def run(self, kind: str, work: Callable[[], T]) -> T | Failed:
        """What `work` returns, or what went wrong with it.

        Args:
            kind: what it is for, such as `notes`.
            work: may block, raise, or never end.
        """
        try:
            async with asyncio.timeout(self.seconds):
                return await in_own_thread(lambda: self.spared(kind, work), name=kind)
        except TimeoutError as error:
            return self._failed(kind, error, f"no end after {self.seconds:g} seconds")

    def spared(self, kind: str, work: Callable[[], T]) -> T | Failed:
        """As `run`, right here and without a time limit."""
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - other people's code may raise anything; it is logged and counted
            return self._failed(kind, error, str(error))

    def _failed(self, kind: str, error: Exception, said: str) -> Failed:
        self.failures[kind] += 1
        failed = Failed(f"{type(error).__name__}: {said}")
        count = self.failures[kind]
        logger.error(
            "callback_failed: %s, %s so far: %s", kind, count, failed.error, exc_info=error
        )
        return failed
