"""Since when the trials of a lesson tell of what it is now."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import is_shown
from oldhand.store import MemoryVersion
from oldhand.store.journal.lines import payload_fields

_SAYS: dict[MemoryType, tuple[str, ...]] = {
    MemoryType.SEMANTIC: ("rule", "applies_when"),
    MemoryType.PROMPT: ("text",),
    MemoryType.CHECKLIST: ("step", "examples"),
    MemoryType.PREFERENCE: ("key", "value"),
    MemoryType.BUG_FIX: ("failure", "root_cause", "fix"),
    MemoryType.ISSUE: ("issue", "sql_query"),
}
"""What a mind gets to read of each type; what else changes, such as its evidence, makes no other lesson of it."""

ALWAYS = datetime.min.replace(tzinfo=UTC)


def trials_start(versions: Sequence[MemoryVersion]) -> datetime:
    """When a lesson got its present words and effect, or was restored after that: earlier trials don't count."""
    start = ALWAYS
    for before, after in pairwise(versions):
        came_back = _is_there(after) and not _is_there(before)
        if came_back or says_of(before.memory) != says_of(after.memory):
            start = after.saved_at
    return start


def _is_there(version: MemoryVersion) -> bool:
    return version.forgotten_at is None and is_shown(version.memory)


def says_of(memory: Memory) -> tuple[object, ...]:
    """What a mind gets to read or carry out of a memory, for comparing."""
    fields = payload_fields(memory)
    return (memory.effect, *(fields.get(name) for name in _SAYS.get(memory.type, ())))
