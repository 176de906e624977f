"""What the rows of an answer are ranked by, and the databases of the tools of agents."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import JsonDocument

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of answers that were given before, their text tells the numbers; where their databases were is not known."""
    known = {one["name"] for one in sa.inspect(op.get_bind()).get_columns("episodes")}
    none = sa.text("'{}'")
    columns = (
        sa.Column("ranking", JsonDocument),
        sa.Column("addresses", JsonDocument, nullable=False, server_default=none),
    )
    for column in columns:
        if column.name not in known:  # a migration that was broken off may have added it
            op.add_column("episodes", column)
