"""Where passages stood before feedback had a say."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of answers that were given before, it is not known."""
    known = {one["name"] for one in sa.inspect(op.get_bind()).get_columns("recollection_items")}
    if "place" not in known:  # a migration that was broken off may have added it
        op.add_column("recollection_items", sa.Column("place", sa.Integer))
