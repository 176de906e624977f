"""Read lessons and reflections in the order of arrival, and how the answers fared that rest on lessons."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.answer import Outcome
from oldhand.record.document import Citation
from oldhand.record.feedback import MACHINES, Feedback
from oldhand.record.memory import LEAST_CONFIDENCE, NIGHT, RECORDS, Memory, MemoryType
from oldhand.record.usage import Usage
from oldhand.store import tables
from oldhand.store.feedback_reads import load_feedback_log
from oldhand.store.memory_rows import (
    Stored,
    has_tag,
    latest_versions,
    load_stored,
    load_stored_in,
)
from oldhand.store.transactions import StorePart, batches, id_beginning, made_with, rates

_memories, _item, _episode = tables.memories, tables.recollection_items, tables.episodes
_SHORTEST = 4
"""Characters of an id that may stand for the whole."""


class MemoryUse(NamedTuple):
    """How often a memory was used for answers, and how these ended."""

    uses: int = 0
    last: datetime | None = None
    successes: int = 0
    """Answers that ran through, and of which no person has said how good they are."""
    failures: int = 0


class LessonReads(StorePart):
    """What a `Store` knows of lessons as a whole."""

    def page(
        self, clone_id: str, types: Collection[MemoryType], *, after: int = 0, limit: int = 500
    ) -> tuple[Stored, ...]:
        """The next memories that are not forgotten, in the order in which their present versions arrived.

        `after` is the `seq` of the last one that was read; fewer than `limit` means that there are no more.
        """
        of_types = _memories.c.type.in_([one.value for one in types])
        with self._transactions.reading() as connection:
            return _page(connection, clone_id, of_types, after, limit)

    def all(self, clone_id: str, types: Collection[MemoryType]) -> Iterator[Memory]:
        """All memories of these types that are not forgotten, in that order, read as they are taken."""
        after = 0
        while page := self.page(clone_id, types, after=after):
            yield from (one.memory for one in page)
            after = page[-1].seq

    def full_id(self, clone_id: str, given: str) -> str:
        """The id of the one memory that `given` is the beginning of the id of: 4 characters or more.

        It stays as it is where it is the whole id of one, or where none begins so; answers and reflections are named by their whole ids.

        Raises:
            UsageError: several begin like that.
        """
        if len(given) < _SHORTEST or self.kept(clone_id, [given]):
            return given
        of = _memories.c
        known = latest_versions(clone_id).where(
            of.forgotten_at.is_(None), of.type.not_in(RECORDS), ~has_tag(NIGHT)
        )
        with self._transactions.reading() as connection:
            ids = known.with_only_columns(of.id)
            return id_beginning(connection, ids, "memories", given) or given

    def expiring(
        self, clone_id: str, now: datetime, *, after: int = 0, limit: int = 500
    ) -> tuple[Stored, ...]:
        """The next memories that may have served their time: older than their time to live, doubted, or retired.

        They come in pages, as from `page`.
        """
        of = _memories.c
        with self._transactions.reading() as connection:
            lives = sa.select(of.ttl_days).distinct().where(of.clone_id == clone_id)
            expired = [
                sa.and_(of.ttl_days == days, of.created_at < now - timedelta(days=days))
                for days in connection.scalars(lives)
                if days
            ]
            suspect = sa.or_(of.confidence < LEAST_CONFIDENCE, has_tag("retired"), *expired)
            return _page(connection, clone_id, suspect, after, limit)

    def kept(self, clone_id: str, ids: Sequence[str]) -> dict[str, Stored]:
        """What is known under each of these ids, forgotten ones included; unknown ids are left out."""
        with self._transactions.reading() as connection:
            return load_stored(connection, clone_id, ids)

    def file_of(self, clone_id: str, memory_id: str) -> str | None:
        """The file that a memory was imported from last; None when it never was."""
        of = _memories.c
        query = sa.select(of.file).where(
            of.clone_id == clone_id, of.id == memory_id, of.file.is_not(None)
        )
        with self._transactions.reading() as connection:
            return connection.scalar(query.order_by(of.version.desc()).limit(1))

    def is_at(self, clone_id: str, memory_id: str, seq: int) -> bool:
        """Whether a version of that memory has that place in the order of arrival."""
        of = _memories.c
        query = sa.select(of.id).where(of.clone_id == clone_id, of.seq == seq)
        with self._transactions.reading() as connection:
            return connection.scalar(query) == memory_id

    def uses(self, clone_id: str, ids: Sequence[str]) -> Mapping[str, MemoryUse]:
        """How often each of these memories was used; those that never were have an empty one."""
        found = dict.fromkeys(ids, MemoryUse())
        with self._transactions.reading() as connection:
            for batch in batches(ids):
                asked = {"clone_id": clone_id, "ids": batch}
                for row in connection.execute(_USES, asked):
                    found[row.item_id] = MemoryUse(row.uses, row.last, row.successes, row.failures)
        return found

    def fed_by(self, clone_id: str, rest_on: Mapping[str, Set[str]]) -> Mapping[str, Set[str]]:
        """Of the episodes that each memory rests on, those that were answered with it, and judged by no person since."""
        found = defaultdict[str, set[str]](set)
        with self._transactions.reading() as connection:
            for ids in batches([one for one, episodes in rest_on.items() if episodes]):
                for episodes in batches(sorted(set[str]().union(*(rest_on[one] for one in ids)))):
                    asked = {"clone_id": clone_id, "memories": ids, "ids": episodes}
                    for row in connection.execute(_FED, asked):
                        if row.episode_id in rest_on[row.item_id]:
                            found[row.item_id].add(row.episode_id)
        return found


def _page(
    connection: sa.Connection,
    clone_id: str,
    wanted: sa.ColumnElement[bool],
    after: int,
    limit: int,
) -> tuple[Stored, ...]:
    kept = sa.and_(_memories.c.forgotten_at.is_(None), wanted, _memories.c.seq > after)
    return tuple(load_stored_in(connection, clone_id, kept, limit))


_OF_CLONE = _item.c.clone_id == sa.bindparam("clone_id")
_RESTS_ON = sa.and_(_OF_CLONE, _item.c.kind == "memory", made_with(_item))


def _is_judged() -> sa.Exists:
    """Whether a person has said how good an answer is."""
    vote = tables.feedback
    return sa.exists().where(
        vote.c.clone_id == _episode.c.clone_id,
        vote.c.episode_id == _episode.c.id,
        vote.c.source.not_in([one.value for one in MACHINES]),
        rates(vote),
    )


def _uses() -> sa.Select[str, int, datetime, int, int]:
    once = (
        sa.select(_item.c.item_id, _item.c.episode_id)
        .distinct()
        .where(_RESTS_ON, _item.c.item_id.in_(sa.bindparam("ids", expanding=True)))
        .subquery("once")
    )
    of_episode = sa.and_(
        _episode.c.clone_id == sa.bindparam("clone_id"), _episode.c.id == once.c.episode_id
    )
    success = _episode.c.success
    unsaid = sa.and_(success.is_not(None), ~_is_judged())
    return (
        sa.select(
            once.c.item_id,
            sa.func.count().label("uses"),
            sa.func.max(_episode.c.created_at).label("last"),
            sa.func.sum(sa.case((sa.and_(unsaid, success), 1), else_=0)).label("successes"),
            sa.func.sum(sa.case((sa.and_(unsaid, ~success), 1), else_=0)).label("failures"),
        )
        .join(_episode, of_episode)
        .group_by(once.c.item_id)
    )


_USES = _uses()
_FED = (
    sa.select(_item.c.item_id, _item.c.episode_id)
    .distinct()
    .join(
        _episode,
        sa.and_(_episode.c.clone_id == _item.c.clone_id, _episode.c.id == _item.c.episode_id),
    )
    .where(
        _RESTS_ON,
        _item.c.item_id.in_(sa.bindparam("memories", expanding=True)),
        _item.c.episode_id.in_(sa.bindparam("ids", expanding=True)),
        ~_is_judged(),
    )
)


# What was asked and answered, in the order of arrival.
class StoredTurn(NamedTuple):
    """One question with its answer, and what was said of it."""

    seq: int
    """Place in the order of arrival."""
    episode_id: str
    user_id: str
    question: str
    standalone: str | None
    """As in `Answer`."""
    text: str
    outcome: Outcome
    confidence: float | None
    model: str
    cost: float
    citations: tuple[Citation, ...]
    feedback: tuple[Feedback, ...]
    """All of it, in order of arrival."""


def load_turns(
    connection: sa.Connection,
    clone_id: str,
    after: int,
    user_ids: Collection[str] | None,
    limit: int,
) -> tuple[StoredTurn, ...]:
    """The next turns after a place in the order of arrival."""
    of = tables.episodes.c
    plain = (of.seq, of.id, of.user_id, of.question, of.standalone, of.text)
    query = (
        sa.select(*plain, of.outcome, of.confidence, of.model, of.usage, of.citations)
        .where(of.clone_id == clone_id, of.seq > after)
        .order_by(of.seq)
        .limit(limit)
    )
    if user_ids is not None:
        query = query.where(of.user_id.in_(list(user_ids)))
    rows = connection.execute(query).all()
    said: defaultdict[str, list[Feedback]] = defaultdict(list)
    for one in load_feedback_log(connection, clone_id, [row.id for row in rows]):
        said[one.episode_id].append(one)
    return tuple(
        StoredTurn(
            *row[: len(plain)],
            outcome=Outcome(row.outcome),
            confidence=row.confidence,
            model=row.model,
            cost=Usage.model_validate(row.usage).cost,
            citations=tuple(map(Citation.model_validate, row.citations or ())),
            feedback=tuple(said[row.id]),
        )
        for row in rows
    )
