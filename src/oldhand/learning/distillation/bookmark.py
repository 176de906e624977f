"""How far distillation has read, and when the last night was: one note in the store, saved with what it tells of.

The note is a memory, so that it is seen, exported and rolled back with the lessons that it belongs to. Lost, it costs
time only: to distil a reflection again changes nothing.
"""

from datetime import datetime
from typing import NamedTuple

from oldhand.record.feedback import Source
from oldhand.record.memory import NIGHT, Memory, MemoryType, PreferencePayload, Provenance
from oldhand.store import Store
from oldhand.store.memory_rows import Stored

NOTE_ID = "night"
_SEQ = "distilled_seq"
_LAST = "distilled_id"
_NEVER = ""


class Bookmark(NamedTuple):
    """The last reflection that was read."""

    seq: int = 0
    """Its place in the order of arrival; 0 before the first one."""
    reflection_id: str = ""


def read_bookmark(store: Store, clone_id: str) -> Bookmark:
    """How far distillation has read; the beginning when the note is of another store, where places are others."""
    note = _note(store, clone_id)
    if note is None:
        return Bookmark()
    extra = note.payload.model_extra or {}
    seq, last = extra.get(_SEQ), extra.get(_LAST)
    if not isinstance(seq, int) or not isinstance(last, str) or seq < 1:
        return Bookmark()
    return Bookmark(seq, last) if store.lessons.is_at(clone_id, last, seq) else Bookmark()


def bookmark_note(store: Store, clone_id: str, last: Stored) -> Memory:
    """The note with a new place."""
    return _changed(
        store, clone_id, {_SEQ: last.seq, _LAST: last.memory.id}, last.memory.created_at
    )


def rewind(store: Store, clone_id: str) -> None:
    """Let distillation read everything once more; when the last night was stays as it is."""
    note = _note(store, clone_id)
    if note is not None:
        payload = note.payload.model_copy(update={_SEQ: 0, _LAST: ""})
        store.save_memories(clone_id, [note.model_copy(update={"payload": payload})])


def last_night(store: Store, clone_id: str) -> datetime | None:
    """When the last night came to its end; None when there never was one."""
    note = _note(store, clone_id)
    if note is None or not isinstance(note.payload, PreferencePayload):
        return None
    try:
        return datetime.fromisoformat(note.payload.value)
    except ValueError:
        return None


def night_note(store: Store, clone_id: str, at: datetime, *, specs: str = "") -> Memory:
    """The note with the end of a night."""
    return _changed(store, clone_id, {"value": at.isoformat(), "specs": specs}, at)


def _note(store: Store, clone_id: str) -> Memory | None:
    kept = store.lessons.kept(clone_id, [NOTE_ID]).get(NOTE_ID)
    if kept is None or kept.forgotten or NIGHT not in kept.memory.tags:
        return None
    is_own = kept.memory.provenance.source is Source.EXECUTION
    return kept.memory if is_own else None  # a file may claim anything


def _changed(store: Store, clone_id: str, fields: dict[str, object], at: datetime) -> Memory:
    note = _note(store, clone_id) or Memory(
        type=MemoryType.PREFERENCE,
        id=NOTE_ID,
        clone_id=clone_id,
        created_at=at,
        confidence=0.0,  # it is no lesson: neither recalled nor listed
        tags=(NIGHT,),
        summary="How far the nights have come",
        provenance=Provenance(source=Source.EXECUTION),
        payload=PreferencePayload(key=NIGHT, value=_NEVER),
    )
    payload = note.payload.model_copy(update=fields)
    return note.model_copy(update={"payload": payload})
