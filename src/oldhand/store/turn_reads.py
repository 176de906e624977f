"""What was asked and answered, in the order of arrival."""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.answer import Outcome
from oldhand.record.document import Citation
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
