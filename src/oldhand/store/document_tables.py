"""The tables of documents, and of what feedback taught about their passages."""

import sqlalchemy as sa

from oldhand.store.column_types import AnyText, JsonDocument, Moment
from oldhand.store.tables import (
    belongs_to,
    key,
    log_table,
    metadata,
    of_episode,
    optional,
    required,
)

documents = sa.Table(
    "documents",
    metadata,
    *key(AnyText, "clone_id", "id"),
    *required(AnyText, "name", "source", "media", "digest", "state", "note", "added_by"),
    *required(JsonDocument, "readers"),
    *required(Moment, "added_at"),
    *optional(Moment, "read_at"),
    sa.UniqueConstraint("clone_id", "source"),
    sa.Index(None, "clone_id", "digest"),
)

# Folders and sitemaps, which are looked at for new documents.
document_sources = sa.Table(
    "document_sources",
    metadata,
    *key(AnyText, "clone_id", "source"),
    *required(AnyText, "added_by"),
    *required(JsonDocument, "readers"),
)

passages = log_table(
    "passages",
    *required(AnyText, "clone_id", "document_id"),
    *required(sa.Integer, "position"),
    *required(AnyText, "chunk_hash", "text"),
    *required(JsonDocument, "anchor"),
    sa.UniqueConstraint("clone_id", "document_id", "position"),
    sa.Index(None, "clone_id", "chunk_hash"),
    belongs_to("documents", clone_id="clone_id", document_id="id"),
)

passage_vectors = log_table(
    "passage_vectors",
    *required(AnyText, "clone_id", "model", "chunk_hash"),
    # Half-precision numbers.
    *required(sa.LargeBinary, "vector"),
    sa.UniqueConstraint("clone_id", "chunk_hash", "model"),
    sa.Index(None, "clone_id", "model", "seq"),
)

# What follows is derived from the feedback log, and can be made anew from it.

chunk_scores = sa.Table(
    "chunk_scores",
    metadata,
    *key(AnyText, "clone_id", "chunk_hash", "intent"),
    *required(sa.Float, "score"),
    *required(sa.Integer, "hit_count"),
    *required(Moment, "updated_at"),
    sqlite_with_rowid=False,
)

credit_events = log_table(
    "credit_events",
    *required(AnyText, "clone_id", "feedback_id", "episode_id", "question"),
    # Of the question, half-precision; None without an embedder.
    *optional(sa.LargeBinary, "vector"),
    *optional(AnyText, "model"),
    # What the feedback says for and against each passage that was shown, by its hash.
    *required(JsonDocument, "credits"),
    # Who gave it, in which sense, and how much it counts: what it takes to work the credits out once more.
    *required(JsonDocument, "vote"),
    *required(Moment, "at"),
    sa.UniqueConstraint("clone_id", "feedback_id"),
    sa.Index(None, "clone_id", "episode_id"),
    of_episode(),
)

response_style_patterns = sa.Table(
    "response_style_patterns",
    metadata,
    *key(AnyText, "clone_id", "pattern_type", "pattern_key"),
    *required(sa.Float, "preference_score"),
)
