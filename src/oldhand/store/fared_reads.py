"""Read back how the latest answers fared: all of them, or those that were made with something.

Nothing of this is stored as such: it follows from the episodes, the feedback log and the evaluations.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

import sqlalchemy as sa

from oldhand.record.answer import Outcome
from oldhand.record.fared import Fared
from oldhand.store import tables
from oldhand.store.transactions import Transactions
from oldhand.store.verdict_query import judged


class Count(NamedTuple):
    """How many answers were right, and how many wrong."""

    good: int = 0
    bad: int = 0


class FaredReads:
    """What a `Store` knows of how answers fared."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def latest(self, clone_id: str, limit: int) -> tuple[Fared, ...]:
        """The latest answers of a clone, newest first."""
        anything = (sa.literal("").label("item_id"), sa.literal(1.0).label("chance"))
        query = _answers(clone_id).add_columns(*anything)
        query = query.order_by(tables.episodes.c.seq.desc()).limit(limit)
        with self._transactions.reading() as connection:
            return tuple(_fared(connection, query))

    def made_with(
        self, clone_id: str, item_ids: Sequence[str], *, kind: str, limit: int
    ) -> tuple[Fared, ...]:
        """The latest answers that were made with any of these; what was shown but cannot have been used is left out.

        Args:
            clone_id: whose.
            item_ids: such as ids of versions of prompts.
            kind: of the items, as in `Recalled`.
            limit: answers for each of them at most.

        Returns:
            one for each answer and item, newest first.
        """
        with self._transactions.snapshot(), self._transactions.reading() as connection:
            found = [
                fared
                for one in item_ids
                for fared in _fared(connection, _made_with(clone_id, one, kind, limit))
            ]
        return tuple(sorted(found, key=lambda one: one.at, reverse=True))

    def tried(
        self, clone_id: str, item_ids: Sequence[str], *, kind: str, since: datetime
    ) -> Mapping[str, Count]:
        """How the answers went that were made with each of these, where that was left to chance.

        Args:
            clone_id: whose.
            item_ids: such as ids of versions of prompts.
            kind: of the items, as in `Recalled`.
            since: only answers from then on.
        """
        episode, item = tables.episodes, tables.recollection_items
        asked = (
            sa.select(episode.c.clone_id, episode.c.id, episode.c.success, item.c.item_id)
            .join(item, _of_episode(episode, item))
            .where(_is_used(item, clone_id, item_ids, kind))
            .where(item.c.chance < 1, episode.c.created_at >= since)
            .cte("asked")
        )
        known = judged(asked)
        good = sa.func.sum(known.success)
        query = (
            sa.select(
                asked.c.item_id, good.label("good"), sa.func.count(known.success).label("all")
            )
            .select_from(known.rows)
            .group_by(asked.c.item_id)
        )
        with self._transactions.reading() as connection:
            rows = connection.execute(query).all()
        counted = {row.item_id: Count(row.good or 0, row.all - (row.good or 0)) for row in rows}
        return dict.fromkeys(item_ids, Count()) | counted


_READ = ("clone_id", "seq", "id", "created_at", "question", "model", "seconds", "outcome", "usage", "success")  # fmt: skip


def _answers(clone_id: str) -> sa.Select[*tuple[object, ...]]:
    episode = tables.episodes
    return sa.select(*(episode.c[name] for name in _READ)).where(episode.c.clone_id == clone_id)


def _made_with(
    clone_id: str, item_id: str, kind: str, limit: int
) -> sa.Select[*tuple[object, ...]]:
    episode, item = tables.episodes, tables.recollection_items
    return (
        _answers(clone_id)
        .add_columns(item.c.item_id, item.c.chance)
        .join(item, _of_episode(episode, item))
        .where(_is_used(item, clone_id, [item_id], kind))
        .order_by(episode.c.seq.desc())
        .limit(limit)
    )


def _of_episode(episode: sa.Table, item: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(item.c.clone_id == episode.c.clone_id, item.c.episode_id == episode.c.id)


def _is_used(
    item: sa.Table, clone_id: str, item_ids: Sequence[str], kind: str
) -> sa.ColumnElement[bool]:
    return sa.and_(
        item.c.clone_id == clone_id,
        item.c.item_id.in_(item_ids),
        item.c.kind == kind,
        item.c.shown,
        sa.func.coalesce(item.c.used, sa.true()),
    )


def _fared(connection: sa.Connection, query: sa.Select[*tuple[object, ...]]) -> Iterator[Fared]:
    asked = query.cte("asked")
    known = judged(asked)
    columns = (*(asked.c[name] for name in _Told._fields[:-2]), known.success, known.word)
    told: sa.Select[*tuple[object, ...]] = (
        sa.select(*columns).select_from(known.rows).order_by(asked.c.seq.desc())
    )
    for row in map(_Told._make, connection.execute(told)):
        yield Fared(
            episode_id=row.id,
            at=row.created_at,
            question=row.question,
            model=row.model,
            success=None if row.success is None else bool(row.success),
            feedback=_WORDS[row.word],
            cost=float(row.usage.get("cost", 0.0)),
            seconds=row.seconds,
            outcome=_OUTCOMES[row.outcome],
            item_id=row.item_id,
            chance=row.chance,
        )


class _Told(NamedTuple):
    """A row by position: there are thousands, and looking names up takes longer than reading them."""

    id: str
    created_at: datetime
    question: str
    model: str
    seconds: float
    outcome: str
    usage: Mapping[str, float]
    item_id: str
    chance: float
    success: int | None
    word: int | None


_OUTCOMES = {one.value: one for one in Outcome}
_WORDS: Mapping[int | None, Literal["positive", "negative"] | None] = {
    None: None,
    0: "negative",
    1: "positive",
}
