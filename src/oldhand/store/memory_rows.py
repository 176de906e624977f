"""Memories as rows: every change is a new version, forgetting included."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from oldhand.record.base import texts_in
from oldhand.record.lesson import FoundMemory
from oldhand.record.memory import EpisodicPayload, Memory, MemoryType
from oldhand.store import tables
from oldhand.store.among import among
from oldhand.store.cache import Cache
from oldhand.store.episode_reads import EpisodeSignals, load_signals
from oldhand.store.journal.lines import payload_fields
from oldhand.store.search.search import SearchHit
from oldhand.store.transactions import batches
from oldhand.store.verdict import Verdict

_memories = tables.memories
_FIELDS = tuple(Memory.model_fields)
_READ = [_memories.c[name] for name in (*_FIELDS, "version", "seq", "saved_at", "forgotten_at")]
"""What is read of a row: first the fields of the memory, then what else a `Stored` says of it."""


class Stored(NamedTuple):
    """One version of a memory; usually the one that counts."""

    memory: Memory
    version: int
    seq: int
    """The key of its row: its place in the order of arrival."""
    saved_at: datetime
    forgotten_at: datetime | None
    known: Verdict | None
    """What signals say about the episode behind an episodic memory; None for all others."""

    @property
    def forgotten(self) -> bool:
        """Whether this version is a tombstone."""
        return self.forgotten_at is not None

    @property
    def alive(self) -> Memory | None:
        """The memory; None when this version is a tombstone."""
        return None if self.forgotten else self.memory


class New(NamedTuple):
    """A version to add."""

    memory: Memory
    version: int
    saved_at: datetime
    forgotten_at: datetime | None = None
    """Set in a tombstone."""
    file: str | None = None
    """The file that it was imported from."""


def insert_versions(connection: sa.Connection, versions: Sequence[New]) -> list[int]:
    """Add versions of memories, in their order; gives the `seq` of each."""
    if not versions:
        return []
    seqs = list(connection.scalars(_INSERT, [_row(one) for one in versions]))
    tags = [
        {"clone_id": memory.clone_id, "memory_id": memory.id, "version": version, "tag": tag}
        for memory, version, *_ in versions
        for tag in dict.fromkeys(memory.tags)
    ]
    if tags:
        connection.execute(sa.insert(tables.memory_tags), tags)
    return seqs


_INSERT = sa.insert(_memories).returning(_memories.c.seq, sort_by_parameter_order=True)


def _row(new: New) -> dict[str, object]:
    memory = new.memory
    payload = payload_fields(memory)
    return {
        **memory.model_dump(exclude={"payload"}),
        "provenance": memory.provenance.model_dump(mode="json"),
        "payload": payload,
        "words": _words(memory.summary, payload),
        "version": new.version,
        "saved_at": new.saved_at,
        "forgotten_at": new.forgotten_at,
        "file": new.file,
    }


def _words(summary: str, payload: object) -> str:
    return "\n".join([summary, *texts_in(payload)]).casefold()


def load_stored(
    connection: sa.Connection, clone_id: str, ids: Sequence[str], *, as_of: datetime | None = None
) -> dict[str, Stored]:
    """What is stored under these ids, forgotten ones included; or what was at the moment `as_of`."""
    found: dict[str, Stored] = {}
    for batch in batches(ids):
        query = latest_versions(clone_id, as_of).where(_memories.c.id.in_(batch))
        found |= {one.memory.id: one for one in load_all(connection, query)}
    return found


def load_stored_in(
    connection: sa.Connection,
    clone_id: str,
    wanted: sa.ColumnElement[bool],
    limit: int | None,
) -> list[Stored]:
    """Memories in the order in which their versions arrived."""
    query = latest_versions(clone_id).where(wanted).order_by(_memories.c.seq).limit(limit)
    return load_all(connection, query)


def load_versions(
    connection: sa.Connection, clone_id: str, ids: Sequence[str]
) -> dict[str, list[Stored]]:
    """All versions of each of these memories, oldest first; ids that never were there are left out."""
    found: defaultdict[str, list[Stored]] = defaultdict(list)
    for batch in batches(ids):
        query = _all_of(clone_id).where(_memories.c.id.in_(batch)).order_by(_memories.c.version)
        for one in load_all(connection, query):
            found[one.memory.id].append(one)
    return dict(found)


def load_found(
    connection: sa.Connection, hits: Sequence[Sequence[SearchHit]], kept: Cache[int, Memory]
) -> list[list[FoundMemory]]:
    """The memories that several searches have found, in the order of each; what several have found is read once.

    What a version of a memory says never changes, and rules that are shown with every question are found with every
    question; only of episodes, signals say more from day to day.
    """
    seqs = {hit.seq for some in hits for hit in some}
    memories = kept.among(seqs)
    if missing := sorted(seqs - memories.keys()):
        rows = connection.execute(_called(connection.dialect.name), {"seqs": missing})
        read = {one.seq: one.memory for one in _read(connection, rows)}
        kept.keep({seq: one for seq, one in read.items() if one.type is not MemoryType.EPISODIC})
        memories |= read
    return [[FoundMemory(memories[hit.seq], hit.score) for hit in some] for some in hits]


@lru_cache(maxsize=2)
def _called(dialect: str) -> sa.Select[*tuple[Any, ...]]:
    """Built once: putting a statement together takes longer than running it."""
    return sa.select(*_READ).where(among(_memories.c.seq, "seqs", dialect))


def latest_versions(clone_id: str, as_of: datetime | None = None) -> sa.Select[*tuple[object, ...]]:
    """The version of each memory that counts, or counted at the moment `as_of`."""
    newer = _memories.alias("newer")
    superseded = sa.exists().where(
        newer.c.clone_id == _memories.c.clone_id,
        newer.c.id == _memories.c.id,
        newer.c.version > _memories.c.version,
    )
    query = _all_of(clone_id)
    if as_of is not None:
        superseded = superseded.where(newer.c.saved_at <= as_of)
        query = query.where(_memories.c.saved_at <= as_of)
    return query.where(~superseded)


def _all_of(clone_id: str) -> sa.Select[*tuple[object, ...]]:
    return sa.select(*_READ).where(_memories.c.clone_id == clone_id)


def has_tag(tag: str) -> sa.Exists:
    """Whether a row of the table of memories has a tag."""
    tags = tables.memory_tags
    return sa.exists().where(
        tags.c.clone_id == _memories.c.clone_id,
        tags.c.memory_id == _memories.c.id,
        tags.c.version == _memories.c.version,
        tags.c.tag == tag,
    )


def load_all(connection: sa.Connection, query: sa.Select[*tuple[object, ...]]) -> list[Stored]:
    """What the rows of one clone that `query` selects hold."""
    return _read(connection, connection.execute(query))


def _read(connection: sa.Connection, result: sa.CursorResult[*tuple[Any, ...]]) -> list[Stored]:
    # A tuple gives its values away in a tenth of the time that a row of SQLAlchemy takes.
    rows = [tuple(row) for row in result]
    kept = [(dict(zip(_FIELDS, row, strict=False)), row[len(_FIELDS) :]) for row in rows]
    episodic = [fields for fields, _ in kept if fields["type"] == MemoryType.EPISODIC]
    ids = [str(one["id"]) for one in episodic]
    signals = load_signals(connection, str(episodic[0]["clone_id"]), ids) if episodic else {}
    return [_stored(fields, more, signals.get(str(fields["id"]))) for fields, more in kept]


def _stored(
    fields: Mapping[str, Any], more: tuple[Any, ...], signals: EpisodeSignals | None
) -> Stored:
    memory = Memory.model_validate(fields)
    known = signals.verdict() if signals else None
    version, seq, saved_at, forgotten_at = more
    told = with_verdict(memory, known) if known else memory
    return Stored(told, version, seq, saved_at, forgotten_at, known)


def with_verdict(memory: Memory, known: Verdict) -> Memory:
    """An episodic memory with what signals say about its episode."""
    if not isinstance(memory.payload, EpisodicPayload):
        return memory
    changes = {"success": known.success, "feedback": known.feedback}
    payload = memory.payload.model_copy(update=changes)
    tags = tuple(dict.fromkeys((*memory.tags, *known.tags_by(memory.user_id))))
    return memory.model_copy(update={"payload": payload, "tags": tags})
