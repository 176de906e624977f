"""How a lesson did with questions whose right answer is known, as it is kept with the lesson."""

from datetime import datetime
from math import sqrt

from pydantic import ValidationError

from oldhand.learning.evidence.contrast import LEAST, Interval, t_quantile
from oldhand.learning.lifecycle.quarantine import EXAM
from oldhand.record.base import Record
from oldhand.record.memory import Memory

_NAMED = 3
"""Questions that are named of those that something breaks."""


class ExamResult(Record):
    """Confirmed questions answered with a lesson and without it; those that it came from are left out."""

    asked: int
    """Questions."""
    mended: tuple[str, ...] = ()
    """Those that are answered rightly with it only."""
    broken: tuple[str, ...] = ()
    """Those that are answered rightly without it only."""
    at: datetime

    @property
    def effect(self) -> Interval | None:
        """On the share of right answers, with its 95 % interval; None where too few questions were asked.

        >>> from datetime import UTC
        >>> found = ExamResult(asked=40, mended=("a", "b"), broken=("c",), at=datetime(2026, 1, 1, tzinfo=UTC)).effect
        >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
        (0.025, -0.063, 0.113)
        """
        if self.asked < LEAST:
            return None
        mean = (len(self.mended) - len(self.broken)) / self.asked
        square = (len(self.mended) + len(self.broken)) / self.asked
        error = sqrt(max(square - mean * mean, 0.0) / (self.asked - 1))
        reach = t_quantile(0.975, self.asked - 1) * error
        return Interval(mean=mean, low=mean - reach, high=mean + reach)

    def same_as(self, other: "ExamResult | None") -> bool:
        """Whether it says the same, whenever it was taken."""
        return other is not None and self.model_copy(update={"at": other.at}) == other


def exam_of(memory: Memory) -> ExamResult | None:
    """The exam that is kept with a lesson; None when there was none."""
    kept = (memory.payload.model_extra or {}).get(EXAM)
    try:
        return None if kept is None else ExamResult.model_validate(kept)
    except ValidationError:
        return None  # a file that somebody edited


def with_exam(memory: Memory, result: ExamResult) -> Memory:
    """The lesson with how it did."""
    kept = {EXAM: result.model_dump(mode="json")}
    return memory.model_copy(update={"payload": memory.payload.model_copy(update=kept)})


def faults_in(result: ExamResult | None) -> list[str]:
    """What an exam says against something, the first few of it."""
    broken = () if result is None else result.broken[:_NAMED]
    return [f"it would break the confirmed answer to {one!r}" for one in broken]
