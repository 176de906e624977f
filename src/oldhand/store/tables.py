"""The tables of the store; everything belongs to a clone.

Rows are only ever added, journal outbox and clones aside: feedback supersedes by arriving later,
a memory gets a new version, forgetting is a version too. What can be derived from other rows
(the success of an episode, scores) is computed when it is read. Two things are counted as they come instead: the votes
on memories, which follow from the feedback log at any time, and the issues in evaluations, which outlive these.
"""

from typing import Any, TypeAlias

import sqlalchemy as sa

from oldhand.store.column_types import SEQUENCE, AnyText, Confidence, JsonDocument, Moment

Kind: TypeAlias = type[sa.types.TypeEngine[Any]]

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def log_table(name: str, *items: sa.schema.SchemaItem) -> sa.Table:
    """A table whose rows have a `seq`: the order of arrival, never used twice."""
    seq = sa.Column("seq", SEQUENCE, primary_key=True)
    return sa.Table(name, metadata, seq, *items, sqlite_autoincrement=True)


def key(kind: Kind, *names: str) -> list[sa.Column[Any]]:
    """Columns of the primary key."""
    return [sa.Column(name, kind, primary_key=True, autoincrement=False) for name in names]


def required(kind: Kind, *names: str, default: str | None = None) -> list[sa.Column[Any]]:
    """Columns that always have a value; the default is for rows from before there was such a column."""
    server_default = None if default is None else sa.text(f"'{default}'")
    return [sa.Column(name, kind, nullable=False, server_default=server_default) for name in names]


def optional(kind: Kind, *names: str) -> list[sa.Column[Any]]:
    """Columns that may be empty."""
    return [sa.Column(name, kind) for name in names]


def belongs_to(other: str, **columns: str) -> sa.ForeignKeyConstraint:
    """Rows go with the row of another table that these columns name, each by a column of that."""
    theirs = [f"{other}.{column}" for column in columns.values()]
    return sa.ForeignKeyConstraint(list(columns), theirs, ondelete="CASCADE")


def of_episode() -> sa.ForeignKeyConstraint:
    """Rows go with their episode."""
    return belongs_to("episodes", clone_id="clone_id", episode_id="id")


clones = sa.Table(
    "clones",
    metadata,
    *key(AnyText, "id"),
    *required(AnyText, "owner"),
    *required(JsonDocument, "experts"),
    *required(Moment, "created_at"),
)

episodes = log_table(
    "episodes",
    *required(AnyText, "clone_id", "id", "user_id", "session_id"),
    *required(Moment, "created_at"),
    # What was known when it was recorded; stronger signals are looked up on reading.
    *optional(sa.Boolean, "success"),
    *required(AnyText, "question", "outcome", "text", "model"),
    *optional(AnyText, "standalone", "query"),
    *required(JsonDocument, "tools_used", "tags", "columns", "rows", "options", "notes", "usage"),
    *required(JsonDocument, "lessons", default="[]"),
    *required(JsonDocument, "citations", default="[]"),
    *optional(JsonDocument, "proposal", "choice", "ranking"),
    *required(JsonDocument, "addresses", default="{}"),
    *required(sa.Boolean, "truncated"),
    *required(Confidence, "confidence"),
    *required(sa.Float, "seconds"),
    sa.UniqueConstraint("clone_id", "id"),
    sa.Index(None, "clone_id", "created_at"),
    sa.Index(None, "clone_id", "user_id", "created_at"),
    sa.Index(None, "clone_id", "session_id", "created_at"),
    sa.Index(None, "clone_id", "seq"),
)

steps = sa.Table(
    "steps",
    metadata,
    *key(AnyText, "clone_id", "episode_id"),
    *key(sa.Integer, "position"),
    *required(sa.Integer, "number", "attempts", "refused"),
    *required(AnyText, "purpose", "database", "sql"),
    *required(JsonDocument, "failures", "columns"),
    *required(JsonDocument, "withheld", default="[]"),
    *required(sa.BigInteger, "row_count"),
    *required(sa.Boolean, "succeeded", "truncated"),
    *required(sa.Float, "seconds"),
    of_episode(),
)

