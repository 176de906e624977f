"""Save and forget memories: decide what that means, given what is stored already."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.errors import MemoryConflict
from oldhand.record.memory import EpisodicPayload, Memory, MemoryType
from oldhand.record.stage import may_be_shown
from oldhand.store import tables
from oldhand.store.journal.lines import export_line, journal_line, payload_fields, tombstone_line
from oldhand.store.journal.outbox import Outbox
from oldhand.store.memory_rows import (
    New,
    Stored,
    insert_versions,
    load_stored,
    load_versions,
    with_verdict,
)
from oldhand.store.search.index import HIDDEN, IndexEntry, SearchScope, add_entries, remove_entries
from oldhand.store.search.searched_text import searched_words


class SavedChange(StrEnum):
    """What became of a memory that was to be saved."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    FORGOTTEN = "forgotten"
    """Left out: it was forgotten here, and an import does not bring it back."""
    DERIVED = "derived"
    """Left out: only its success or feedback differs, and these follow from feedback alone."""

    @property
    def writes(self) -> bool:
        """Whether there is a version to write."""
        return self in (SavedChange.NEW, SavedChange.CHANGED)


class SaveDecision(NamedTuple):
    """What to do with one memory."""

    change: SavedChange
    memory: Memory
    """The version to write when `change` is new or changed."""
    version: int


def decide(memory: Memory, stored: Stored | None, *, imported: bool) -> SaveDecision:
    """Compare `memory` with what is stored under its id.

    Files know times to the second only, and an import does not revive what was forgotten.

    Raises:
        MemoryConflict: the id belongs to another user, or to another type of memory.
    """
    if stored is None:
        return SaveDecision(SavedChange.NEW, memory, 1)
    _check_same_owner(memory, stored.memory)
    if stored.forgotten:
        change = SavedChange.FORGOTTEN if imported else SavedChange.NEW
        return SaveDecision(change, memory, stored.version + 1)
    wanted = memory if stored.known is None else with_verdict(memory, stored.known)
    text = journal_line if imported else export_line
    if text(wanted) != text(stored.memory):
        return SaveDecision(SavedChange.CHANGED, wanted, stored.version + 1)
    change = SavedChange.UNCHANGED if _signals(memory) == _signals(wanted) else SavedChange.DERIVED
    return SaveDecision(change, stored.memory, stored.version)


def _signals(memory: Memory) -> object:
    payload = memory.payload
    return (payload.success, payload.feedback) if isinstance(payload, EpisodicPayload) else None


def _check_same_owner(memory: Memory, stored: Memory) -> None:
    for name in ("user_id", "type"):
        ours, theirs = getattr(memory, name), getattr(stored, name)
        if ours != theirs:
            raise MemoryConflict(
                f"{memory.id}: {name} is {theirs}, not {ours}: take another id.",
                memory_id=memory.id,
            )


def save_in(
    connection: sa.Connection,
    memories: Sequence[Memory],
    outbox: Outbox,
    *,
    at: datetime,
    files: Mapping[str, str] | None = None,
) -> list[SavedChange]:
    """Save memories of one clone in an open transaction, and tell the journal; raises as `decide`."""
    if not memories:
        return []
    stored = load_stored(connection, memories[0].clone_id, [one.id for one in memories])
    decisions = [decide(one, stored.get(one.id), imported=files is not None) for one in memories]
    come_from = (files or {}).get
    written = [one for one in decisions if one.change.writes]
    seqs = insert_versions(
        connection,
        [New(one.memory, one.version, at, file=come_from(one.memory.id)) for one in written],
    )
    before = (stored.get(one.memory.id) for one in written)
    remove_entries(connection, [one.seq for one in before if one is not None])
    add_entries(
        connection, [entry_of(one.memory, seq) for one, seq in zip(written, seqs, strict=True)]
    )
    for one in written:
        outbox.add(connection, one.memory, journal_line(one.memory))
    return [one.change for one in decisions]


