"""A clock that stands still until it is told to move, and a loop that waits for none."""

import asyncio
from datetime import UTC, datetime, timedelta
from selectors import DefaultSelector, SelectorKey


class FixedClock:
    """A clock for tests.

    >>> clock = FixedClock()
    >>> clock.advance(90)
    >>> clock.now().isoformat()
    '2026-01-01T00:01:30+00:00'
    """

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._start = start
        self._seconds = 0.0

    def now(self) -> datetime:
        """The start, plus what was advanced."""
        return self._start + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        """Seconds since the start."""
        return self._seconds

    def advance(self, seconds: float) -> None:
        """Move on by `seconds`."""
        self._seconds += seconds


class CountingIds:
    """Ids in order: `id-1`, `id-2`, … for tests.

    >>> new_id = CountingIds("e")
    >>> new_id(), new_id()
    ('e-1', 'e-2')
    """

    def __init__(self, prefix: str = "id") -> None:
        self._prefix = prefix
        self._count = 0

    def __call__(self) -> str:
        """The next id."""
        self._count += 1
        return f"{self._prefix}-{self._count}"


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
