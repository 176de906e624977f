"""An event loop beside ordinary code."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from threading import Thread
from typing import TypeVar

from oldhand.errors import InOtherProcess

T = TypeVar("T")


class OwnLoop:
    """An event loop in a thread of its own, which keeps no process alive that has come to its end.

    >>> async def answer() -> int:
    ...     return 42
    >>> loop = OwnLoop()
    >>> loop.run(answer)
    42
    >>> loop.stop()
    """

    def __init__(self) -> None:
        self._process = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._serve, name="oldhand", daemon=True)
        self._thread.start()

    @property
    def is_here(self) -> bool:
        """Whether this is the process that it was made in; a fork has no thread that could serve it."""
        return os.getpid() == self._process

    def run(self, work: Callable[[], Coroutine[object, object, T]]) -> T:
        """Run one coroutine to its end; an interrupt cancels it, so that a query in flight is stopped.

        Raises:
            InOtherProcess: this is a fork of the process that made the loop.
        """
        if not self.is_here:
            raise InOtherProcess
        future = asyncio.run_coroutine_threadsafe(work(), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        """Cancel what is left, and end the thread."""
        if self.is_here:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def _serve(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.get_loop().run_forever()
