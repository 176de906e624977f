"""The small protocols that join the rooms."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol, TypeAlias
from uuid import uuid4

from oldhand.record.progress import Progress


class Clock(Protocol):
    """Where the time comes from; always passed in."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds for measuring durations."""
        ...


NewId: TypeAlias = Callable[[], str]
"""Where ids come from, each of which nothing else has; always passed in."""

Observer: TypeAlias = Callable[[Progress], None]
"""Somebody who watches a turn while it works; must be quick and must not raise."""


def random_id() -> str:
    """A random id; nothing else has it."""
    return str(uuid4())
