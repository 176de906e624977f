"""One question and all that followed."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from operator import not_
from typing import Literal, Self

from pydantic import Field

from oldhand.record.answer import Answer
from oldhand.record.base import Record, SafeName
from oldhand.record.usage import LedgerEntry


class Message(Record):
    """One turn of a conversation as it was shown."""

    role: Literal["user", "assistant", "system", "tool"]
    content: str


def messages_of(answer: Answer) -> tuple[Message, Message]:
    """A question and its answer, as they were shown."""
    return (
        Message(role="user", content=answer.question),
        Message(role="assistant", content=answer.text),
    )


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
    addresses: Mapping[str, str] = Field(default_factory=dict[str, str], exclude_if=not_)
    """The databases of an agent's own tools, which no home has registered, by name; passwords stand as `${NAME}`."""

    @classmethod
    def of(
        cls,
        answer: Answer,
        clone_id: str,
        user_id: str,
        created_at: datetime,
        tools: Iterable[str] = (),
        ledger: tuple[LedgerEntry, ...] = (),
    ) -> Self:
        """The episode that ended in an answer."""
        return cls(
            id=answer.episode_id,
            clone_id=clone_id,
            user_id=user_id,
            session_id=answer.session_id,
            created_at=created_at,
            messages=messages_of(answer),
            tools_used=tuple(dict.fromkeys(tools)),
            answer=answer,
            ledger=ledger,
        )

    @property
    def latency_ms(self) -> int:
        """Wall time of the turn in milliseconds."""
        return round(self.answer.seconds * 1000)
