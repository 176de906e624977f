"""A memory on its way to a mind, with what speaks for it."""

from pydantic import Field

from oldhand.record.base import Record
from oldhand.record.memory import Memory


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
