"""Read back how the latest answers fared: all of them, or those that were made with something.

Nothing of this is stored as such: it follows from the episodes, the feedback log and the evaluations.
"""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from oldhand.record.answer import Outcome
from oldhand.record.fared import Fared
from oldhand.store import tables
from oldhand.store.episode_reads import load_signals
from oldhand.store.transactions import Transactions


class FaredReads:
    """What a `Store` knows of how answers fared."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def latest(self, clone_id: str, limit: int) -> tuple[Fared, ...]:
        """The latest answers of a clone, newest first."""
        query = _answers(clone_id).order_by(tables.episodes.c.seq.desc()).limit(limit)
        with self._transactions.snapshot(), self._transactions.reading() as connection:
            return tuple(_fared(connection, clone_id, query))

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
                for fared in _fared(connection, clone_id, _made_with(clone_id, one, kind, limit))
            ]
        return tuple(sorted(found, key=lambda one: one.at, reverse=True))


def _answers(clone_id: str) -> sa.Select[*tuple[object, ...]]:
    episode = tables.episodes
    columns = ("id", "created_at", "question", "model", "usage", "seconds", "outcome")
    return sa.select(*(episode.c[name] for name in columns)).where(episode.c.clone_id == clone_id)


def _made_with(
    clone_id: str, item_id: str, kind: str, limit: int
) -> sa.Select[*tuple[object, ...]]:
    episode, item = tables.episodes, tables.recollection_items
    of_episode = sa.and_(item.c.clone_id == episode.c.clone_id, item.c.episode_id == episode.c.id)
    return (
        _answers(clone_id)
        .add_columns(item.c.item_id, item.c.chance)
        .join(item, of_episode)
        .where(
            item.c.item_id == item_id,
            item.c.kind == kind,
            item.c.shown,
            sa.func.coalesce(item.c.used, sa.true()),
        )
        .order_by(episode.c.seq.desc())
        .limit(limit)
    )


def _fared(
    connection: sa.Connection, clone_id: str, query: sa.Select[*tuple[object, ...]]
) -> Iterator[Fared]:
    rows = connection.execute(query).mappings().all()
    signals = load_signals(connection, clone_id, [str(row["id"]) for row in rows])
    for row in rows:
        known = signals[row["id"]].verdict()
        yield Fared(
            episode_id=row["id"],
            at=row["created_at"],
            question=row["question"],
            model=row["model"],
            success=known.success,
            feedback=known.feedback,
            cost=float(row["usage"].get("cost", 0.0)),
            seconds=row["seconds"],
            outcome=Outcome(row["outcome"]),
            item_id=row.get("item_id", ""),
            chance=row.get("chance", 1.0),
        )