def entry_of(memory: Memory, seq: int) -> IndexEntry:
    """A version as it can be found."""
    effect = memory.effect.model_dump(mode="json") if memory.effect else None
    fields = payload_fields(memory)
    words = searched_words(memory.type, memory.summary, fields, effect, memory.tags)
    scope = SearchScope(memory.clone_id, memory.user_id, memory.type)
    phrase = memory.word.phrase if memory.word else None
    return IndexEntry(seq, scope, words, phrase, () if may_be_shown(memory) else (HIDDEN,))


def forget_in(
    connection: sa.Connection, clone_id: str, ids: Sequence[str], outbox: Outbox, *, at: datetime
) -> list[SavedChange]:
    """Write tombstones in an open transaction, and tell the journal; unknown ids are passed over."""
    stored = load_stored(connection, clone_id, ids)
    live = {one: found for one, found in stored.items() if not found.forgotten}
    tombstones = [New(one.memory, one.version + 1, at, at) for one in live.values()]
    insert_versions(connection, tombstones)
    for found in live.values():
        outbox.add(connection, found.memory, tombstone_line(found.memory, at))
    remove_entries(connection, [found.seq for found in live.values()])
    return [SavedChange.CHANGED if one in live else SavedChange.UNCHANGED for one in ids]


# What memories were: their versions, and the way back to an earlier moment.
class MemoryVersion(NamedTuple):
    """One version of a memory; who is behind it says its provenance."""

    version: int
    """1 for the first one."""
    saved_at: datetime
    forgotten_at: datetime | None
    """Set when this version is the one that forgot it."""
    memory: Memory


class RolledBack(NamedTuple):
    """What a roll-back has changed."""

    restored: tuple[str, ...]
    """Ids of memories that are again as they were, also those that had been forgotten since."""
    removed: tuple[str, ...]
    """Ids of memories that were not there yet, or were forgotten then."""


def roll_back_in(
    connection: sa.Connection, clone_id: str, to: datetime, outbox: Outbox, *, at: datetime
) -> RolledBack:
    """Let everything learned be as it was at the moment `to`, in an open transaction.

    What was said and answered since then stays: episodes and feedback are history, not lessons.
    """
    of = tables.memories.c
    since = sa.select(of.id).where(
        of.clone_id == clone_id, of.saved_at > to, of.type != MemoryType.EPISODIC.value
    )
    ids = list(connection.scalars(since.distinct().order_by(of.id)))
    before = load_stored(connection, clone_id, ids, as_of=to)
    lived = [one.memory for one in before.values() if not one.forgotten]
    saved = save_in(connection, lived, outbox, at=at)
    known = {one.id for one in lived}
    new = [one for one in ids if one not in known]
    removed = forget_in(connection, clone_id, new, outbox, at=at)
    return RolledBack(
        tuple(one.id for one, change in zip(lived, saved, strict=True) if change.writes),
        tuple(one for one, change in zip(new, removed, strict=True) if change.writes),
    )


class Undone(NamedTuple):
    """A memory that a roll-back has changed."""

    before: Memory | None
    """As it was before the roll-back; None when it was forgotten then, or had not been there."""
    after: Memory | None
    """What the roll-back made of it; None when it forgot it."""
    now: Memory | None
    is_untouched: bool
    """Whether nothing has changed it since."""


def load_changed_by_roll_back(
    connection: sa.Connection, clone_id: str, note: Stored
) -> list[Undone]:
    """What a roll-back has changed: all that was written in the transaction of its note, and before the note."""
    table = tables.memories
    same = sa.select(table.c.id).where(
        table.c.clone_id == clone_id, table.c.saved_at == note.saved_at, table.c.seq < note.seq
    )
    found = load_versions(connection, clone_id, sorted(set(connection.scalars(same))))
    return [_undone(versions, note) for versions in found.values()]


def _undone(versions: Sequence[Stored], note: Stored) -> Undone:
    at = max(n for n, one in enumerate(versions) if one.seq < note.seq)
    before = versions[at - 1].alive if at else None
    after, now = versions[at], versions[-1]
    return Undone(before, after.alive, now.alive, after is now)
