"""The tables of work that is under way, and of what is counted as it comes; unlike the logs they are changed and emptied.

With them those of accounts, of saved questions, of questions to people and of documents.
"""

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

# Runs that are not answered yet.
runs = sa.Table(
    "runs",
    metadata,
    *key(AnyText, "clone_id", "run_id"),
    *required(Moment, "saved_at"),
    # The state without its steps.
    *required(JsonDocument, "state", "lessons"),
    # What versions of prompts say, by role; written once.
    *required(JsonDocument, "instructions", default="{}"),
    # All that was considered for it, for its recollection.
    *required(JsonDocument, "recalled", default="[]"),
    *required(JsonDocument, "ledger"),
    # Only who took the run up last may change it.
    sa.Column("taken_up", sa.Integer, nullable=False, server_default=sa.text("0")),
    # Of the user who asked; None in runs of old versions.
    *optional(AnyText, "user_id"),
    sa.Index(None, "clone_id", "saved_at"),
)

run_steps = sa.Table(
    "run_steps",
    metadata,
    *key(AnyText, "clone_id", "run_id"),
    *key(sa.Integer, "number"),
    *required(JsonDocument, "step"),
    belongs_to("runs", clone_id="clone_id", run_id="run_id"),
)

# Answers that wait to be looked back on.
waiting_reflections = sa.Table(
    "waiting_reflections",
    metadata,
    *key(AnyText, "clone_id", "episode_id"),
    *required(Moment, "since"),
    # Goes up with everything that is said, so that what is said meanwhile is not overlooked.
    *required(sa.Integer, "round"),
    # How often somebody has begun and not finished.
    *required(sa.Integer, "tries"),
    # True when rules have looked, and a language model is to look again.
    *required(sa.Boolean, "for_model"),
    # Who is at it, and until when nobody else is.
    *optional(AnyText, "claimed_by"),
    *optional(Moment, "claimed_until"),
    sa.Index(None, "clone_id", "since"),
    of_episode(),
)

# The votes on answers that rest on a memory, counted with each vote.
memory_votes = sa.Table(
    "memory_votes",
    metadata,
    *key(AnyText, "clone_id", "memory_id"),
    *required(sa.BigInteger, "ups", "downs"),
)

# Users whose data was erased: that it was done, and what is left to do; nothing of what they said.
erasures = log_table(
    "erasures",
    *required(AnyText, "clone_id"),
    # A digest of the user's name: who knows the name can tell that it was done.
    *required(AnyText, "user_digest"),
    *required(Moment, "began_at"),
    # None while files, or what follows from the rest, have yet to be done.
    *optional(Moment, "finished_at"),
    *required(JsonDocument, "counts"),
    # By what the rest is found; emptied at the end.
    *optional(JsonDocument, "marks"),
    sa.Index(None, "clone_id", "finished_at"),
)
# The tables of who may come in over the network: accounts, members of clones, credentials, and what was done.

accounts = sa.Table(
    "accounts",
    metadata,
    *key(AnyText, "user_id"),
    *required(sa.Boolean, "is_admin"),
    *required(Moment, "created_at"),
    *optional(Moment, "closed_at"),
)
# Whom a provider of identities signs in.
identities = sa.Table(
    "identities",
    metadata,
    *key(AnyText, "issuer", "subject"),
    *required(AnyText, "user_id"),
    *required(Moment, "linked_at"),
)
# Who may use a clone, owner and experts aside: those stand in `clones`.
members = sa.Table(
    "members",
    metadata,
    *key(AnyText, "clone_id", "user_id"),
    *required(AnyText, "role"),
)
credentials = sa.Table(
    "credentials",
    metadata,
    # Public; the secret that goes with it is known by its hash alone.
    *key(AnyText, "id"),
    *required(AnyText, "kind", "user_id", "secret_hash", "label"),
    # None: all clones that the user may use.
    *optional(AnyText, "clone_id"),
    *required(Moment, "created_at"),
    *optional(Moment, "expires_at", "used_at", "revoked_at"),
    sa.Index(None, "user_id"),
)
audit_log = log_table(
    "audit_log",
    *required(Moment, "at"),
    *required(AnyText, "actor", "action", "subject"),
    *optional(AnyText, "clone_id"),
    *required(sa.Boolean, "allowed"),
    sa.Index(None, "clone_id", "seq"),
)
# The tables of saved questions: what they are, what they were answered, and what is on its way to somebody.

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
# The tables of questions to people: the questions, who was asked, the audit trail, and who may be asked.

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
# The tables of documents, and of what feedback taught about their passages.

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
