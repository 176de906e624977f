"""How an answer was chosen: who was asked, whose rows agreed, and what decided."""

from pydantic import Field

from oldhand.record.base import Record, Row
from oldhand.settings.effort import Effort


class CandidateAnswer(Record):
    """What one voice makes of the question."""

    voice: str
    """`stages`, `direct`, `plan first`, `by examples`, `analyst`, or `deciding`."""
    sql: str = ""
    """The statement that brought its rows; empty when it has none."""
    row_count: int = 0
    group: int | None = None
    """The number of the group that its rows put it in; None when it has none."""
    says: str = ""
    """Why it has no rows: what it asks back, or what went wrong."""


class CandidateGroup(Record):
    """Candidates with equal rows."""

    number: int = Field(ge=1)
    voices: tuple[str, ...]
    share: float = Field(ge=0, le=1)
    """How much speaks for it, of all that speaks for any."""
    only_here: Row | None = None
    """A row that it has and the likeliest other group has not, or has less often."""
    repeated: bool = False
    """Whether the other group has that row, too."""


class AnswerChoice(Record):
    """How an answer was chosen among candidates."""

    effort: Effort
    candidates: tuple[CandidateAnswer, ...] = ()
    """In the order in which they were asked for."""
    groups: tuple[CandidateGroup, ...] = ()
    """The likeliest first."""
    chosen: str = ""
    """The voice whose answer it is; empty when none was chosen."""
    because: str = ""
    """What decided, in a sentence."""
