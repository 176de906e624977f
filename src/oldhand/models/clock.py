"""The real clock."""

import time
from datetime import UTC, datetime


class SystemClock:
    """The clock of this machine; tests pass `oldhand.testing.clock.FixedClock` instead."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds for measuring durations; only differences mean something."""
        return time.monotonic()
