"""What an answer rests on, and what a memory does."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ADDED = (
    ("episodes", "standalone"),
    ("episodes", "query"),
    ("episodes", "lessons"),
    ("memories", "effect"),
    ("recollection_items", "used"),
)


def upgrade() -> None:
    """Add the columns."""
    op.add_column("episodes", sa.Column("standalone", sa.Text(), nullable=True))
    op.add_column("episodes", sa.Column("query", sa.Text(), nullable=True))
    op.add_column("episodes", sa.Column("lessons", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("memories", sa.Column("effect", sa.Text(), nullable=True))
    op.add_column("recollection_items", sa.Column("used", sa.Boolean(), nullable=True))


def downgrade() -> None:
    """Drop them, in place: a table made anew would take the rows that point to it along."""
    for table, column in reversed(ADDED):
        op.drop_column(table, column)
