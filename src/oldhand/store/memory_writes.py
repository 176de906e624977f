"""Save and forget memories: decide what that means, given what is stored already."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.errors import MemoryConflict
from oldhand.record.memory import EpisodicPayload, Memory
from oldhand.record.stage import may_be_shown
from oldhand.store.journal.lines import export_line, journal_line, payload_fields, tombstone_line
from oldhand.store.journal.outbox import Outbox
from oldhand.store.memory_rows import New, Stored, insert_versions, load_stored, with_verdict
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