messages = sa.Table(
    "messages",
    metadata,
    *key(AnyText, "clone_id"),
    # Of its own, because feedback may name the message instead of the episode.
    *key(AnyText, "id"),
    *required(AnyText, "episode_id"),
    *required(sa.Integer, "position"),
    *required(AnyText, "role", "content"),
    *required(Moment, "created_at"),
    # The latest word of a rater on an answer, as the feedback log has it.
    *optional(sa.SmallInteger, "feedback_rating", "style_rating"),
    *optional(AnyText, "feedback_source", "feedback_text"),
    sa.UniqueConstraint("clone_id", "episode_id", "position"),
    of_episode(),
)

memories = log_table(
    "memories",
    *required(AnyText, "clone_id", "id"),
    # The highest one counts.
    *required(sa.Integer, "version"),
    *required(Moment, "saved_at"),
    # Set in the version that forgets.
    *optional(Moment, "forgotten_at"),
    *required(AnyText, "type", "user_id", "summary"),
    *required(Moment, "created_at"),
    *optional(Moment, "last_used_at"),
    *optional(sa.Integer, "ttl_days"),
    *required(sa.Float, "confidence"),
    *required(JsonDocument, "tags", "provenance", "payload"),
    *optional(JsonDocument, "effect"),
    # All its words without letter case: neither LIKE nor lower() folds beyond ASCII everywhere.
    *required(AnyText, "words"),
    # The name of the file that this version was imported from.
    *optional(AnyText, "file"),
    sa.UniqueConstraint("clone_id", "id", "version"),
    sa.Index(None, "clone_id", "created_at"),
    sa.Index(None, "clone_id", "user_id", "type", "created_at"),
    sa.Index(None, "clone_id", "seq"),
)

memory_tags = sa.Table(
    "memory_tags",
    metadata,
    *key(AnyText, "clone_id", "tag", "memory_id"),
    *key(sa.Integer, "version"),
    belongs_to("memories", clone_id="clone_id", memory_id="id", version="version"),
)

feedback = log_table(
    "feedback",
    *required(AnyText, "clone_id", "id", "episode_id", "rater", "source"),
    *required(Moment, "created_at"),
    *optional(sa.SmallInteger, "rating", "style_rating"),
    *optional(AnyText, "text", "correction"),
    # The hash of the passage that it is about; None for the whole answer.
    *optional(AnyText, "passage"),
    *required(JsonDocument, "tags"),
    sa.UniqueConstraint("clone_id", "id"),
    sa.Index(None, "clone_id", "episode_id"),
    of_episode(),
)

recollections = sa.Table(
    "recollections",
    metadata,
    *key(AnyText, "clone_id", "episode_id"),
    of_episode(),
)

recollection_items = sa.Table(
    "recollection_items",
    metadata,
    *key(AnyText, "clone_id", "episode_id"),
    *key(sa.Integer, "position"),
    *required(AnyText, "kind", "item_id"),
    *required(sa.Integer, "rank"),
    *required(sa.Float, "score", "chance"),
    *required(sa.Boolean, "shown"),
    *optional(sa.Boolean, "used"),
    *optional(AnyText, "shadow"),
    *optional(sa.Float, "boost"),
    *optional(sa.Integer, "place"),
    *optional(sa.Float, "cosine"),
    # From an item to the episodes that it was recalled in: credit and `why` ask this way round.
    sa.Index(None, "clone_id", "item_id"),
    belongs_to("recollections", clone_id="clone_id", episode_id="episode_id"),
)

