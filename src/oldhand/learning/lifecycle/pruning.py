"""Which memories are let go of."""

from collections.abc import Iterable
from datetime import datetime

from oldhand.record.feedback import TRUSTED
from oldhand.record.memory import NOTES, Memory, MemoryType
from oldhand.record.stage import PINNED, SUPERSEDED_BY

_KEPT_WHEN_SURE = frozenset({MemoryType.SEMANTIC, MemoryType.PROMPT, MemoryType.CHECKLIST})
_SURE = 0.9
_DOUBTFUL = 0.3
_DOUBTFUL_DAYS = 30
_SECONDS_OF_A_DAY = 86_400
_KEPT_TAGS = NOTES | {PINNED}
_KEPT_TYPES = frozenset({MemoryType.EXAMPLE, MemoryType.ISSUE, MemoryType.PROMPT})


def should_prune(memory: Memory, now: datetime) -> bool:
    """Whether a memory has served its time: expired, doubtful and old, or superseded, unless a person stands behind it.

    What is known for sure (0.9 or more) stays, where it is a rule, a prompt or a checklist. A `ttl_days` of 0 is no
    limit.

    >>> from datetime import timedelta
    >>> from oldhand.testing.records import NOON, example_memory
    >>> later = NOON + timedelta(days=91)
    >>> should_prune(example_memory(kind=MemoryType.EPISODIC, ttl_days=90, confidence=1.0), later)
    True
    >>> should_prune(example_memory(kind=MemoryType.SEMANTIC, ttl_days=90, confidence=0.9), later)
    False
    """
    if memory.confidence >= _SURE and memory.type in _KEPT_WHEN_SURE:
        return False
    age = days_old(memory, now)
    if memory.ttl_days and age > memory.ttl_days:
        return True
    if memory.confidence < _DOUBTFUL and age > _DOUBTFUL_DAYS:
        return True
    return bool(superseded_by(memory)) and memory.provenance.source not in TRUSTED


def days_old(memory: Memory, now: datetime) -> float:
    """Days since a memory came about; below 0 when the clock was set back."""
    return (now - memory.created_at).total_seconds() / _SECONDS_OF_A_DAY


def superseded_by(memory: Memory) -> str | None:
    """The id of the lesson that took the place of this one; None when none has."""
    found = (memory.payload.model_extra or {}).get(SUPERSEDED_BY)
    return str(found) if found else None


def may_be_pruned(memory: Memory) -> bool:
    """Whether pruning is for this memory at all.

    What follows from feedback goes when its feedback is taken back, not by age: let go of, it would be learned again.
    That is so of words, but not of lessons that map a value: those were distilled, and live as other lessons do.
    Versions of prompts are archived when they are deprecated: people may go back to them.

    >>> from oldhand.testing.records import example_memory
    >>> [may_be_pruned(example_memory(kind=MemoryType.SEMANTIC, tags=tags)) for tags in (("rule",), ("pinned",))]
    [True, False]
    """
    kept = memory.type in _KEPT_TYPES or memory.word is not None
    return not kept and _KEPT_TAGS.isdisjoint(memory.tags)


def prunable(memories: Iterable[Memory], now: datetime) -> tuple[Memory, ...]:
    """Those that are to be let go of."""
    return tuple(one for one in memories if may_be_pruned(one) and should_prune(one, now))
