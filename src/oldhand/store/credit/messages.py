"""What is copied or derived from the feedback log: the latest vote on an answer beside its message, and credit that lost its vote."""

import sqlalchemy as sa

from oldhand.record.feedback import MACHINES, Source
from oldhand.store import tables
from oldhand.store import work_tables as documents

_events = documents.credit_events
_SOURCES = {Source.OWNER.value: "owner", Source.EXPERT.value: "expert"}
_OF_OTHERS = "external_user"


def note_feedback(connection: sa.Connection, clone_id: str, episode_id: str) -> None:
    """Put the latest vote of a person on an answer beside its message; a vote on one passage is none on the answer."""
    vote, message = tables.feedback, tables.messages
    of_people = vote.c.source.not_in([one.value for one in MACHINES])
    of = (
        vote.c.clone_id == clone_id,
        vote.c.episode_id == episode_id,
        vote.c.passage.is_(None),
        of_people,
    )

    def latest(column: sa.Column[object]) -> tuple[object, str | None]:
        query = sa.select(column, vote.c.source).where(*of, column.is_not(None))
        found = connection.execute(query.order_by(vote.c.seq.desc()).limit(1)).first()
        return (None, None) if found is None else (found[0], found[1])

    rating, by = latest(vote.c.rating)
    style, by_style = latest(vote.c.style_rating)
    text, by_text = latest(vote.c.text)
    source = by or by_style or by_text
    mine = (message.c.clone_id == clone_id, message.c.episode_id == episode_id)
    last = sa.select(sa.func.max(message.c.position)).where(*mine, message.c.role == "assistant")
    connection.execute(
        sa.update(message)
        .where(*mine, message.c.position == last.scalar_subquery())
        .values(
            feedback_rating=rating or None,
            style_rating=style,
            feedback_source=None if source is None else _SOURCES.get(source, _OF_OTHERS),
            feedback_text=text,
        )
    )


def drop_orphans(connection: sa.Connection, clone_id: str) -> None:
    """Let go of what follows from feedback that is not in the log any longer, and of all scores, which may rest on it."""
    vote = tables.feedback
    there = sa.select(vote.c.id).where(vote.c.clone_id == clone_id)
    of_clone = _events.c.clone_id == clone_id
    gone = sa.delete(_events).where(of_clone, _events.c.feedback_id.not_in(there))
    if connection.execute(gone).rowcount:
        for table in (documents.chunk_scores, documents.response_style_patterns):
            connection.execute(sa.delete(table).where(table.c.clone_id == clone_id))
