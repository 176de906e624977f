"""What was proposed where there was no certain answer."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import JsonDocument

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the proposal of an episode."""
    op.add_column("episodes", sa.Column("proposal", JsonDocument))
