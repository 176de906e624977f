"""One question and all that followed."""

from datetime import datetime
from typing import Literal

from oldhand.record.answer import Answer
from oldhand.record.base import Record, SafeName
from oldhand.record.usage import LedgerEntry


class Message(Record):
    """One turn of a conversation as it was shown."""

    role: Literal["user", "assistant", "system", "tool"]
    content: str


class Episode(Record):
    """One question with its answer; the unit that feedback is given on."""

    id: str
    clone_id: SafeName
    user_id: SafeName
    session_id: str
    created_at: datetime
    messages: tuple[Message, ...]
    tools_used: tuple[str, ...] = ()
    answer: Answer
    ledger: tuple[LedgerEntry, ...] = ()
    success: bool | None = None
    """The strongest known signal; None while nothing is known, which is not a failure."""
    tags: tuple[str, ...] = ()

    @property
    def latency_ms(self) -> int:
        """Wall time of the turn in milliseconds."""
        return round(self.answer.seconds * 1000)
