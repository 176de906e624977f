"""Asking again while a model is unavailable."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from oldhand.errors import ModelTimedOut, ModelUnavailable
from oldhand.settings import ModelSettings

R = TypeVar("R")

Sleep = Callable[[float], Awaitable[object]]
"""Waits for so many seconds."""


@dataclass(frozen=True)
class Retries:
    """Exponential back-off with full jitter; what the provider says about waiting comes first.

    >>> import asyncio
    >>> waits = []
    >>> async def sleep(seconds): waits.append(round(seconds, 2))
    >>> answers = iter([ModelUnavailable(), ModelUnavailable(retry_after=7.0), "here"])
    >>> async def ask():
    ...     answer = next(answers)
    ...     if isinstance(answer, Exception):
    ...         raise answer
    ...     return answer
    >>> asyncio.run(Retries(ModelSettings(), Random(1), sleep).run(ask))
    'here'
    >>> waits
    [0.07, 7.0]
    """

    settings: ModelSettings
    random: Random
    sleep: Sleep

    async def run(self, attempt: Callable[[], Awaitable[R]]) -> R:
        """The result of the first attempt that succeeds, or the error of the last one.

        Raises:
            ModelTimedOut: all attempts together took too long.
        """
        seconds = max(self.settings.total_seconds, self.settings.timeout_seconds)
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                return await self._repeat(attempt, limit)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise ModelTimedOut(
                f"No answer within {seconds:g} seconds, repetitions included."
            ) from error

    async def _repeat(self, attempt: Callable[[], Awaitable[R]], limit: asyncio.Timeout) -> R:
        for number in range(self.settings.retries):
            try:
                return await attempt()
            except ModelUnavailable as error:
                wait = self.wait(number, error)
                if wait >= _seconds_left(limit):
                    raise
            await self.sleep(wait)
        return await attempt()

    def wait(self, number: int, error: ModelUnavailable) -> float:
        """Seconds before the repetition after attempt `number`, counted from 0."""
        longest = self.settings.max_backoff_seconds
        if error.retry_after is not None:
            return min(error.retry_after, longest)
        return self.random.uniform(
            0.0, min(longest, self.settings.backoff_seconds * 2.0 ** min(number, 60))
        )


def _seconds_left(limit: asyncio.Timeout) -> float:
    end = limit.when()
    assert end is not None, "the time is limited"
    return end - asyncio.get_running_loop().time()
