"""Read the feedback log across episodes."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.errors import UsageError
from oldhand.record.feedback import MACHINES, TRUSTED, Feedback
from oldhand.store import tables
from oldhand.store.transactions import Transactions, id_beginning, is_whole, record_of, rows_among


class FeedbackTotals(NamedTuple):
    """Answers by what people said of them."""

    answers: int
    rated: int
    liked: int
    """Those whose last rating is positive."""


class FeedbackReads:
    """What a `Store` knows of all that was said."""

    _transactions: Transactions

    def feedback_on(self, clone_id: str, episode_id: str) -> tuple[Feedback, ...]:
        """All signals on an episode in order of arrival, superseded ones included."""
        return self.feedback_log(clone_id, [episode_id])

    def feedback_log(self, clone_id: str, episode_ids: Sequence[str]) -> tuple[Feedback, ...]:
        """All signals on these episodes in order of arrival, superseded ones included."""
        with self._transactions.reading() as connection:
            return load_feedback_log(connection, clone_id, episode_ids)

    def said_of(self, clone_id: str, episode_id: str, rater: str) -> int:
        """How many signals somebody has given on an episode."""
        vote = tables.feedback.c
        of = (vote.clone_id == clone_id, vote.episode_id == episode_id, vote.rater == rater)
        with self._transactions.reading() as connection:
            return connection.scalar(sa.select(sa.func.count(vote.seq)).where(*of)) or 0

    def feedback_on_chunk(self, clone_id: str, chunk: str) -> tuple[Feedback, ...]:
        """All votes on the answers that saw a passage, and on the passage itself, in order of arrival."""
        table, item = tables.feedback, tables.recollection_items
        saw = sa.select(item.c.episode_id).where(
            item.c.clone_id == clone_id, item.c.item_id == chunk, item.c.kind == "chunk"
        )
        query = sa.select(table).where(
            table.c.clone_id == clone_id,
            table.c.rating.is_not(None),
            sa.or_(table.c.passage.is_(None), table.c.passage == chunk),
            table.c.episode_id.in_(saw),
        )
        with self._transactions.reading() as connection:
            rows = connection.execute(query.order_by(table.c.seq)).mappings()
            return tuple(record_of(Feedback, row) for row in rows)

    def feedback_totals(self, clone_id: str) -> FeedbackTotals:
        """How many answers were given, how many people rated, and how many they liked."""
        vote = tables.feedback
        by_people = vote.c.source.not_in([one.value for one in MACHINES])
        last = (
            sa.select(sa.func.max(vote.c.seq))
            .where(vote.c.clone_id == clone_id, vote.c.rating.is_not(None), by_people)
            .group_by(vote.c.episode_id)
        )
        liked = sa.func.sum(sa.case((vote.c.rating > 0, 1), else_=0))
        episodes = sa.select(sa.func.count()).where(tables.episodes.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            answers = connection.scalar(episodes) or 0
            rated, ups = connection.execute(
                sa.select(sa.func.count(), liked).where(vote.c.seq.in_(last))
            ).one()
        return FeedbackTotals(answers, rated, ups or 0)

    def feedback(self, clone_id: str, feedback_id: str) -> Feedback:
        """The feedback of that id, or of the only id that begins like that.

        Raises:
            UsageError: there is none, or several begin like that.
        """
        table = tables.feedback
        ids = sa.select(table.c.id).where(table.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            found = id_beginning(connection, ids, "signals of feedback", feedback_id)
            if found is None:
                raise UsageError(f"No feedback has an id that begins with {feedback_id!r}.")
            one = sa.select(table).where(table.c.clone_id == clone_id, table.c.id == found)
            row = connection.execute(one).mappings().one()
        return record_of(Feedback, row)

    def feedback_places(self, clone_id: str, ids: Sequence[str]) -> dict[str, int]:
        """Where each of these signals stands in the log of all; the order holds, the numbers mean nothing."""
        table = tables.feedback
        query = sa.select(table.c.id, table.c.seq).where(table.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            rows = rows_among(connection, query, table.c.id, ids)
            return {row["id"]: row["seq"] for row in rows}

    def last_feedback_id(
        self, clone_id: str, *, by: datetime | None = None, before: str | None = None
    ) -> str | None:
        """The id of the last signal in the log: of all, of those dated no later than `by`, or of those before another."""
        table = tables.feedback
        query = sa.select(table.c.id).where(table.c.clone_id == clone_id)
        if by is not None:
            query = query.where(table.c.created_at <= by)
        if before is not None:
            other = table.alias("other")
            place = sa.select(other.c.seq).where(other.c.clone_id == clone_id, other.c.id == before)
            query = query.where(table.c.seq < place.scalar_subquery())
        with self._transactions.reading() as connection:
            return connection.scalar(query.order_by(table.c.seq.desc()).limit(1))

    def judged_questions(self, clone_id: str) -> dict[str, str]:
        """What was asked, by the id of each episode that the owner or an expert has judged, oldest first.

        The question as it stands alone; episodes whose question leans on a conversation are left out.
        """
        episode, vote = tables.episodes, tables.feedback
        judged = sa.exists().where(
            vote.c.clone_id == episode.c.clone_id,
            vote.c.episode_id == episode.c.id,
            vote.c.source.in_([one.value for one in TRUSTED]),
            is_whole(vote),
        )
        query = (
            sa.select(episode.c.id, episode.c.standalone)
            .where(episode.c.clone_id == clone_id, episode.c.standalone.is_not(None), judged)
            .order_by(episode.c.seq)
        )
        with self._transactions.reading() as connection:
            return {row.id: row.standalone for row in connection.execute(query)}


def load_feedback_log(
    connection: sa.Connection, clone_id: str, episode_ids: Sequence[str]
) -> tuple[Feedback, ...]:
    """What `FeedbackReads.feedback_log` gives, in an open transaction."""
    table = tables.feedback
    query = sa.select(table).where(table.c.clone_id == clone_id)
    rows = rows_among(connection, query, table.c.episode_id, episode_ids)
    found = {row["seq"]: record_of(Feedback, row) for row in rows}
    return tuple(found[seq] for seq in sorted(found))
