"""What speaks for or against something learned, and the confirmed pairs that it is learned from."""

from enum import StrEnum

from pydantic import Field

from oldhand.record.base import Record, SafeName
from oldhand.record.feedback import Source


class Pair(Record):
    """A question with the SQL that answers it, as trusted people confirmed."""

    question: str = Field(min_length=1)
    sql: str = Field(min_length=1)
    database: str | None = None
    """Where `sql` runs, in that database's dialect; None when `sql` names the databases itself, as
    `database.schema.table`, in sqlglot's own dialect."""


class Strength(StrEnum):
    """How a piece of evidence came about."""

    STATED = "stated"
    """A person said it directly; it holds until a person denies it."""
    CORRECTED = "corrected"
    """It follows from SQL that a person wrote or vouched for as the right one."""
    CONFIRMED = "confirmed"
    """It follows from an answer that got a thumb up."""
    CONTRADICTED = "contradicted"
    """A confirmed pair means something else."""
    DOUBTED = "doubted"
    """An answer that rests on it was called wrong, for whatever reason."""
    DENIED = "denied"
    """A person took it back."""

    @property
    def is_direct(self) -> bool:
        """Whether somebody spoke of the very thing, and not of an answer."""
        return self in (Strength.STATED, Strength.DENIED)


class Evidence(Record):
    """One trusted person's word on one question, or said without any."""

    strength: Strength
    rater: SafeName
    source: Source
    episode_id: str | None = None
    """The episode that was judged; None for what was stated or denied directly."""
    question: str = ""
    """The question of that episode: two votes on one question are not independent."""
