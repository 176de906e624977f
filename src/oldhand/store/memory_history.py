"""What memories were: their versions, and the way back to an earlier moment."""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.memory import Memory, MemoryType
from oldhand.store import tables
from oldhand.store.memory_rows import load_stored
from oldhand.store.memory_writes import Change, forget_in, save_in
from oldhand.store.outbox import Outbox


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
    ids = _changed_since(connection, clone_id, to)
    before = load_stored(connection, clone_id, ids, as_of=to)
    lived = [one.memory for one in before.values() if one.forgotten_at is None]
    saved = save_in(connection, lived, outbox, at=at)
    known = {one.id for one in lived}
    new = [one for one in ids if one not in known]
    removed = forget_in(connection, clone_id, new, outbox, at=at)
    return RolledBack(
        tuple(one.id for one, change in zip(lived, saved, strict=True) if _wrote(change)),
        tuple(one for one, change in zip(new, removed, strict=True) if _wrote(change)),
    )


def _wrote(change: Change) -> bool:
    return change in (Change.NEW, Change.CHANGED)


def _changed_since(connection: sa.Connection, clone_id: str, to: datetime) -> list[str]:
    table = tables.memories
    query = (
        sa.select(table.c.id)
        .where(
            table.c.clone_id == clone_id,
            table.c.saved_at > to,
            table.c.type != MemoryType.EPISODIC.value,
        )
        .distinct()
        .order_by(table.c.id)
    )
    return list(connection.scalars(query))
