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
    ups: int = 0
    """Later answers that rest on what they replied, and that owners or experts liked."""
    downs: int = 0
    """The same for answers that these disliked."""
