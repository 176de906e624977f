"""Memories as rows: every change is a new version, forgetting included."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, cast

import sqlalchemy as sa

from oldhand.record.memory import EpisodicPayload, Memory, MemoryType
from oldhand.store import tables
from oldhand.store.episode_reads import Signals, load_signals
from oldhand.store.lines import payload_fields
from oldhand.store.verdict import Verdict

_PAGE = 500

_newer = tables.memories.alias("newer")
_LATEST = sa.select(tables.memories).where(
    ~sa.exists().where(
        _newer.c.clone_id == tables.memories.c.clone_id,
        _newer.c.id == tables.memories.c.id,
        _newer.c.version > tables.memories.c.version,
    )
)
"""The version of each memory that counts."""


class Stored(NamedTuple):
    """The version of a memory that counts."""

    memory: Memory
    version: int
    forgotten_at: datetime | None
    known: Verdict | None
    """What signals say about the episode behind an episodic memory; None for all others."""


def insert_version(
    connection: sa.Connection,
    memory: Memory,
    version: int,
    *,
    saved_at: datetime,
    forgotten_at: datetime | None = None,
) -> None:
    """Add one version of a memory; with `forgotten_at` it is a tombstone."""
    payload = payload_fields(memory)
    row = {
        **memory.model_dump(exclude={"payload"}),
        "provenance": memory.provenance.model_dump(mode="json"),
        "payload": payload,
        "words": _words(memory.summary, payload),
        "version": version,
        "saved_at": saved_at,
        "forgotten_at": forgotten_at,
    }
    connection.execute(sa.insert(tables.memories), row)
    if memory.tags:
        key = {"clone_id": memory.clone_id, "memory_id": memory.id, "version": version}
        rows = [{**key, "tag": tag} for tag in dict.fromkeys(memory.tags)]
        connection.execute(sa.insert(tables.memory_tags), rows)


def _words(summary: str, payload: object) -> str:
    return "\n".join([summary, *_texts(payload)]).casefold()


def _texts(value: object) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in cast("dict[str, object]", value).values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _texts(inner)


def load_stored(connection: sa.Connection, clone_id: str, ids: Sequence[str]) -> dict[str, Stored]:
    """What is stored under these ids, forgotten ones included."""
    found: dict[str, Stored] = {}
    for start in range(0, len(ids), _PAGE):
        query = _latest(clone_id).where(tables.memories.c.id.in_(ids[start : start + _PAGE]))
        found |= {one.memory.id: one for one in _load(connection, clone_id, query)}
    return found


class Filter(NamedTuple):
    """Which memories are asked for; None means any."""

    user_id: str | None = None
    type: MemoryType | None = None
    tag: str | None = None
    text: str | None = None
    """Words that all occur in the summary or payload, letter case aside."""


def load_memories(
    connection: sa.Connection, clone_id: str, wanted: Filter, limit: int | None
) -> list[Memory]:
    """The memories that are not forgotten, newest first."""
    table = tables.memories
    query = _latest(clone_id).where(table.c.forgotten_at.is_(None))
    if wanted.user_id is not None:
        query = query.where(table.c.user_id == wanted.user_id)
    if wanted.type is not None:
        query = query.where(table.c.type == wanted.type.value)
    if wanted.tag is not None:
        query = query.where(_has_tag(wanted.tag))
    for word in (wanted.text or "").casefold().split():
        query = query.where(table.c.words.contains(word, autoescape=True))
    query = query.order_by(table.c.created_at.desc(), table.c.seq.desc()).limit(limit)
    return [one.memory for one in _load(connection, clone_id, query)]


def _latest(clone_id: str) -> sa.Select[*tuple[object, ...]]:
    return _LATEST.where(tables.memories.c.clone_id == clone_id)


def _has_tag(tag: str) -> sa.Exists:
    table, tags = tables.memories, tables.memory_tags
    return sa.exists().where(
        tags.c.clone_id == table.c.clone_id,
        tags.c.memory_id == table.c.id,
        tags.c.version == table.c.version,
        tags.c.tag == tag,
    )


def _load(
    connection: sa.Connection, clone_id: str, query: sa.Select[*tuple[object, ...]]
) -> list[Stored]:
    rows = connection.execute(query).mappings().all()
    episodic = [str(row["id"]) for row in rows if row["type"] == MemoryType.EPISODIC]
    signals = load_signals(connection, clone_id, episodic)
    return [_stored(row, signals.get(row["id"])) for row in rows]


def _stored(row: sa.RowMapping, signals: Signals | None) -> Stored:
    memory = Memory.model_validate({name: row[name] for name in Memory.model_fields})
    known = signals.verdict() if signals else None
    return Stored(
        with_verdict(memory, known) if known else memory, row["version"], row["forgotten_at"], known
    )


def with_verdict(memory: Memory, known: Verdict) -> Memory:
    """An episodic memory with what signals say about its episode."""
    if not isinstance(memory.payload, EpisodicPayload):
        return memory
    changes = {"success": known.success, "feedback": known.feedback}
    return memory.model_copy(update={"payload": memory.payload.model_copy(update=changes)})
