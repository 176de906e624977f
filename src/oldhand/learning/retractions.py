"""Retractions: what people took back as a whole, by forgetting a memory or by rolling back.

Memories follow from the feedback log. Without a note of what was taken back, the next word on the same question, or
learning everything anew, would bring it back. The notes are memories of type `preference`, so that they are seen,
exported, and taken back like any other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from oldhand.record.feedback import Feedback, Source
from oldhand.record.memory import Memory, MemoryType, PreferencePayload, Provenance
from oldhand.store import Store

RETRACTION = "retraction"
"""The tag of a retraction."""
FORGET = "forget"
ROLL_BACK = "roll back"
RESET = "reset"
"""Of passages, whose hashes the note names with blanks between them."""
_BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Retraction:
    """Feedback that came after some moment, and no later than another one, does not count.

    The order of the log says what came when, as far as it is known; clocks jump, the log does not.
    """

    since: datetime
    until: datetime
    about: frozenset[str] | None = None
    """Only for these memories or passages; None means for all."""
    log_from: str | None = None
    """As in `PreferencePayload`."""
    log_until: str | None = None

    def covers(self, feedback: Feedback, places: Mapping[str, int]) -> bool:
        """Whether a feedback is among what it takes back.

        Without the places of it in the log, dates decide.
        """
        first, last = _place(self.log_from, places), _place(self.log_until, places)
        place = places.get(feedback.id)
        if first is None or last is None or place is None:
            return self.since < feedback.created_at <= self.until
        return first < place <= last


def _place(feedback_id: str | None, places: Mapping[str, int]) -> int | None:
    if feedback_id == "":
        return 0
    return None if feedback_id is None else places.get(feedback_id)


@dataclass(frozen=True)
class Retractions:
    """All retractions of a clone."""

    given: tuple[Retraction, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict[str, int])
    """Where feedback stands in the log, by its id; see `ends`."""

    @property
    def ends(self) -> tuple[str, ...]:
        """Ids of the feedback where retractions begin and end."""
        return tuple(end for one in self.given for end in (one.log_from, one.log_until) if end)

    def counts(self, about: str, feedback: Feedback) -> bool:
        """Whether a feedback counts for a memory, or for a passage."""
        return not any(
            (one.about is None or about in one.about) and one.covers(feedback, self.places)
            for one in self.given
        )


def known_retractions(store: Store, clone_id: str, log: Iterable[Feedback]) -> Retractions:
    """What was taken back, with where that and a log stand among all feedback."""
    notes = store.memories(clone_id, type=MemoryType.PREFERENCE, tag=RETRACTION, limit=None)
    found = retractions_in(notes)
    if not found.given:
        return found
    ids = [*found.ends, *(one.id for one in log)]
    return replace(found, places=store.feedback_places(clone_id, ids))


def retractions_in(memories: Iterable[Memory]) -> Retractions:
    """The retractions among some memories; what does not read as one is passed over."""
    found = (_retraction(memory) for memory in memories if RETRACTION in memory.tags)
    return Retractions(tuple(one for one in found if one is not None))


@dataclass(frozen=True)
class Noted:
    """What every note of a retraction says."""

    clone_id: str
    note_id: str
    at: datetime
    log_until: str
    """The id of the last feedback in the log at that moment; empty when there was none."""


def forgotten_note(noted: Noted, memory_id: str) -> Memory:
    """The note that a memory is to be forgotten, with all that was said for it so far."""
    payload = PreferencePayload(key=FORGET, value=memory_id, log_from="", log_until=noted.log_until)
    return _memory(noted, f"Forgotten: {memory_id}", payload)


def reset_note(noted: Noted, chunks: Iterable[str], what: str) -> Memory:
    """The note that what votes have taught about passages does not count; `what` names them for people."""
    payload = PreferencePayload(
        key=RESET, value=" ".join(chunks), log_from="", log_until=noted.log_until
    )
    return _memory(noted, f"Votes on passages were reset: {what}", payload)


def rolled_back_note(noted: Noted, to: datetime, log_from: str) -> Memory:
    """The note that feedback since `to` does not count.

    The last feedback that still counts is named; none is, when the text is empty.
    """
    payload = PreferencePayload(
        key=ROLL_BACK, value=to.isoformat(), log_from=log_from, log_until=noted.log_until
    )
    return _memory(noted, f"Rolled back to {to.isoformat(timespec='seconds')}", payload)


def is_roll_back(memory: Memory) -> bool:
    """Whether a memory is the note of a roll-back."""
    payload = memory.payload
    return (
        RETRACTION in memory.tags
        and isinstance(payload, PreferencePayload)
        and payload.key == ROLL_BACK
    )


def _retraction(memory: Memory) -> Retraction | None:
    payload = memory.payload
    if not isinstance(payload, PreferencePayload) or memory.provenance.source is not Source.OWNER:
        return None
    ends = payload.log_from, payload.log_until
    if payload.key == FORGET:
        about = frozenset({payload.value})
        return Retraction(_BEGINNING, memory.created_at, about, *ends)
    if payload.key == RESET:
        return Retraction(_BEGINNING, memory.created_at, frozenset(payload.value.split()), *ends)
    try:
        since = datetime.fromisoformat(payload.value)
    except ValueError:
        return None
    if payload.key != ROLL_BACK or since.tzinfo is None:
        return None
    return Retraction(since, memory.created_at, None, *ends)


def _memory(noted: Noted, said: str, payload: PreferencePayload) -> Memory:
    return Memory(
        type=MemoryType.PREFERENCE,
        id=f"retraction-{noted.note_id}",
        clone_id=noted.clone_id,
        created_at=noted.at,
        tags=(RETRACTION,),
        summary=said,
        provenance=Provenance(source=Source.OWNER),
        payload=payload,
    )
