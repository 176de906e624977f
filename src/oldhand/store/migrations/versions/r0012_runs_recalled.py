"""What was recalled for a run, so that whoever goes on with it goes on with the same."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import Document

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

EMPTY = {"instructions": "{}", "recalled": "[]"}


def upgrade() -> None:
    """Add the columns; of the runs that are there already, it is not known."""
    for name, nothing in EMPTY.items():
        op.add_column("runs", sa.Column(name, Document(), nullable=False, server_default=nothing))


def downgrade() -> None:
    """Drop them."""
    for name in EMPTY:
        op.drop_column("runs", name)
