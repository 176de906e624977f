"""Retractions: what people took back as a whole, by forgetting a memory or by rolling back.

Memories follow from the feedback log. Without a note of what was taken back, the next word on the same question, or
learning everything anew, would bring it back. The notes are memories of type `preference`, so that they are seen,
exported, and taken back like any other.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from oldhand.record.feedback import Feedback, Source
from oldhand.record.memory import Memory, MemoryType, PreferencePayload, Provenance

RETRACTION = "retraction"
"""The tag of a retraction."""
FORGET = "forget"
ROLL_BACK = "roll back"
_BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Retraction:
    """Feedback that came after `since`, and no later than `until`, does not count."""

    since: datetime
    until: datetime
    memory_id: str | None = None
    """Only for this memory; None means for all."""


@dataclass(frozen=True)
class Retractions:
    """All retractions of a clone."""

    given: tuple[Retraction, ...] = ()

    def counts(self, memory_id: str, feedback: Feedback) -> bool:
        """Whether a feedback counts for a memory."""
        return not any(
            one.memory_id in (None, memory_id) and one.since < feedback.created_at <= one.until
            for one in self.given
        )


def retractions_in(memories: Iterable[Memory]) -> Retractions:
    """The retractions among some memories; what does not read as one is passed over."""
    found = (_retraction(memory) for memory in memories if RETRACTION in memory.tags)
    return Retractions(tuple(one for one in found if one is not None))


def forgotten_note(clone_id: str, note_id: str, memory_id: str, at: datetime) -> Memory:
    """The note that a memory is to be forgotten, with all that was said for it so far."""
    said = f"Forgotten: {memory_id}"
    return _memory(clone_id, note_id, at, said, PreferencePayload(key=FORGET, value=memory_id))


def rolled_back_note(clone_id: str, note_id: str, to: datetime, at: datetime) -> Memory:
    """The note that feedback since `to` does not count."""
    said = f"Rolled back to {to.isoformat(timespec='seconds')}"
    return _memory(
        clone_id, note_id, at, said, PreferencePayload(key=ROLL_BACK, value=to.isoformat())
    )


def _retraction(memory: Memory) -> Retraction | None:
    payload = memory.payload
    if not isinstance(payload, PreferencePayload) or memory.provenance.source is not Source.OWNER:
        return None
    if payload.key == FORGET:
        return Retraction(_BEGINNING, memory.created_at, payload.value)
    try:
        since = datetime.fromisoformat(payload.value)
    except ValueError:
        return None
    if payload.key != ROLL_BACK or since.tzinfo is None:
        return None
    return Retraction(since, memory.created_at)


def _memory(
    clone_id: str, note_id: str, at: datetime, said: str, payload: PreferencePayload
) -> Memory:
    return Memory(
        type=MemoryType.PREFERENCE,
        id=f"retraction-{note_id}",
        clone_id=clone_id,
        created_at=at,
        tags=(RETRACTION,),
        summary=said,
        provenance=Provenance(source=Source.OWNER),
        payload=payload,
    )
