"""Answers that wait to be looked back on: of those on record, the ones that somebody has judged."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import AnyText, Moment

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, and let wait what was judged; the rest of an old log would be much work for little."""
    waiting = op.create_table(
        "waiting_reflections",
        sa.Column("clone_id", AnyText(), nullable=False),
        sa.Column("episode_id", AnyText(), nullable=False),
        sa.Column("since", Moment(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("for_model", sa.Boolean(), nullable=False),
        sa.Column("claimed_by", AnyText()),
        sa.Column("claimed_until", Moment()),
        sa.ForeignKeyConstraint(
            ["clone_id", "episode_id"],
            ["episodes.clone_id", "episodes.id"],
            name="fk_waiting_reflections_episodes",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("clone_id", "episode_id", name="pk_waiting_reflections"),
    )
    op.create_index(
        "ix_waiting_reflections_clone_id_since", "waiting_reflections", ["clone_id", "since"]
    )
    feedback = sa.table(
        "feedback",
        sa.column("clone_id", AnyText()),
        sa.column("episode_id", AnyText()),
        sa.column("created_at", Moment()),
    )
    judged = sa.select(
        feedback.c.clone_id,
        feedback.c.episode_id,
        sa.func.max(feedback.c.created_at),
        sa.literal(1),
        sa.literal(0),
        sa.false(),
    ).group_by(feedback.c.clone_id, feedback.c.episode_id)
    columns = ["clone_id", "episode_id", "since", "round", "tries", "for_model"]
    op.execute(sa.insert(waiting).from_select(columns, judged))


def downgrade() -> None:
    """Drop the table; no answer waits any longer."""
    op.drop_table("waiting_reflections")
