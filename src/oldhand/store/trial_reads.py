"""Read back for which answers it was left to chance whether something was shown, with what came of them.

Nothing of this is stored but the draws themselves: outcomes follow from the feedback log and the evaluations.
"""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from math import inf

import sqlalchemy as sa

from oldhand.record.answer import Outcome
from oldhand.record.episode import SAME
from oldhand.record.trial import Trial
from oldhand.store import tables
from oldhand.store.episode_reads import load_signals
from oldhand.store.transactions import BATCH, StorePart, batches, made_with, rates


class TrialReads(StorePart):
    """What a `Store` knows of trials."""

    def each(
        self,
        clone_id: str,
        take: Callable[[Trial], object],
        *,
        lesson_id: str | None = None,
        used: Collection[str] = (),
        batch: int = BATCH,
    ) -> None:
        """Hand over all draws of a clone, in the order in which it became known how the answers went.

        An outcome that changes later keeps its place; where clocks were set back, the order is that of arrival. It is
        one state of the store, and memory stays flat: some bytes for each episode.
        All of them, those of one lesson, or those of answers that used one of some items.
        """
        with self._transactions.snapshot(), self._transactions.reading() as connection:
            order = _in_order(connection, clone_id, lesson_id, used)
            for seqs in batches(order, batch):
                for trial in _batch(connection, clone_id, seqs, lesson_id):
                    take(trial)

    def unseen(self, clone_id: str, limit: int) -> tuple[tuple[str, str], ...]:
        """The latest draws for lessons whose shadow nobody has looked at: the ids of the answer and of the lesson."""
        item, episode = tables.recollection_items, tables.episodes
        query = (
            sa.select(item.c.episode_id, item.c.item_id)
            .join(
                episode, sa.and_(episode.c.clone_id == clone_id, episode.c.id == item.c.episode_id)
            )
            .where(item.c.clone_id == clone_id, item.c.kind == "memory", item.c.chance < 1)
            .where(item.c.shadow.is_(None), episode.c.outcome == Outcome.ANSWERED)
            .order_by(episode.c.seq.desc(), item.c.position)
            .limit(limit)
        )
        with self._transactions.reading() as connection:
            return tuple((row.episode_id, row.item_id) for row in connection.execute(query))

    def note_shadow(self, clone_id: str, episode_id: str, lesson_id: str, shadow: str) -> None:
        """Keep what the opposite draw would have answered, as in `Recalled.shadow`."""
        item = tables.recollection_items
        with self._transactions.writing(clone_id, journalled=False) as connection:
            connection.execute(
                sa.update(item)
                .where(item.c.clone_id == clone_id, item.c.episode_id == episode_id)
                .where(item.c.kind == "memory", item.c.item_id == lesson_id)
                .values(shadow=shadow)
            )


def _drawn(lesson_id: str | None) -> sa.ColumnElement[bool]:
    item = tables.recollection_items
    left_to_chance = sa.and_(
        item.c.kind.in_(("memory", "prompt")), (item.c.chance < 1) | (item.c.shadow == SAME)
    )
    return left_to_chance if lesson_id is None else (item.c.item_id == lesson_id) & left_to_chance


def _in_order(
    connection: sa.Connection, clone_id: str, lesson_id: str | None, used: Collection[str]
) -> "array[int]":
    """The keys of the episodes with draws, ordered by when it first became known how they went.

    Times only move on, as the logs grew: a clock that was set back does not put what came later before what came first.
    """
    log, told = array("q"), array("d")
    vote = tables.feedback
    said = sa.select(vote.c.seq, vote.c.created_at).where(vote.c.clone_id == clone_id, rates(vote))
    for row in _rows(connection, said.order_by(vote.c.seq)):
        told.append(max(row.created_at.timestamp(), told[-1] if told else -inf))
        log.append(row.seq)
    seqs, known, places, latest = array("q"), array("d"), array("q"), -inf
    for row in _rows(connection, _with_draws(clone_id, lesson_id, used)):
        latest = max(latest, row.created_at.timestamp())
        seqs.append(row.seq)
        known.append(latest if row.heard is None else told[bisect_left(log, row.heard)])
        places.append(row.heard or 0)
    order = sorted(range(len(seqs)), key=lambda one: (known[one], places[one], seqs[one]))
    return array("q", (seqs[one] for one in order))


def _rows(
    connection: sa.Connection, query: sa.Select[*tuple[object, ...]]
) -> sa.CursorResult[*tuple[object, ...]]:
    return connection.execute(query, execution_options={"yield_per": BATCH})


def _with_draws(
    clone_id: str, lesson_id: str | None, used: Collection[str]
) -> sa.Select[*tuple[object, ...]]:
    """The episodes with draws, in order of arrival, each with the first vote; None where it was known before, or not yet."""
    episode, item = tables.episodes, tables.recollection_items
    judged, vote = tables.evaluations, tables.feedback
    drawn = sa.exists().where(
        item.c.clone_id == clone_id, item.c.episode_id == episode.c.id, _drawn(lesson_id)
    )
    evaluated = sa.exists().where(
        judged.c.clone_id == clone_id,
        judged.c.episode_id == episode.c.id,
        judged.c.granularity == "trajectory",
        judged.c.is_valid.is_not(None),
    )
    first = (
        sa.select(sa.func.min(vote.c.seq))
        .where(vote.c.clone_id == clone_id, vote.c.episode_id == episode.c.id, rates(vote))
        .scalar_subquery()
    )
    at_once = sa.or_(episode.c.success.is_not(None), evaluated)
    heard = sa.case((at_once, None), else_=first).label("heard")
    query = sa.select(episode.c.seq, episode.c.created_at, heard)
    if used:
        other = item.alias("used")
        made = (other.c.clone_id == clone_id, other.c.episode_id == episode.c.id, made_with(other))
        query = query.where(sa.exists().where(*made, other.c.item_id.in_(used)))
    return query.where(episode.c.clone_id == clone_id, drawn).order_by(episode.c.seq)


def _batch(
    connection: sa.Connection, clone_id: str, seqs: Sequence[int], lesson_id: str | None
) -> Iterator[Trial]:
    """The draws of some episodes, in the order of `seqs`."""
    episode, item = tables.episodes, tables.recollection_items
    columns = (episode.c[name] for name in ("seq", "id", "created_at", "usage", "seconds"))
    rows = connection.execute(sa.select(*columns).where(episode.c.seq.in_(seqs)))
    found = {row.seq: row for row in rows}
    ids = [row.id for row in found.values()]
    chosen = (item.c.episode_id, item.c.item_id, item.c.shown, item.c.chance, item.c.shadow)
    drawn = sa.select(*chosen).where(
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
                shadow=drawn_row.shadow,
                cost=cost,
                seconds=row.seconds,
            )
