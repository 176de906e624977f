"""How near passages were to the question by their meaning."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of answers that were given before, it is not known."""
    known = {one["name"] for one in sa.inspect(op.get_bind()).get_columns("recollection_items")}
    if "cosine" not in known:  # a migration that was broken off may have added it
        op.add_column("recollection_items", sa.Column("cosine", sa.Float))
