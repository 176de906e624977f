"""What a distillation has changed, and why: a record that reads aloud."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Self

from pydantic import Field

from oldhand.record.base import Record
from oldhand.record.memory import Memory


class Happening(StrEnum):
    """What can become of a lesson."""

    LEARNED = "learned"
    MERGED = "merged"
    """It was known, and has more evidence now."""
    PROMOTED = "promoted"
    """It helps: it is in force from now on."""
    WAITING = "waiting"
    """It waits for somebody to look at it, such as for a spec that it broke."""
    RETIRED = "retired"
    """It does harm, a newer word says otherwise, or what it rested on was taken back."""
    PROMPT = "prompt"
    """A version of a prompt: on trial, in use, given up, or held back."""
    ERASED = "erased"
    """It has served its time."""
    SUMMARISED = "summarised"


class DistilledLesson(Record):
    """What became of one lesson."""

    what: Happening
    lesson_id: str
    says: str
    """The lesson in one line."""
    why: str = ""

    @classmethod
    def of(cls, what: Happening, memory: Memory, why: str) -> Self:
        """What became of a lesson as it stands now."""
        return cls(what=what, lesson_id=memory.id, says=memory.summary, why=why)


MOST_EVENTS = 1_000
"""Events that are told one by one; the rest is counted."""


class LessonsReport(Record):
    """What became of lessons."""

    events: tuple[DistilledLesson, ...] = ()
    """The first of them."""
    counts: dict[Happening, int] = Field(default_factory=dict[Happening, int])
    """All of them."""

    @property
    def changed(self) -> int:
        """How many changes there were."""
        return sum(self.counts.values())

    def of(self, what: Happening) -> tuple[DistilledLesson, ...]:
        """Those of one kind that are told one by one."""
        return tuple(one for one in self.events if one.what is what)


def told(events: Iterable[DistilledLesson], before: LessonsReport | None = None) -> LessonsReport:
    """What happened, after what was told before.

    >>> event = DistilledLesson(what=Happening.LEARNED, lesson_id="rule-1", says="Count by id.")
    >>> told([event], told([event])).counts
    {<Happening.LEARNED: 'learned'>: 2}
    """
    before = before or LessonsReport()
    new = tuple(events)
    counts = Counter(before.counts) + Counter(one.what for one in new)
    return LessonsReport(events=(*before.events, *new)[:MOST_EVENTS], counts=dict(counts))
