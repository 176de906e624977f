"""In how many runs a note was shown since its issue came last."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the number, counted from now on."""
    column = sa.Column("shown_since", sa.BigInteger, nullable=False, server_default="0")
    op.add_column("issue_tallies", column)
