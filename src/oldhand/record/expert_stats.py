"""How one expert does."""

from oldhand.record.base import Record, SafeName


class ExpertStats(Record):
    """How one expert does."""

    expert: SafeName
    asked: int = 0
    answered: int = 0
    """Also those that came late."""
    late: int = 0
    declined: int = 0
    waiting: int = 0
    median_seconds: float | None = None
    """From the question to the reply."""
