"""The chain from an answer back to what it was learned from."""

from datetime import datetime
from operator import not_
from typing import Literal

from pydantic import Field

from oldhand.record.answer import Outcome
from oldhand.record.base import Record, is_none
from oldhand.record.episode import Recalled

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

    @property
    def part(self) -> str:
        """How it took part in the answer, if it stands next to one.

        >>> item = Recalled(kind="memory", item_id="r1", rank=2, score=1.25, shown=False, chance=0.5)
        >>> Cause(kind="lesson", id="r1", text="Count by id.", recalled=item).part
        'held out (it was to be shown with a chance of 0.5), rank 2, score 1.25'
        """
        item = self.recalled
        if item is None:
            return ""
        if item.shown:
            used = {True: "used", False: "shown but not used", None: "shown"}[item.used]
            chance = f" (chance {item.chance:g})" if item.chance < 1 else ""
        elif item.chance < 1:
            used, chance = "held out", f" (it was to be shown with a chance of {item.chance:g})"
        else:
            used, chance = "left out", ""
        return f"{used}{chance}, rank {item.rank}, score {item.score:.4g}"


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
