"""How often somebody has gone on with a run, so that only the last one who did can change it."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the number; nobody has taken up what is there."""
    taken_up = sa.Column("taken_up", sa.Integer(), server_default=sa.text("0"), nullable=False)
    op.add_column("runs", taken_up)


def downgrade() -> None:
    """Drop the number."""
    op.drop_column("runs", "taken_up")
