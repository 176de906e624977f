"""Evaluations outside of episodes, and tallies of the issues that they name."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NEVER_TWICE = {"sqlite_autoincrement": True}
"""What SQLite forgets of a table that it makes anew."""
SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

ADDED = (
    ("policy_model", sa.Text(), "''"),
    ("task_type", sa.Text(), "''"),
    ("query_idx", sa.BigInteger(), None),
    ("question", sa.Text(), None),
    ("error_type", sa.Text(), None),
    ("keys", sa.Text(), "'[]'"),
    ("advice", sa.Text(), "'[]'"),
    ("details", sa.Text(), "'{}'"),
)
"""Name, type and default of each; without a default, it may be unknown."""

INDEXES = (
    (
        "ix_evaluations_clone_id_policy_model_task_type",
        "evaluations",
        ["clone_id", "policy_model", "task_type"],
    ),
    ("ix_evaluations_clone_id_created_at", "evaluations", ["clone_id", "created_at"]),
    (
        "ix_issue_tallies_group_seq_faded_worst_score",
        "issue_tallies",
        ["group_seq", "faded", "worst_score"],
    ),
    (
        "ix_issue_tallies_group_seq_faded_last_run",
        "issue_tallies",
        ["group_seq", "faded", "last_run"],
    ),
    ("ix_issue_words_tally_seq", "issue_words", ["tally_seq"]),
    ("ix_issue_runs_tally_seq", "issue_runs", ["tally_seq"]),
)


def upgrade() -> None:
    """Widen the evaluations and create the tallies; evaluations of older versions name no model and have none."""
    with op.batch_alter_table("evaluations", table_kwargs=NEVER_TWICE) as evaluations:
        evaluations.drop_constraint("fk_evaluations_episodes", type_="foreignkey")
        evaluations.alter_column("episode_id", existing_type=sa.Text(), nullable=True)
        for name, kind, default in ADDED:
            given = None if default is None else sa.text(default)
            evaluations.add_column(
                sa.Column(name, kind, nullable=given is None, server_default=given)
            )
    _create_tallies()
    _create_words_and_runs()
    for name, table, columns in INDEXES:
        op.create_index(name, table, columns)


def downgrade() -> None:
    """Drop the tallies, and the evaluations that no episode has."""
    for table in ("issue_runs", "issue_words", "issue_tallies", "issue_groups"):
        op.drop_table(table)
    for name, table, _ in INDEXES:
        if table == "evaluations":
            op.drop_index(name, table)
    evaluations = sa.table("evaluations", sa.column("clone_id"), sa.column("episode_id"))
    episodes = sa.table("episodes", sa.column("clone_id"), sa.column("id"))
    is_known = sa.exists().where(
        episodes.c.clone_id == evaluations.c.clone_id, episodes.c.id == evaluations.c.episode_id
    )
    op.execute(sa.delete(evaluations).where(~is_known))
    with op.batch_alter_table("evaluations", table_kwargs=NEVER_TWICE) as table:
        for name, _, _ in reversed(ADDED):
            table.drop_column(name)
        table.alter_column("episode_id", existing_type=sa.Text(), nullable=False)
        table.create_foreign_key(
            "fk_evaluations_episodes",
            "episodes",
            ["clone_id", "episode_id"],
            ["clone_id", "id"],
            ondelete="CASCADE",
        )


def _create_tallies() -> None:
    op.create_table(
        "issue_groups",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("policy_model", sa.Text(), nullable=False),
        sa.Column("task_type", sa.Text(), nullable=False),
        sa.Column("evaluator_type", sa.Text(), nullable=False),
        sa.Column("runs", sa.BigInteger(), nullable=False),
        sa.Column("last_run", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name="pk_issue_groups"),
        sa.UniqueConstraint(
            "clone_id",
            "policy_model",
            "task_type",
            "evaluator_type",
            name="uq_issue_groups_clone_id_policy_model_task_type_evaluator_type",
        ),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "issue_tallies",
        sa.Column("seq", SEQUENCE, nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("group_seq", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("worst_score", sa.Float(), nullable=False),
        sa.Column("first_seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_run", sa.BigInteger(), nullable=False),
        sa.Column("shown", sa.BigInteger(), nullable=False),
        sa.Column("recurred", sa.BigInteger(), nullable=False),
        sa.Column("faded", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_seq"], ["issue_groups.seq"], name="fk_issue_tallies_issue_groups"
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_issue_tallies"),
        sa.UniqueConstraint("clone_id", "id", name="uq_issue_tallies_clone_id_id"),
        sa.UniqueConstraint("group_seq", "key", name="uq_issue_tallies_group_seq_key"),
        sqlite_autoincrement=True,
    )


def _create_words_and_runs() -> None:
    op.create_table(
        "issue_words",
        sa.Column("group_seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("tally_seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tally_seq"],
            ["issue_tallies.seq"],
            name="fk_issue_words_issue_tallies",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("group_seq", "word", "tally_seq", name="pk_issue_words"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "issue_runs",
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("episode_id", sa.Text(), nullable=False),
        sa.Column("tally_seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=True),
        sa.Column("chance", sa.Float(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tally_seq"],
            ["issue_tallies.seq"],
            name="fk_issue_runs_issue_tallies",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("clone_id", "episode_id", "tally_seq", name="pk_issue_runs"),
    )
