"""Recall: the confirmed pairs, rejected pairs and words that fit a question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from oldhand.learning.recall.ports import Credit, Index
from oldhand.record.feedback import TRUSTED
from oldhand.record.lesson import Found, Lesson, Tally
from oldhand.record.memory import LEAST_CONFIDENCE, THUMB, IssuePayload, Memory, MemoryType
from oldhand.record.phrases import occurs, singular_words
from oldhand.record.ports import Clock
from oldhand.record.stage import is_shown
from oldhand.settings import RecallSettings

_AT_FIRST = 2
"""How many are looked at for one that is wanted; more when too few of them will do."""
_AT_MOST = 1_000
"""How many are looked at before the rest is left alone."""


def _anything(memory: Memory) -> bool:  # noqa: ARG001
    return True


@dataclass(frozen=True)
class Recall:
    """What was learned from trusted people and is still believed, as far as it fits a question.

    >>> from oldhand.testing import FixedClock, MemoryCredit, MemoryIndex
    >>> from oldhand.testing.records import example_memory
    >>> index = MemoryIndex([example_memory("e1", MemoryType.EXAMPLE)])
    >>> recall = Recall(index, MemoryCredit(), RecallSettings(), FixedClock())
    >>> [lesson.id for lesson in recall.recall("How many clients are there in Berlin?")]
    ['e1']
    """

    index: Index
    credit: Credit
    limits: RecallSettings
    clock: Clock

    def recall(
        self, question: str, *, concerns: Callable[[Memory], bool] = _anything
    ) -> tuple[Lesson, ...]:
        """The confirmed pairs nearest to `question`, the rejected ones, and the aliases that occur in it.

        Of each kind the best come first; those that more people voted down than up come last.

        Args:
            question: any text; a strange one recalls nothing.
            concerns: whether a memory may be of use at all; others take no place of those that may.
        """
        now, words = self.clock.now(), singular_words(question)

        def wanted(memory: Memory) -> bool:
            believed = _is_believed(memory) and not is_expired(memory, now)
            return believed and is_shown(memory) and concerns(memory)

        def rejected(memory: Memory) -> bool:
            return wanted(memory) and _is_thumb(memory)

        def spoken(phrase: str) -> bool:
            return occurs(phrase, words)

        limits = self.limits
        kinds = (
            (self._fitting(question, MemoryType.EXAMPLE, limits.examples, wanted), limits.examples),
            (self._fitting(question, MemoryType.ISSUE, limits.rejected, rejected), limits.rejected),
            (
                self._fitting(question, MemoryType.PREFERENCE, limits.aliases, wanted, spoken),
                limits.aliases,
            ),
        )
        tallies = self.credit.tallies([one.memory.id for found, _ in kinds for one in found])
        return tuple(lesson for found, limit in kinds for lesson in _ranked(found, tallies)[:limit])

    def _fitting(
        self,
        question: str,
        kind: MemoryType,
        limit: int,
        fits: Callable[[Memory], bool],
        spoken: Callable[[str], bool] | None = None,
    ) -> list[Found]:
        """Look further while too few will do: what is not trusted must not crowd out what is."""
        asked = limit * _AT_FIRST
        while asked:
            found = self.index.search(question, types=(kind,), limit=asked, phrase=spoken)
            fitting = [one for one in found if fits(one.memory)]
            if len(fitting) >= limit or len(found) < asked or asked >= _AT_MOST:
                return fitting
            asked = min(asked * 5, _AT_MOST)
        return []


def is_expired(memory: Memory, now: datetime) -> bool:
    """Whether more days have passed since it came about than it was to be kept; 0 means for good.

    >>> from oldhand.testing.records import NOON, example_memory
    >>> is_expired(example_memory(ttl_days=7), NOON + timedelta(days=8))
    True
    """
    return bool(memory.ttl_days) and now - memory.created_at > timedelta(days=memory.ttl_days or 0)


def _is_believed(memory: Memory) -> bool:
    return memory.provenance.source in TRUSTED and memory.confidence >= LEAST_CONFIDENCE


def _is_thumb(memory: Memory) -> bool:
    """Whether a person called the pair wrong; what evaluators found is told elsewhere."""
    payload = memory.payload
    return isinstance(payload, IssuePayload) and payload.evaluator_type == THUMB


def _ranked(found: Sequence[Found], tallies: Mapping[str, Tally]) -> list[Lesson]:
    """The best first; of equally good ones, the more liked, then the newer."""
    newest = sorted(found, key=lambda one: (one.memory.created_at, one.memory.id), reverse=True)
    lessons = [_lesson(one, tallies.get(one.memory.id, Tally())) for one in newest]
    return sorted(lessons, key=lambda one: (one.downs > one.ups, -one.score, one.downs - one.ups))


def _lesson(found: Found, tally: Tally) -> Lesson:
    return Lesson(memory=found.memory, score=found.score, ups=tally.ups, downs=tally.downs)
