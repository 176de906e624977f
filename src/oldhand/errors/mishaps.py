"""Where nothing may break the rest: an answer, a run, feedback. What fails is logged, counted and named instead."""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from threading import main_thread
from typing import TypeVar

from oldhand.errors.usage import OldhandError

logger = logging.getLogger(__name__)


def _is_running(record: logging.LogRecord) -> bool:
    """Whether the program goes on: when it ends, so does the work, and there is nothing to tell."""
    error = record.exc_info[1] if record.exc_info else None
    ending = isinstance(error, RuntimeError) and "interpreter shutdown" in str(error)
    return main_thread().is_alive() and not ending


logger.addFilter(_is_running)

T = TypeVar("T")


@dataclass(frozen=True)
class Mishap:
    """Something that failed without breaking the rest."""

    error: str
    """What it says; of an error that is none of ours, its name as well."""


@dataclass(frozen=True)
class Mishaps:
    """Counts what failed.

    >>> mishaps = Mishaps()
    >>> mishaps.spared("recall", lambda: 1 / 0)
    Mishap(error='ZeroDivisionError: division by zero')
    >>> mishaps.counts["recall"]
    1
    """

    counts: Counter[str] = field(default_factory=Counter[str])
    """How often each kind of work has failed."""

    def spared(self, kind: str, work: Callable[[], T]) -> T | Mishap:
        """What `work` returns, or what went wrong with it."""
        try:
            return work()
        except Exception as error:
            logger.exception("%s_failed: %s so far", kind, self._counted(kind))
            return _mishap(error)

    async def spared_while(self, kind: str, work: Awaitable[T]) -> T | Mishap:
        """As `spared`, for what is waited for."""
        try:
            return await work
        except Exception as error:
            logger.exception("%s_failed: %s so far", kind, self._counted(kind))
            return _mishap(error)

    def _counted(self, kind: str) -> int:
        self.counts[kind] += 1
        return self.counts[kind]


def _mishap(error: Exception) -> Mishap:
    said = str(error)
    return Mishap(said if isinstance(error, OldhandError) else f"{type(error).__name__}: {said}")
