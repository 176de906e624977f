"""Read lessons and reflections in the order of arrival, and how the answers fared that rest on lessons."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.feedback import MACHINES
from oldhand.record.memory import Memory, MemoryType
from oldhand.store import tables
from oldhand.store.conditions import made_with, rates
from oldhand.store.memory_rows import Stored, has_tag, load_stored, load_stored_in
from oldhand.store.reading import batches
from oldhand.store.transactions import Transactions

_DOUBTED = 0.5


class Use(NamedTuple):
    """How often a memory was used for answers, and how these ended."""

    uses: int = 0
    last: datetime | None = None
    successes: int = 0
    """Answers that ran through, and of which no person has said how good they are."""
    failures: int = 0


class LessonReads:
    """What a `Store` knows of lessons as a whole."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def page(
        self, clone_id: str, types: Collection[MemoryType], *, after: int = 0, limit: int = 500
    ) -> tuple[Stored, ...]:
        """The next memories that are not forgotten, in the order in which their present versions arrived.

        `after` is the `seq` of the last one that was read; fewer than `limit` means that there are no more.
        """
        table = tables.memories
        of_types = table.c.type.in_([one.value for one in types])
        with self._transactions.reading() as connection:
            wanted = sa.and_(table.c.forgotten_at.is_(None), of_types, table.c.seq > after)
            return tuple(load_stored_in(connection, clone_id, wanted, limit))

    def expiring(
        self, clone_id: str, now: datetime, *, after: int = 0, limit: int = 500
    ) -> tuple[Stored, ...]:
        """The next memories that may have served their time: older than their time to live, doubted, or retired.

        They come in pages, as from `page`.
        """
        table = tables.memories
        with self._transactions.reading() as connection:
            lives = sa.select(table.c.ttl_days).distinct().where(table.c.clone_id == clone_id)
            expired = [
                sa.and_(table.c.ttl_days == days, table.c.created_at < now - timedelta(days=days))
                for days in connection.scalars(lives)
                if days
            ]
            suspect = sa.or_(table.c.confidence < _DOUBTED, has_tag("retired"), *expired)
            wanted = sa.and_(table.c.forgotten_at.is_(None), suspect, table.c.seq > after)
            return tuple(load_stored_in(connection, clone_id, wanted, limit))

    def kept(self, clone_id: str, ids: Sequence[str]) -> dict[str, Stored]:
        """What is known under each of these ids, forgotten ones included; unknown ids are left out."""
        with self._transactions.reading() as connection:
            return load_stored(connection, clone_id, ids)

    def file_of(self, clone_id: str, memory_id: str) -> str | None:
        """The file that a memory was imported from last; None when it never was."""
        table = tables.memories
        query = sa.select(table.c.file).where(
            table.c.clone_id == clone_id, table.c.id == memory_id, table.c.file.is_not(None)
        )
        with self._transactions.reading() as connection:
            return connection.scalar(query.order_by(table.c.version.desc()).limit(1))

    def is_at(self, clone_id: str, memory_id: str, seq: int) -> bool:
        """Whether a version of that memory has that place in the order of arrival."""
        table = tables.memories
        query = sa.select(table.c.id).where(table.c.clone_id == clone_id, table.c.seq == seq)
        with self._transactions.reading() as connection:
            return connection.scalar(query) == memory_id

    def uses(self, clone_id: str, ids: Sequence[str]) -> Mapping[str, Use]:
        """How often each of these memories was used; those that never were have an empty one."""
        found = dict.fromkeys(ids, Use())
        with self._transactions.reading() as connection:
            for batch in batches(ids):
                asked = {"clone_id": clone_id, "ids": batch}
                for row in connection.execute(_USES, asked):
                    found[row.item_id] = Use(row.uses, row.last, row.successes, row.failures)
        return found

    def fed_by(self, clone_id: str, memory_id: str, episode_ids: Sequence[str]) -> frozenset[str]:
        """Which of these episodes were answered with the memory, and judged by no person since."""
        asked = {"clone_id": clone_id, "memory_id": memory_id, "ids": list(episode_ids)}
        with self._transactions.reading() as connection:
            return frozenset(connection.scalars(_FED, asked)) if episode_ids else frozenset()

    def earlier(self, clone_id: str, memory_ids: Sequence[str]) -> dict[str, tuple[Memory, ...]]:
        """All versions of these memories but the last, oldest first."""
        table, newer = tables.memories, tables.memories.alias("newer")
        replaced = sa.exists().where(
            newer.c.clone_id == table.c.clone_id,
            newer.c.id == table.c.id,
            newer.c.version > table.c.version,
        )
        found: defaultdict[str, list[Memory]] = defaultdict(list)
        with self._transactions.reading() as connection:
            for ids in batches(memory_ids):
                wanted = sa.and_(table.c.id.in_(ids), replaced)
                for one in load_stored_in(connection, clone_id, wanted, None, latest=False):
                    found[one.memory.id].append(one.memory)
        return {one: tuple(versions) for one, versions in found.items()}


def _rests_on(item: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(
        item.c.clone_id == sa.bindparam("clone_id"),
        item.c.kind == "memory",
        made_with(item),
    )


def _is_judged(episode: sa.Table) -> sa.Exists:
    """Whether a person has said how good an answer is."""
    vote = tables.feedback
    return sa.exists().where(
        vote.c.clone_id == episode.c.clone_id,
        vote.c.episode_id == episode.c.id,
        vote.c.source.not_in([one.value for one in MACHINES]),
        rates(vote),
    )


def _uses() -> sa.Select[str, int, datetime, int, int]:
    item, episode = tables.recollection_items, tables.episodes
    unsaid = sa.and_(episode.c.success.is_not(None), ~_is_judged(episode))
    succeeded = sa.case((sa.and_(unsaid, episode.c.success), 1), else_=0)
    failed = sa.case((sa.and_(unsaid, ~episode.c.success), 1), else_=0)
    once = (
        sa.select(item.c.item_id, item.c.episode_id)
        .distinct()
        .where(_rests_on(item), item.c.item_id.in_(sa.bindparam("ids", expanding=True)))
        .subquery("once")
    )
    of_episode = sa.and_(
        episode.c.clone_id == sa.bindparam("clone_id"), episode.c.id == once.c.episode_id
    )
    return (
        sa.select(
            once.c.item_id,
            sa.func.count().label("uses"),
            sa.func.max(episode.c.created_at).label("last"),
            sa.func.sum(succeeded).label("successes"),
            sa.func.sum(failed).label("failures"),
        )
        .join(episode, of_episode)
        .group_by(once.c.item_id)
    )


def _fed() -> sa.Select[*tuple[object, ...]]:
    item, episode = tables.recollection_items, tables.episodes
    of_episode = sa.and_(episode.c.clone_id == item.c.clone_id, episode.c.id == item.c.episode_id)
    return (
        sa.select(item.c.episode_id)
        .distinct()
        .join(episode, of_episode)
        .where(
            _rests_on(item),
            item.c.item_id == sa.bindparam("memory_id"),
            item.c.episode_id.in_(sa.bindparam("ids", expanding=True)),
            ~_is_judged(episode),
        )
    )


_USES = _uses()
_FED = _fed()
