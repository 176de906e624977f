"""A memory on its way to a mind, with what speaks for it."""

from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from pydantic import Field

from oldhand.record.base import Record
from oldhand.record.memory import Memory, MemoryType


class FoundMemory(NamedTuple):
    """A memory that a search has found."""

    memory: Memory
    score: float
    """How well it fits; larger is better, and comparable within one search only."""


class Only(NamedTuple):
    """What a search is narrowed down to, besides words and types."""

    phrase: Callable[[str], bool] | None = None
    """Words whose phrase passes this, and of which the text has all words; small words aside."""
    marked: str | None = None
    """What has this word as well, such as `store.searched_text.PLAIN`; letters and digits only."""
    shown: bool = False
    """Only what may be shown with an answer, as `record.stage.may_be_shown` says."""


ANYTHING: Final = Only()


class Search(NamedTuple):
    """One search among memories."""

    text: str
    """Usually a question; data, whatever it looks like."""
    types: Collection[MemoryType] | None = None
    """Only these; None means any."""
    limit: int = 10
    """How many at most."""
    only: Only = ANYTHING
    """What else they must be."""


class Tally(NamedTuple):
    """How the answers fared that rest on something: the latest vote of each trusted rater on each of them."""

    ups: int = 0
    downs: int = 0


class Lesson(Record):
    """Something learned that was recalled for a question."""

    memory: Memory
    score: float = 0.0
    """How well it fits the question, as the index says; larger is better."""
    ups: int = Field(default=0, ge=0)
    """Trusted people who liked an answer that was made with it."""
    downs: int = Field(default=0, ge=0)
    """Trusted people who disliked one."""

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.memory.id
