"""The tables of questions to people: the questions, who was asked, the audit trail, and who may be asked."""

import sqlalchemy as sa

from oldhand.store.column_types import AnyText, JsonDocument, Moment
from oldhand.store.tables import belongs_to, key, log_table, metadata, optional, required

experts = sa.Table(
    "experts",
    metadata,
    *key(AnyText, "clone_id", "expert"),
    *required(JsonDocument, "document"),
)

consultations = sa.Table(
    "consultations",
    metadata,
    *key(AnyText, "clone_id", "id"),
    *required(AnyText, "asked_by", "state"),
    *optional(AnyText, "episode_id"),
    *required(Moment, "asked_at"),
    # When there is something to do: a deadline, a reminder, a reply to learn from. None when nothing is left.
    *optional(Moment, "next_at"),
    # When whoever asked was told how it ended.
    *optional(Moment, "told_at"),
    *required(JsonDocument, "document"),
    sa.Index(None, "clone_id", "next_at"),
    sa.Index(None, "clone_id", "asked_by", "told_at"),
)

# Follows from the documents: for the inbox of a person, and how much waits there.
consultation_asks = sa.Table(
    "consultation_asks",
    metadata,
    *key(AnyText, "clone_id", "consultation_id", "expert"),
    *required(AnyText, "state"),
    *required(Moment, "asked_at"),
    belongs_to("consultations", clone_id="clone_id", consultation_id="id"),
    sa.Index(None, "clone_id", "expert", "state"),
)

consultation_events = log_table(
    "consultation_events",
    *required(AnyText, "clone_id", "consultation_id", "actor", "what", "detail", "message_id"),
    *required(Moment, "at"),
    *optional(AnyText, "expert"),
    belongs_to("consultations", clone_id="clone_id", consultation_id="id"),
    sa.Index(None, "clone_id", "consultation_id", "message_id"),
)
