"""An event loop on which nobody has to wait for time to pass."""

import asyncio
from selectors import DefaultSelector, SelectorKey


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop for tests: its clock jumps to the next timer once nothing else is left to do.

    What is stopped after a minute is stopped at once, and never before it has come to a halt, however busy the machine
    is. Work in threads and other processes is not waited for while a timer is set.

    >>> async def answer() -> str:
    ...     await asyncio.sleep(3600)
    ...     return "an hour later"
    >>> with asyncio.Runner(loop_factory=SkippingLoop) as runner:
    ...     runner.run(answer())
    'an hour later'
    """

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        """Seconds that were skipped so far."""
        return self._skipping.seconds


class _Skipping(DefaultSelector):
    """Waits for no timer, and counts what that saves."""

    seconds = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        ready = super().select(None if timeout is None else 0)
        if not ready and timeout is not None:
            self.seconds += timeout
        return ready
