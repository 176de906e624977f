"""The small protocols that join the rooms."""

from datetime import datetime
from typing import Protocol

from oldhand.record.progress import Progress


class Clock(Protocol):
    """Where the time comes from; always passed in."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds for measuring durations."""
        ...


class NewId(Protocol):
    """Where ids come from; always passed in."""

    def __call__(self) -> str:
        """A new id that nothing else has."""
        ...


class Observer(Protocol):
    """Somebody who watches a turn while it works; must be quick and must not raise."""

    def __call__(self, progress: Progress, /) -> None:
        """Take note of one event."""
        ...
