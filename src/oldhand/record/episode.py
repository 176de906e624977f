"""One question and all that followed."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from operator import not_
from typing import Literal, Self

from pydantic import Field

from oldhand.record.answer import Answer
from oldhand.record.base import Record, SafeName, is_none
from oldhand.record.usage import LedgerEntry

SAME = "same"
"""The shadow of a lesson without which the answer would have been the same."""


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


# Exactly what was recalled for an episode; without it nothing can be credited.
class Recalled(Record):
    """One item that was considered for a prompt."""

    kind: Literal["memory", "chunk", "prompt", "evaluation", "model"]
    item_id: str
    rank: int = Field(ge=1)
    score: float
    shown: bool
    chance: float = Field(gt=0, le=1)
    """The probability with which it was to be shown, fixed before the draw."""
    used: bool | None = None
    """Whether the answer rests on it; None when that can't be told, as with a language model."""
    shadow: str | None = Field(default=None, exclude_if=is_none)
    """What the opposite draw would have answered: `SAME`, or a digest of its rows; None when nobody looked."""
    boost: float | None = Field(default=None, exclude_if=is_none)
    """Of a passage: what feedback added to its `score`, which is how well it fits by itself; None for other things."""
    place: int | None = Field(default=None, exclude_if=is_none)
    """Of a passage: its rank before feedback had a say; None for other things, and where that was not recorded."""
    cosine: float | None = Field(default=None, exclude_if=is_none)
    """Of a passage: how near it is to the question by its meaning; None without an embedder, as with `place`."""


class Recollection(Record):
    """All that was recalled in one episode, in the order it was considered."""

    episode_id: str
    items: tuple[Recalled, ...] = ()
