"""The tables of saved questions: what they are, what they were answered, and what is on its way to somebody."""

import sqlalchemy as sa

from oldhand.store.column_types import AnyText, JsonDocument, Moment
from oldhand.store.tables import belongs_to, key, log_table, metadata, optional, required

saved_questions = sa.Table(
    "saved_questions",
    metadata,
    *key(AnyText, "clone_id", "id"),
    *required(AnyText, "name", "question", "user_id", "episode_id"),
    *required(JsonDocument, "readers", "reading", "targets"),
    *required(sa.Boolean, "pinned"),
    *optional(JsonDocument, "schedule"),
    # What webhooks are signed with.
    *optional(AnyText, "secret"),
    *required(Moment, "created_at"),
    # When it is asked next; until `claimed_until` somebody is at it.
    *optional(Moment, "due_at", "claimed_until"),
    *required(sa.Integer, "tries"),
    sa.UniqueConstraint("clone_id", "name"),
    sa.Index(None, "due_at"),
)

saved_answers = log_table(
    "saved_answers",
    *required(AnyText, "clone_id", "saved_id", "outcome", "text", "change"),
    *required(Moment, "at"),
    *required(JsonDocument, "columns", "rows", "notes"),
    *required(sa.Boolean, "truncated"),
    *required(sa.Float, "seconds"),
    sa.Index(None, "clone_id", "saved_id", "seq"),
    belongs_to("saved_questions", clone_id="clone_id", saved_id="id"),
)

saved_deliveries = log_table(
    "saved_deliveries",
    *required(AnyText, "clone_id", "saved_id", "target", "state", "error"),
    *required(sa.BigInteger, "answer_id"),
    *required(sa.Integer, "tries"),
    *optional(Moment, "due_at", "claimed_until", "sent_at"),
    sa.Index(None, "clone_id", "saved_id", "seq"),
    sa.Index(None, "due_at"),
    belongs_to("saved_questions", clone_id="clone_id", saved_id="id"),
)

boards = sa.Table(
    "boards",
    metadata,
    *key(AnyText, "clone_id", "name"),
    *required(AnyText, "user_id"),
    *required(JsonDocument, "questions"),
    *required(Moment, "created_at"),
)
