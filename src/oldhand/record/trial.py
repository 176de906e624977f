"""One answer for which it was left to chance whether a lesson was shown, with what came of it."""

from datetime import datetime
from typing import NamedTuple


class Trial(NamedTuple):
    """One draw for one lesson."""

    lesson_id: str
    episode_id: str
    at: datetime
    """When the answer was recorded."""
    shown: bool
    chance: float
    """The probability with which it was to be shown; above 0 and below 1."""
    success: float | None
    """How it went, 0 to 1, as the strongest known signal says; None while nothing is known."""
    shadow: str | None = None
    """What the opposite draw would have answered, as `Recalled.shadow`; such draws decide only where it differs."""
    other: float | None = None
    """How that would have gone; None while nobody can tell."""
    cost: float = 0.0
    """US dollars."""
    seconds: float = 0.0
    """Wall time of the answer."""
