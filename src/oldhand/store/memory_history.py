"""What memories were: their versions, and the way back to an earlier moment."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.memory import Memory, MemoryType
from oldhand.store import tables
from oldhand.store.journal.outbox import Outbox
from oldhand.store.memory_rows import Stored, load_stored, load_versions
from oldhand.store.memory_writes import forget_in, save_in


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
