"""Runs that are not answered yet, so that another process can go on with them."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import AnyText, Document, Moment

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "runs",
        sa.Column("clone_id", AnyText(), nullable=False),
        sa.Column("run_id", AnyText(), nullable=False),
        sa.Column("saved_at", Moment(), nullable=False),
        sa.Column("state", Document(), nullable=False),
        sa.Column("lessons", Document(), nullable=False),
        sa.Column("ledger", Document(), nullable=False),
        sa.PrimaryKeyConstraint("clone_id", "run_id", name="pk_runs"),
    )
    op.create_index("ix_runs_clone_id_saved_at", "runs", ["clone_id", "saved_at"])
    op.create_table(
        "run_steps",
        sa.Column("clone_id", AnyText(), nullable=False),
        sa.Column("run_id", AnyText(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("step", Document(), nullable=False),
        sa.ForeignKeyConstraint(
            ["clone_id", "run_id"],
            ["runs.clone_id", "runs.run_id"],
            name="fk_run_steps_runs",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("clone_id", "run_id", "number", name="pk_run_steps"),
    )


def downgrade() -> None:
    """Drop the tables, and the runs with them."""
    op.drop_table("run_steps")
    op.drop_table("runs")
