"""Append-only evidence about an episode: who, what, how strong."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from oldhand.record.base import Record, SafeName


class Source(StrEnum):
    """Where feedback comes from; derived from who is signed in, never from the request."""

    OWNER = "owner"
    EXPERT = "expert"
    EXTERNAL = "external"
    EVALUATOR = "evaluator"
    EXECUTION = "execution"


TRUSTED = frozenset({Source.OWNER, Source.EXPERT})
"""Only what these people say is learned from, and only what was learned from them is recalled."""


class Feedback(Record):
    """One signal. A later one of the same rater supersedes it; nothing is overwritten."""

    id: str
    clone_id: SafeName
    episode_id: str
    rater: SafeName
    source: Source
    created_at: datetime
    rating: int | None = Field(default=None, ge=-1, le=1)
    """+1, 0 or -1; None is "could not judge", which is not zero."""
    style_rating: int | None = Field(default=None, ge=-1, le=1)
    text: str | None = None
    correction: str | None = None
    """What the right answer, or the right SQL, would have been; `shop: SELECT …` also names the database."""
    tags: tuple[str, ...] = ()
