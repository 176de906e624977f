"""Read what was asked and answered in the order of arrival, a batch at a time, so that any number fits into memory."""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.answer import Outcome
from oldhand.record.feedback import Feedback
from oldhand.record.usage import Usage
from oldhand.store import tables
from oldhand.store.feedback_reads import load_feedback_log


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
    table = tables.episodes
    columns = ("seq", "id", "user_id", "question", "standalone", "text", "outcome", "confidence")
    query = (
        sa.select(*(table.c[name] for name in columns), table.c.model, table.c.usage)
        .where(table.c.clone_id == clone_id, table.c.seq > after)
        .order_by(table.c.seq)
        .limit(limit)
    )
    if user_ids is not None:
        query = query.where(table.c.user_id.in_(list(user_ids)))
    rows = connection.execute(query).all()
    said: defaultdict[str, list[Feedback]] = defaultdict(list)
    for one in load_feedback_log(connection, clone_id, [row.id for row in rows]):
        said[one.episode_id].append(one)
    return tuple(
        StoredTurn(
            seq=row.seq,
            episode_id=row.id,
            user_id=row.user_id,
            question=row.question,
            standalone=row.standalone,
            text=row.text,
            outcome=Outcome(row.outcome),
            confidence=row.confidence,
            model=row.model,
            cost=Usage.model_validate(row.usage).cost,
            feedback=tuple(said[row.id]),
        )
        for row in rows
    )
