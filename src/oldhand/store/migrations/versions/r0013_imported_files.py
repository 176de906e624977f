"""Which file a memory was imported from."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import AnyText

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of what was imported before, nobody knows."""
    op.add_column("memories", sa.Column("file", AnyText()))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("memories", "file")
