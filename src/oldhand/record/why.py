"""The chain from an answer back to what it was learned from."""

from datetime import datetime
from operator import not_
from typing import Literal

from pydantic import Field

from oldhand.record.answer import Outcome
from oldhand.record.base import Record, is_none
from oldhand.record.recollection import Recalled

CauseKind = Literal[
    "lesson",
    "prompt",
    "model",
    "note",
    "chunk",
    "reflection",
    "feedback",
    "episode",
    "said",
    "elsewhere",
]
"""What a cause is; `said` was stated directly, without an answer, and `elsewhere` lies in no log of this store."""


class Cause(Record):
    """One link of the chain.

    >>> Cause(kind="episode", id="7599436d", text="How many clients?").model_dump()
    {'kind': 'episode', 'id': '7599436d', 'text': 'How many clients?'}
    """

    kind: CauseKind
    id: str
    """Of the memory, the feedback, the episode or the note; of what was said directly, who said it."""
    text: str
    """What it says, on one line."""
    at: datetime | None = Field(default=None, exclude_if=is_none)
    """When it came about; None when that is not known here."""
    by: str = Field(default="", exclude_if=not_)
    """Who said it, and in which role."""
    recalled: Recalled | None = Field(default=None, exclude_if=is_none)
    """How it took part in the answer: its chance, rank, score, whether it was shown and used; only next to the answer."""
    facts: tuple[str, ...] = Field(default=(), exclude_if=not_)
    """What else is to be known of it, such as its stage, its confidence, or its effect on success."""
    because: tuple["Cause", ...] = Field(default=(), exclude_if=not_)
    """What it came from."""


class Why(Record):
    """Why an answer is as it is, as far as that was learned."""

    episode_id: str
    question: str
    at: datetime
    user_id: str
    outcome: Outcome
    text: str
    """The answer."""
    model: str
    """The mind that answered."""
    causes: tuple[Cause, ...]
    """Everything learned that was recalled for it, in the order of ranks; what was held out as well."""
    is_recorded: bool = True
    """Whether it was recorded what was recalled; not so for answers of old versions, and for those that failed early."""

    @property
    def used(self) -> tuple[Cause, ...]:
        """What the answer rests on, or may rest on: it was shown, and nobody can tell that it was not used."""
        return tuple(one for one in self.causes if _may_count(one.recalled))


def _may_count(recalled: Recalled | None) -> bool:
    return recalled is not None and recalled.shown and recalled.used is not False
