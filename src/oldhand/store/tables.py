"""The tables of the store; everything belongs to a clone.

Rows are only ever added, journal outbox and clones aside: feedback supersedes by arriving later,
a memory gets a new version, forgetting is a version too. What can be derived from other rows
(the success of an episode, scores) is computed when it is read. Two things are counted as they come instead: the votes
on memories, which follow from the feedback log at any time, and the issues in evaluations, which outlive these.
"""

import sqlalchemy as sa

from oldhand.store.column_types import SEQUENCE, AnyText, Confidence, Document, Moment

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _seq() -> sa.Column[int]:
    """The order of arrival; never used twice."""
    return sa.Column("seq", SEQUENCE, primary_key=True)


def _of_episode() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["clone_id", "episode_id"], ["episodes.clone_id", "episodes.id"], ondelete="CASCADE"
    )


clones = sa.Table(
    "clones",
    metadata,
    sa.Column("id", AnyText, primary_key=True),
    sa.Column("owner", AnyText, nullable=False),
    sa.Column("experts", Document, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
)

episodes = sa.Table(
    "episodes",
    metadata,
    _seq(),
    sa.Column("clone_id", AnyText, nullable=False),
    sa.Column("id", AnyText, nullable=False),
    sa.Column("user_id", AnyText, nullable=False),
    sa.Column("session_id", AnyText, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("tools_used", Document, nullable=False),
    sa.Column("tags", Document, nullable=False),
    # What was known when it was recorded; stronger signals are looked up on reading.
    sa.Column("success", sa.Boolean),
    sa.Column("question", AnyText, nullable=False),
    sa.Column("outcome", AnyText, nullable=False),
    sa.Column("text", AnyText, nullable=False),
    sa.Column("columns", Document, nullable=False),
    sa.Column("rows", Document, nullable=False),
    sa.Column("truncated", sa.Boolean, nullable=False),
    sa.Column("confidence", Confidence, nullable=False),
    sa.Column("options", Document, nullable=False),
    sa.Column("notes", Document, nullable=False),
    sa.Column("standalone", AnyText),
    sa.Column("query", AnyText),
    sa.Column("lessons", Document, nullable=False, server_default="[]"),
    sa.Column("usage", Document, nullable=False),
    sa.Column("model", AnyText, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    sa.UniqueConstraint("clone_id", "id"),
    sa.Index(None, "clone_id", "created_at"),
    sa.Index(None, "clone_id", "user_id", "created_at"),
    sa.Index(None, "clone_id", "session_id", "created_at"),
    sa.Index(None, "clone_id", "seq"),
    sqlite_autoincrement=True,
)

steps = sa.Table(
    "steps",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    sa.Column("episode_id", AnyText, primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("purpose", AnyText, nullable=False),
    sa.Column("database", AnyText, nullable=False),
    sa.Column("sql", AnyText, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("failures", Document, nullable=False),
    sa.Column("refused", sa.Integer, nullable=False),
    sa.Column("succeeded", sa.Boolean, nullable=False),
    sa.Column("columns", Document, nullable=False),
    sa.Column("row_count", sa.BigInteger, nullable=False),
    sa.Column("truncated", sa.Boolean, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    _of_episode(),
)

messages = sa.Table(
    "messages",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    # Of its own, because feedback may name the message instead of the episode.
    sa.Column("id", AnyText, primary_key=True),
    sa.Column("episode_id", AnyText, nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("role", AnyText, nullable=False),
    sa.Column("content", AnyText, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.UniqueConstraint("clone_id", "episode_id", "position"),
    _of_episode(),
)

memories = sa.Table(
    "memories",
    metadata,
    _seq(),
    sa.Column("clone_id", AnyText, nullable=False),
    sa.Column("id", AnyText, nullable=False),
    # The highest one counts.
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("saved_at", Moment, nullable=False),
    # Set in the version that forgets.
    sa.Column("forgotten_at", Moment),
    sa.Column("type", AnyText, nullable=False),
    sa.Column("user_id", AnyText, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("last_used_at", Moment),
    sa.Column("ttl_days", sa.Integer),
    sa.Column("confidence", sa.Float, nullable=False),
    sa.Column("tags", Document, nullable=False),
    sa.Column("summary", AnyText, nullable=False),
    sa.Column("provenance", Document, nullable=False),
    sa.Column("effect", Document),
    sa.Column("payload", Document, nullable=False),
    # All its words without letter case: neither LIKE nor lower() folds beyond ASCII everywhere.
    sa.Column("words", AnyText, nullable=False),
    # The name of the file that this version was imported from.
    sa.Column("file", AnyText),
    sa.UniqueConstraint("clone_id", "id", "version"),
    sa.Index(None, "clone_id", "created_at"),
    sa.Index(None, "clone_id", "user_id", "type", "created_at"),
    sa.Index(None, "clone_id", "seq"),
    sqlite_autoincrement=True,
)

memory_tags = sa.Table(
    "memory_tags",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    sa.Column("tag", AnyText, primary_key=True),
    sa.Column("memory_id", AnyText, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.ForeignKeyConstraint(
        ["clone_id", "memory_id", "version"],
        ["memories.clone_id", "memories.id", "memories.version"],
        ondelete="CASCADE",
    ),
)

feedback = sa.Table(
    "feedback",
    metadata,
    _seq(),
    sa.Column("clone_id", AnyText, nullable=False),
    sa.Column("id", AnyText, nullable=False),
    sa.Column("episode_id", AnyText, nullable=False),
    sa.Column("rater", AnyText, nullable=False),
    sa.Column("source", AnyText, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("rating", sa.SmallInteger),
    sa.Column("style_rating", sa.SmallInteger),
    sa.Column("text", AnyText),
    sa.Column("correction", AnyText),
    sa.Column("tags", Document, nullable=False),
    sa.UniqueConstraint("clone_id", "id"),
    sa.Index(None, "clone_id", "episode_id"),
    _of_episode(),
    sqlite_autoincrement=True,
)

recollections = sa.Table(
    "recollections",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    sa.Column("episode_id", AnyText, primary_key=True),
    _of_episode(),
)

recollection_items = sa.Table(
    "recollection_items",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    sa.Column("episode_id", AnyText, primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("kind", AnyText, nullable=False),
    sa.Column("item_id", AnyText, nullable=False),
    sa.Column("rank", sa.Integer, nullable=False),
    sa.Column("score", sa.Float, nullable=False),
    sa.Column("shown", sa.Boolean, nullable=False),
    sa.Column("chance", sa.Float, nullable=False),
    sa.Column("used", sa.Boolean),
    sa.Column("shadow", AnyText),
    # From an item to the episodes that it was recalled in: credit and `why` ask this way round.
    sa.Index(None, "clone_id", "item_id"),
    sa.ForeignKeyConstraint(
        ["clone_id", "episode_id"],
        ["recollections.clone_id", "recollections.episode_id"],
        ondelete="CASCADE",
    ),
)

evaluations = sa.Table(
    "evaluations",
    metadata,
    _seq(),
    sa.Column("clone_id", AnyText, nullable=False),
    sa.Column("id", AnyText, nullable=False),
    # No key to the episodes: steps are judged before the episode is recorded, or outside of any.
    sa.Column("episode_id", AnyText),
    sa.Column("evaluator_type", AnyText, nullable=False),
    sa.Column("granularity", AnyText, nullable=False),
    sa.Column("policy_model", AnyText, nullable=False, server_default=sa.text("''")),
    sa.Column("task_type", AnyText, nullable=False, server_default=sa.text("''")),
    sa.Column("query_idx", sa.BigInteger),
    sa.Column("question", AnyText),
    sa.Column("step_number", sa.Integer),
    sa.Column("score", sa.Float),
    sa.Column("is_valid", sa.Boolean),
    sa.Column("error_type", AnyText),
    sa.Column("issues", Document, nullable=False),
    sa.Column("keys", Document, nullable=False, server_default="[]"),
    sa.Column("advice", Document, nullable=False, server_default="[]"),
    sa.Column("sql_query", AnyText),
    sa.Column("details", Document, nullable=False, server_default="{}"),
    sa.Column("created_at", Moment, nullable=False),
    sa.UniqueConstraint("clone_id", "id"),
    sa.Index(None, "clone_id", "episode_id"),
    sa.Index(None, "clone_id", "policy_model", "task_type"),
    sa.Index(None, "clone_id", "created_at"),
    sqlite_autoincrement=True,
)

token_ledger = sa.Table(
    "token_ledger",
    metadata,
    _seq(),
    sa.Column("clone_id", AnyText, nullable=False),
    # None for calls outside of a question, such as reflection at night.
    sa.Column("episode_id", AnyText),
    sa.Column("stage", AnyText, nullable=False),
    sa.Column("model", AnyText, nullable=False),
    sa.Column("requests", sa.BigInteger, nullable=False),
    sa.Column("input_tokens", sa.BigInteger, nullable=False),
    sa.Column("output_tokens", sa.BigInteger, nullable=False),
    sa.Column("cost", sa.Float, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Index(None, "clone_id", "episode_id"),
    sa.Index(None, "clone_id", "at"),
    _of_episode(),
    sqlite_autoincrement=True,
)

journal_outbox = sa.Table(
    "journal_outbox",
    metadata,
    _seq(),
    # Which home's files the line belongs into; one store may serve several homes.
    sa.Column("journal_id", AnyText, nullable=False),
    sa.Column("clone_id", AnyText, nullable=False),
    sa.Column("user_id", AnyText, nullable=False),
    sa.Column("type", AnyText, nullable=False),
    sa.Column("line", AnyText, nullable=False),
    sa.Index(None, "journal_id", "seq"),
    sqlite_autoincrement=True,
)
