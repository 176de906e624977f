"""One memory as one line of JSON: the record format of the journal and of exports."""

from datetime import datetime
from typing import cast

from pydantic import ValidationError

from oldhand.errors import InvalidId, JournalError
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.memory import EpisodicPayload, Memory, MemoryType, Provenance
from oldhand.settings.strict_yaml import first_problem
from oldhand.store.column_types import dump_json, in_utc

JOURNAL_FILES: dict[MemoryType, str] = {
    MemoryType.EPISODIC: "episodic.jsonl",
    MemoryType.REFLECTION: "reflections.jsonl",
    MemoryType.SEMANTIC: "semantic.jsonl",
    MemoryType.PROMPT: "prompts.jsonl",
    MemoryType.CHECKLIST: "checklists.jsonl",
    MemoryType.PREFERENCE: "preferences.jsonl",
    MemoryType.BUG_FIX: "bugs.jsonl",
    MemoryType.ISSUE: "issues.jsonl",
    MemoryType.EXAMPLE: "examples.jsonl",
}
"""The file of each type in a user's folder."""


def journal_line(memory: Memory) -> str:
    """The record as the journal has it; times to the second, the user is the folder's name.

    >>> from datetime import UTC
    >>> print(journal_line(Memory.model_validate({
    ...     "type": "preference", "id": "pref-123", "created_at": datetime(2025, 11, 14, 1, tzinfo=UTC),
    ...     "payload": {"key": "currency", "value": "EUR"}})))
    {"type": "preference", "id": "pref-123", "created_at": "2025-11-14T01:00:00Z", "confidence": 1.0,
     "tags": [], "summary": "", "payload": {"key": "currency", "value": "EUR", "context": ""}}
    """
    return dump_json(_fields(memory, "seconds"))


def export_line(memory: Memory) -> str:
    """The record with all that an import needs to restore it: exact times, and the user."""
    fields = _fields(memory, "auto")
    if memory.user_id != DEFAULT_USER:
        fields["user_id"] = memory.user_id
    return dump_json(fields)


def tombstone_line(memory: Memory, at: datetime) -> str:
    """The line that says that a memory was forgotten; like any other, it wins over earlier ones."""
    return dump_json(
        {
            "type": memory.type.value,
            "id": memory.id,
            "created_at": _time(memory.created_at, "seconds"),
            "forgotten_at": _time(at, "seconds"),
        }
    )


def _fields(memory: Memory, timespec: str) -> dict[str, object]:
    """The fields of the record in their order; those that are not known are left out."""
    used, source, effect = memory.last_used_at, memory.provenance, memory.effect
    fields: dict[str, object] = {
        "type": memory.type.value,
        "id": memory.id,
        "created_at": _time(memory.created_at, timespec),
        "last_used_at": None if used is None else _time(used, timespec),
        "ttl_days": memory.ttl_days,
        "confidence": memory.confidence,
        "tags": list(memory.tags),
        "summary": memory.summary,
        "payload": payload_fields(memory),
        "provenance": None if source == Provenance() else source.model_dump(mode="json"),
        "effect": None if effect is None else effect.model_dump(mode="json", exclude_none=True),
    }
    return {name: value for name, value in fields.items() if value is not None}


def payload_fields(memory: Memory) -> dict[str, object]:
    """The payload as JSON has it; feedback is there only once somebody has given it."""
    fields = cast("dict[str, object]", memory.payload.model_dump(mode="json"))
    if isinstance(memory.payload, EpisodicPayload) and memory.payload.feedback is None:
        del fields["feedback"]
    return fields


def _time(at: datetime, timespec: str) -> str:
    return in_utc(at).isoformat(timespec=timespec).replace("+00:00", "Z")


def forgotten_id(record: dict[str, object]) -> str:
    """The id that a tombstone line names; raises `JournalError` when it names none."""
    memory_id = record.get("id")
    if not isinstance(memory_id, str):
        raise JournalError("id: a record needs one, as text")
    return memory_id


def memory_from(record: dict[str, object], *, clone_id: str, user_id: str) -> Memory:
    """The memory that the fields of one line hold; of that user when they do not say of whom.

    Raises:
        JournalError: a field is missing, unknown, or has the wrong form; the message says which.
    """
    if record.get("id") == "":  # nobody could say that they mean this one
        raise JournalError("id: a record needs one, and not an empty one")
    payload = record.get("payload")
    if isinstance(payload, dict) and "type" in payload:
        raise JournalError("payload.type: the type of a memory stands outside of its payload")
    if record.get("clone_id", clone_id) != clone_id:
        raise JournalError(f"clone_id: this memory belongs to another clone than {clone_id}")
    try:
        memory = Memory.model_validate({"user_id": user_id, **record, "clone_id": clone_id})
        for at in (memory.created_at, memory.last_used_at):
            _ = at and in_utc(at)
    except InvalidId as error:
        raise JournalError(str(error)) from error
    except OverflowError as error:
        raise JournalError("created_at, last_used_at: no year that a calendar has") from error
    except ValidationError as error:
        # Inside a payload, pydantic also names the type that it was checked as.
        place, problem = first_problem(error, Memory, besides=record.get("type"))
        named = ".".join(map(str, place))
        whole = not named or problem.startswith(f"{named}:")
        raise JournalError(problem if whole else f"{named}: {problem}") from error
    return memory