evaluations = log_table(
    "evaluations",
    *required(AnyText, "clone_id", "id"),
    # No key to the episodes: steps are judged before the episode is recorded, or outside of any.
    *optional(AnyText, "episode_id"),
    *required(AnyText, "evaluator_type", "granularity"),
    *required(AnyText, "policy_model", "task_type", default=""),
    *optional(AnyText, "question", "error_type", "sql_query"),
    *optional(sa.BigInteger, "query_idx"),
    *optional(sa.Integer, "step_number"),
    *optional(sa.Float, "score"),
    *optional(sa.Boolean, "is_valid"),
    *required(JsonDocument, "issues"),
    *required(JsonDocument, "keys", "advice", default="[]"),
    *required(JsonDocument, "details", default="{}"),
    *required(Moment, "created_at"),
    sa.UniqueConstraint("clone_id", "id"),
    sa.Index(None, "clone_id", "episode_id"),
    sa.Index(None, "clone_id", "policy_model", "task_type"),
    sa.Index(None, "clone_id", "created_at"),
)

token_ledger = log_table(
    "token_ledger",
    *required(AnyText, "clone_id"),
    # None for calls outside of a question, such as reflection at night.
    *optional(AnyText, "episode_id"),
    *required(AnyText, "stage", "model"),
    *required(sa.BigInteger, "requests", "input_tokens", "output_tokens"),
    *required(sa.BigInteger, "cached_tokens", default="0"),
    *required(sa.Float, "cost", "seconds"),
    *required(Moment, "at"),
    sa.Index(None, "clone_id", "episode_id"),
    sa.Index(None, "clone_id", "at"),
    of_episode(),
)

journal_outbox = log_table(
    "journal_outbox",
    # Which home's files the line belongs into; one store may serve several homes.
    *required(AnyText, "journal_id", "clone_id", "user_id", "type", "line"),
    sa.Index(None, "journal_id", "seq"),
)

# The tables of issues: counted in the transaction of each evaluation, they outlive it.

issue_groups = log_table(
    "issue_groups",
    *required(AnyText, "clone_id", "policy_model", "task_type", "evaluator_type"),
    # How many runs there were, and which was the last one: issues fade by runs.
    *required(sa.BigInteger, "runs"),
    *optional(AnyText, "last_run"),
    sa.UniqueConstraint("clone_id", "policy_model", "task_type", "evaluator_type"),
)
issue_tallies = log_table(
    "issue_tallies",
    *required(AnyText, "clone_id", "id"),
    sa.Column("group_seq", sa.BigInteger, sa.ForeignKey("issue_groups.seq"), nullable=False),
    *required(AnyText, "key", "text"),
    # Counted when it happens and not when it is read: notes are looked up before every generation.
    *required(sa.Float, "worst_score"),
    *required(Moment, "first_seen", "last_seen"),
    *required(sa.BigInteger, "count", "last_run", "shown", "recurred"),
    # Runs in which it was shown since it came last: what stays away then may stay away because of the note.
    sa.Column("shown_since", sa.BigInteger, nullable=False, server_default="0"),
    *required(sa.Boolean, "faded"),
    sa.UniqueConstraint("clone_id", "id"),
    sa.UniqueConstraint("group_seq", "key"),
    sa.Index(None, "group_seq", "faded", "worst_score"),
    sa.Index(None, "group_seq", "faded", "last_run"),
)
issue_words = sa.Table(
    "issue_words",
    metadata,
    *key(sa.BigInteger, "group_seq"),
    *key(AnyText, "word"),
    *key(sa.BigInteger, "tally_seq"),
    *required(AnyText, "clone_id"),
    sa.Index(None, "tally_seq"),
    belongs_to("issue_tallies", tally_seq="seq"),
    sqlite_with_rowid=False,
)
issue_runs = sa.Table(
    "issue_runs",
    metadata,
    *key(AnyText, "clone_id", "episode_id"),
    *key(sa.BigInteger, "tally_seq"),
    *required(sa.Integer, "seen"),
    # Drawn once for each run; None until then.
    *optional(sa.Boolean, "shown"),
    *optional(sa.Float, "chance"),
    *required(Moment, "at"),
    sa.Index(None, "tally_seq"),
    belongs_to("issue_tallies", tally_seq="seq"),
)
