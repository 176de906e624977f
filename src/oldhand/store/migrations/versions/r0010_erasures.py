"""Users whose data was erased, and whose runs it is that are not answered yet."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import AnyText, Document, Moment

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, and let runs name their user; of those that are there already nobody can tell."""
    op.create_table(
        "erasures",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("clone_id", AnyText(), nullable=False),
        sa.Column("user_digest", AnyText(), nullable=False),
        sa.Column("began_at", Moment(), nullable=False),
        sa.Column("finished_at", Moment()),
        sa.Column("counts", Document(), nullable=False),
        sa.Column("marks", Document()),
        sa.PrimaryKeyConstraint("seq", name="pk_erasures"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_erasures_clone_id_finished_at", "erasures", ["clone_id", "finished_at"])
    op.add_column("runs", sa.Column("user_id", AnyText()))


def downgrade() -> None:
    """Drop both."""
    op.drop_column("runs", "user_id")
    op.drop_table("erasures")
