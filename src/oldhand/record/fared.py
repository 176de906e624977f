"""How one answer fared: what it took, and what came of it."""

from datetime import datetime
from typing import Literal, NamedTuple

from oldhand.record.answer import Outcome


class Fared(NamedTuple):
    """One answer; what is known of it follows from the logs."""

    episode_id: str
    at: datetime
    question: str
    model: str
    success: bool | None
    """How it went, as the strongest known signal says; None while nothing is known."""
    feedback: Literal["positive", "negative"] | None
    """What the strongest signal of a person says; None while nobody has said anything."""
    cost: float
    """US dollars."""
    seconds: float
    """Wall time."""
    outcome: Outcome = Outcome.ANSWERED
    requests: int = 0
    """Calls of a language model that were answered."""
    item_id: str = ""
    """What was asked about: something that it was made with."""
    chance: float = 1.0
    """The probability with which that was to be shown."""
