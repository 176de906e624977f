"""What the opposite draw of a lesson would have answered, and which lessons may be shown."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import AnyText

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the shadow of an item."""
    op.add_column("recollection_items", sa.Column("shadow", AnyText))
