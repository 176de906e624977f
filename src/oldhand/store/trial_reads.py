"""Read back for which answers it was left to chance whether something was shown, with what came of them.

Nothing of this is stored but the draws themselves: outcomes follow from the feedback log and the evaluations.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import sqlalchemy as sa

from oldhand.record.trial import Trial
from oldhand.store import tables
from oldhand.store.episode_reads import load_signals
from oldhand.store.transactions import Transactions

_BATCH = 500
"""Databases limit how many keys a statement may name."""


class TrialReads:
    """What a `Store` knows of trials."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def each(
        self,
        clone_id: str,
        take: Callable[[Trial], object],
        *,
        lesson_id: str | None = None,
        batch: int = _BATCH,
    ) -> None:
        """Hand over all draws of a clone, in the order in which it became known how the answers went.

        An outcome that changes later keeps its place; where clocks were set back, the order is that of arrival. It is
        one state of the store, and memory stays flat: eight bytes for each episode.

        Args:
            clone_id: whose.
            take: gets one draw after the other.
            lesson_id: only of this lesson.
            batch: episodes that are read at a time.
        """
        with self._transactions.snapshot(), self._transactions.reading() as connection:
            order = array("q", connection.scalars(_in_order(clone_id, lesson_id)))
            for start in range(0, len(order), batch):
                seqs = order[start : start + batch]
                for trial in _batch(connection, clone_id, seqs, lesson_id):
                    take(trial)


def _drawn(lesson_id: str | None) -> sa.ColumnElement[bool]:
    item = tables.recollection_items
    left_to_chance = sa.and_(item.c.kind.in_(("memory", "prompt")), item.c.chance < 1)
    return left_to_chance if lesson_id is None else (item.c.item_id == lesson_id) & left_to_chance


def _in_order(clone_id: str, lesson_id: str | None) -> sa.Select[int]:
    """The keys of the episodes with draws, ordered by when it first became known how they went.

    Times only move on, as the logs grew: a clock that was set back does not put what came later before what came first.
    """
    episode, item, judged = tables.episodes, tables.recollection_items, tables.evaluations
    recorded = _moving_on(episode, "id", clone_id).subquery("recorded")
    told = _moving_on(tables.feedback, "episode_id", clone_id, _judges()).subquery("told")
    heard = (
        sa.select(
            told.c.episode_id,
            sa.func.min(told.c.at).label("at"),
            sa.func.min(told.c.seq).label("seq"),
        )
        .group_by(told.c.episode_id)
        .subquery("heard")
    )
    drawn = sa.exists().where(
        item.c.clone_id == clone_id, item.c.episode_id == recorded.c.id, _drawn(lesson_id)
    )
    evaluated = sa.exists().where(
        judged.c.clone_id == clone_id,
        judged.c.episode_id == recorded.c.id,
        judged.c.granularity == "trajectory",
        judged.c.is_valid.is_not(None),
    )
    success = sa.select(episode.c.success).where(episode.c.seq == recorded.c.seq).scalar_subquery()
    at_once = sa.or_(evaluated, success.is_not(None), heard.c.at.is_(None))
    known = sa.case((at_once, recorded.c.at), else_=heard.c.at)
    place = sa.case((at_once, 0), else_=heard.c.seq)
    return (
        sa.select(recorded.c.seq)
        .outerjoin(heard, heard.c.episode_id == recorded.c.id)
        .where(drawn)
        .order_by(known, place, recorded.c.seq)
    )


def _judges() -> sa.ColumnElement[bool]:
    """As `Feedback.judges` says; a 0 takes back what was said, and judges nothing by itself."""
    vote = tables.feedback
    return sa.or_(sa.func.abs(vote.c.rating) == 1, sa.func.coalesce(vote.c.correction, "") != "")


def _moving_on(
    table: sa.Table, key: str, clone_id: str, wanted: sa.ColumnElement[bool] | None = None
) -> sa.Select[*tuple[object, ...]]:
    """The rows of a log, each with the latest moment up to it."""
    latest = sa.func.max(table.c.created_at).over(order_by=table.c.seq).label("at")
    query = sa.select(table.c[key], table.c.seq, latest).where(table.c.clone_id == clone_id)
    return query if wanted is None else query.where(wanted)


def _batch(
    connection: sa.Connection, clone_id: str, seqs: Sequence[int], lesson_id: str | None
) -> Iterator[Trial]:
    """The draws of some episodes, in the order of `seqs`."""
    episode, item = tables.episodes, tables.recollection_items
    columns = (
        episode.c.seq,
        episode.c.id,
        episode.c.created_at,
        episode.c.usage,
        episode.c.seconds,
    )
    rows = connection.execute(sa.select(*columns).where(episode.c.seq.in_(seqs)))
    found = {row.seq: row for row in rows}
    ids = [row.id for row in found.values()]
    drawn = sa.select(item.c.episode_id, item.c.item_id, item.c.shown, item.c.chance).where(
        item.c.clone_id == clone_id, item.c.episode_id.in_(ids), _drawn(lesson_id)
    )
    items: defaultdict[str, dict[str, sa.Row[*tuple[object, ...]]]] = defaultdict(dict)
    for row in connection.execute(drawn.order_by(item.c.position)):
        items[row.episode_id].setdefault(row.item_id, row)
    signals = load_signals(connection, clone_id, ids)
    for row in (found[seq] for seq in seqs):
        success = signals[row.id].verdict().success
        known = None if success is None else float(success)
        cost = float(row.usage.get("cost", 0.0))
        for drawn_row in items[row.id].values():
            yield Trial(
                lesson_id=drawn_row.item_id,
                episode_id=row.id,
                at=row.created_at,
                shown=drawn_row.shown,
                chance=drawn_row.chance,
                success=known,
                cost=cost,
                seconds=row.seconds,
            )
