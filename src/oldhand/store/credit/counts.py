"""How the search among documents fares, counted from what is on record."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.answer import Outcome
from oldhand.record.feedback import MACHINES
from oldhand.store import tables
from oldhand.store.transactions import StorePart, rows_among
from oldhand.store.work_tables import chunk_scores

_ITEM, _EPISODE, _STEP, _VOTE = (
    tables.recollection_items.c,
    tables.episodes.c,
    tables.steps.c,
    tables.feedback.c,
)
_SCORE = chunk_scores.c.score
FIRST = 5
"""Passages that an answer is made of."""
_BUCKETS = ("very_negative", "negative", "positive", "very_positive")


class SpanCounts(NamedTuple):
    """Of answers since a moment."""

    answers: int
    rated: int
    ups: int
    moved: int


class AskedOfDocuments(NamedTuple):
    """A question for which passages were looked for, and how that ended."""

    question: str
    outcome: str
    created_at: datetime
    rating: int | None
    """The last word of a person on the answer."""


class PassageCounts(StorePart):
    """What is counted of passages, for people to look at. Methods block."""

    def span(self, clone_id: str, since: datetime | None) -> SpanCounts:
        """How many answers saw passages, and what became of them."""
        asked = _asked(clone_id).subquery()
        rating = asked.c.rating
        count, total = sa.func.count(), sa.func.sum
        query = sa.select(
            count,
            count.filter(sa.func.coalesce(rating, 0) != 0),
            count.filter(rating > 0),
            sa.func.coalesce(total(sa.case((asked.c.place > FIRST, 1), else_=0)), 0),
        ).where(asked.c.saw.is_not(None))
        if since is not None:
            query = query.where(asked.c.created_at >= since)
        with self._transactions.reading() as connection:
            return SpanCounts(*connection.execute(query).one())

    def latest(self, clone_id: str, limit: int) -> tuple[AskedOfDocuments, ...]:
        """The questions for which passages were found, or nothing was, the latest first."""
        query = _asked(clone_id).order_by(_EPISODE.created_at.desc()).limit(limit)
        with self._transactions.reading() as connection:
            rows = connection.execute(query)
            return tuple(
                AskedOfDocuments(one.standalone or one.question, one.outcome, one.created_at, one.rating)
                for one in rows
            )  # fmt: skip

    def shown(self, clone_id: str, chunks: Sequence[str]) -> dict[str, int]:
        """How many answers saw each of these passages."""
        query = (
            sa.select(_ITEM.item_id, sa.func.count().label("times"))
            .where(_ITEM.clone_id == clone_id, _ITEM.kind == "chunk", _ITEM.shown)
            .group_by(_ITEM.item_id)
        )
        with self._transactions.reading() as connection:
            rows = rows_among(connection, query, _ITEM.item_id, chunks)
            return {row["item_id"]: row["times"] for row in rows}

    def score_buckets(self, clone_id: str) -> dict[str, int]:
        """How many scores there are of each kind."""
        bucket = sa.case(
            (_SCORE < -0.3, _BUCKETS[0]),
            (_SCORE < 0, _BUCKETS[1]),
            (_SCORE < 0.3, _BUCKETS[2]),
            else_=_BUCKETS[3],
        ).label("bucket")
        of_clone = chunk_scores.c.clone_id == clone_id
        query = sa.select(bucket, sa.func.count()).where(of_clone).group_by(bucket)
        with self._transactions.reading() as connection:
            found = {row[0]: row[1] for row in connection.execute(query)}
        return {one: found.get(one, 0) for one in _BUCKETS}


def _asked(clone_id: str) -> sa.Select[*tuple[object, ...]]:
    """The answers that saw passages, or had nowhere to look, with the lowest place of a passage and what was said of them."""
    saw = (
        sa.select(_ITEM.episode_id, sa.func.max(_ITEM.place).label("place"))
        .where(_ITEM.clone_id == clone_id, _ITEM.kind == "chunk")
        .group_by(_ITEM.episode_id)
        .subquery()
    )
    said = (
        sa.select(_VOTE.rating)
        .where(
            _VOTE.clone_id == clone_id,
            _VOTE.episode_id == _EPISODE.id,
            _VOTE.rating.is_not(None),
            _VOTE.passage.is_(None),
            _VOTE.source.not_in([one.value for one in MACHINES]),
        )
        .order_by(_VOTE.seq.desc())
        .limit(1)
        .scalar_subquery()
    )
    columns = (_EPISODE.question, _EPISODE.standalone, _EPISODE.outcome, _EPISODE.created_at)
    is_step = (_STEP.clone_id == clone_id, _STEP.episode_id == _EPISODE.id)
    is_lost = sa.and_(
        _EPISODE.outcome == Outcome.ABSTAINED.value, ~sa.exists(_STEP.position).where(*is_step)
    )
    return (
        sa.select(*columns, saw.c.episode_id.label("saw"), saw.c.place, said.label("rating"))
        .outerjoin(saw, saw.c.episode_id == _EPISODE.id)
        .where(_EPISODE.clone_id == clone_id, sa.or_(saw.c.episode_id.is_not(None), is_lost))
    )
