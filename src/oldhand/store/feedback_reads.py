"""Read the feedback log across episodes."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from oldhand.record.feedback import TRUSTED, Feedback
from oldhand.store import tables
from oldhand.store.reading import batches, record_of


def load_feedback_log(
    connection: sa.Connection, clone_id: str, episode_ids: Sequence[str]
) -> tuple[Feedback, ...]:
    """All signals on these episodes in order of arrival."""
    table = tables.feedback
    found: dict[int, Feedback] = {}
    for batch in batches(episode_ids):
        query = sa.select(table).where(
            table.c.clone_id == clone_id,
            table.c.episode_id.in_(batch),
        )
        for row in connection.execute(query).mappings():
            found[row["seq"]] = record_of(Feedback, row)
    return tuple(found[seq] for seq in sorted(found))


def load_places(connection: sa.Connection, clone_id: str, ids: Sequence[str]) -> dict[str, int]:
    """Where each of these signals stands in the log: larger numbers arrived later."""
    table = tables.feedback
    found: dict[str, int] = {}
    for batch in batches(ids):
        query = sa.select(table.c.id, table.c.seq).where(
            table.c.clone_id == clone_id, table.c.id.in_(batch)
        )
        found |= {row.id: row.seq for row in connection.execute(query)}
    return found


def load_last_id(
    connection: sa.Connection, clone_id: str, *, by: datetime | None, before: str | None
) -> str | None:
    """The id of the last signal in the log, of those said by a moment, or of those before another one."""
    table = tables.feedback
    query = sa.select(table.c.id).where(table.c.clone_id == clone_id)
    if by is not None:
        query = query.where(table.c.created_at <= by)
    if before is not None:
        other = table.alias("other")
        place = sa.select(other.c.seq).where(other.c.clone_id == clone_id, other.c.id == before)
        query = query.where(table.c.seq < place.scalar_subquery())
    return connection.scalar(query.order_by(table.c.seq.desc()).limit(1))


def load_judged_questions(connection: sa.Connection, clone_id: str) -> dict[str, str]:
    """The questions that stand alone, by the id of each episode that trusted people have judged."""
    episode, vote = tables.episodes, tables.feedback
    judged = sa.exists().where(
        vote.c.clone_id == episode.c.clone_id,
        vote.c.episode_id == episode.c.id,
        vote.c.source.in_([one.value for one in TRUSTED]),
    )
    query = (
        sa.select(episode.c.id, episode.c.standalone)
        .where(episode.c.clone_id == clone_id, episode.c.standalone.is_not(None), judged)
        .order_by(episode.c.seq)
    )
    return {row.id: row.standalone for row in connection.execute(query)}


def load_feedback_called(
    connection: sa.Connection, clone_id: str, given: str
) -> tuple[Feedback, ...]:
    """The feedback of that id, else those whose ids begin like that."""
    table = tables.feedback
    of_clone = sa.select(table).where(table.c.clone_id == clone_id)
    begins = table.c.id.startswith(given, autoescape=True)
    for query in (of_clone.where(table.c.id == given), of_clone.where(begins)):
        rows = connection.execute(query).mappings()
        # SQLite's LIKE doesn't tell upper from lower case.
        if found := tuple(record_of(Feedback, row) for row in rows if row["id"].startswith(given)):
            return found
    return ()
