"""A clock that stands still until it is told to move."""

from datetime import UTC, datetime, timedelta


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
