"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

INDEXES = (
    ("ix_episodes_clone_id_created_at", "episodes", ["clone_id", "created_at"]),
    (
        "ix_episodes_clone_id_session_id_created_at",
        "episodes",
        ["clone_id", "session_id", "created_at"],
    ),
    ("ix_episodes_clone_id_user_id_created_at", "episodes", ["clone_id", "user_id", "created_at"]),
    ("ix_journal_outbox_journal_id_seq", "journal_outbox", ["journal_id", "seq"]),
    ("ix_memories_clone_id_created_at", "memories", ["clone_id", "created_at"]),
    (
        "ix_memories_clone_id_user_id_type_created_at",
        "memories",
        ["clone_id", "user_id", "type", "created_at"],
    ),
    ("ix_evaluations_clone_id_episode_id", "evaluations", ["clone_id", "episode_id"]),
    ("ix_feedback_clone_id_episode_id", "feedback", ["clone_id", "episode_id"]),
    ("ix_token_ledger_clone_id_at", "token_ledger", ["clone_id", "at"]),
    ("ix_token_ledger_clone_id_episode_id", "token_ledger", ["clone_id", "episode_id"]),
    ("ix_recollection_items_clone_id_item_id", "recollection_items", ["clone_id", "item_id"]),
)


def upgrade() -> None:
    """Create all tables."""
    _create_clones_and_journal()
    _create_episodes()
    _create_parts_of_episodes()
    _create_memories()
    _create_judgements()
    _create_recollections()
    for name, table, columns in INDEXES:
        op.create_index(name, table, columns)


def downgrade() -> None:
    """Drop all tables, those that point to others first."""
    for table in (
        "recollection_items",
        "recollections",
        "evaluations",
        "feedback",
        "memory_tags",
        "memories",
        "token_ledger",
        "messages",
        "steps",
        "episodes",
        "journal_outbox",
        "clones",
    ):
        op.drop_table(table)


def _create_clones_and_journal() -> None:
    op.create_table(
        "clones",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("experts", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_clones"),
    )
    op.create_table(
        "journal_outbox",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("journal_id", sa.Text(), nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_journal_outbox"),
        sqlite_autoincrement=True,
    )


def _create_episodes() -> None:
    op.create_table(
        "episodes",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tools_used", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("success", sa.Boolean(), nullable=True),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("columns", sa.Text(), nullable=False),
        sa.Column("rows", sa.Text(), nullable=False),
        sa.Column("truncated", sa.Boolean(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("usage", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_episodes"),
        sa.UniqueConstraint("clone_id", "id", name="uq_episodes_clone_id_id"),
        sqlite_autoincrement=True,
    )


def _create_parts_of_episodes() -> None:
    op.create_table(
        "steps",
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("episode_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("database", sa.Text(), nullable=False),
        sa.Column("sql", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Text(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("succeeded", sa.Boolean(), nullable=False),
        sa.Column("columns", sa.Text(), nullable=False),
        sa.Column("row_count", sa.BigInteger(), nullable=False),
        sa.Column("truncated", sa.Boolean(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["clone_id", "episode_id"],
            ["episodes.clone_id", "episodes.id"],
            name="fk_steps_episodes",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("clone_id", "episode_id", "position", name="pk_steps"),
    )
    op.create_table(
        "messages",
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("episode_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["clone_id", "episode_id"],
            ["episodes.clone_id", "episodes.id"],
            name="fk_messages_episodes",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("clone_id", "id", name="pk_messages"),
        sa.UniqueConstraint(
            "clone_id", "episode_id", "position", name="uq_messages_clone_id_episode_id_position"
        ),
    )
    op.create_table(
        "token_ledger",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("episode_id", sa.Text(), nullable=True),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("requests", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["clone_id", "episode_id"],
            ["episodes.clone_id", "episodes.id"],
            name="fk_token_ledger_episodes",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_token_ledger"),
        sqlite_autoincrement=True,
    )


def _create_memories() -> None:
    op.create_table(
        "memories",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("forgotten_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ttl_days", sa.Integer(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("provenance", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_memories"),
        sa.UniqueConstraint("clone_id", "id", "version", name="uq_memories_clone_id_id_version"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "memory_tags",
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("memory_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["clone_id", "memory_id", "version"],
            ["memories.clone_id", "memories.id", "memories.version"],
            name="fk_memory_tags_memories",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("clone_id", "tag", "memory_id", "version", name="pk_memory_tags"),
    )


def _create_judgements() -> None:
    op.create_table(
        "feedback",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("episode_id", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("rating", sa.SmallInteger(), nullable=True),
        sa.Column("style_rating", sa.SmallInteger(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("correction", sa.Text(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["clone_id", "episode_id"],
            ["episodes.clone_id", "episodes.id"],
            name="fk_feedback_episodes",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_feedback"),
        sa.UniqueConstraint("clone_id", "id", name="uq_feedback_clone_id_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "evaluations",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("episode_id", sa.Text(), nullable=False),
        sa.Column("evaluator_type", sa.Text(), nullable=False),
        sa.Column("granularity", sa.Text(), nullable=False),
        sa.Column("step_number", sa.Integer(), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("is_valid", sa.Boolean(), nullable=True),
        sa.Column("issues", sa.Text(), nullable=False),
        sa.Column("sql_query", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["clone_id", "episode_id"],
            ["episodes.clone_id", "episodes.id"],
            name="fk_evaluations_episodes",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_evaluations"),
        sa.UniqueConstraint("clone_id", "id", name="uq_evaluations_clone_id_id"),
        sqlite_autoincrement=True,
    )


def _create_recollections() -> None:
    op.create_table(
        "recollections",
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("episode_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["clone_id", "episode_id"],
            ["episodes.clone_id", "episodes.id"],
            name="fk_recollections_episodes",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("clone_id", "episode_id", name="pk_recollections"),
    )
    op.create_table(
        "recollection_items",
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("episode_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.Column("chance", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["clone_id", "episode_id"],
            ["recollections.clone_id", "recollections.episode_id"],
            name="fk_recollection_items_recollections",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("clone_id", "episode_id", "position", name="pk_recollection_items"),
    )
