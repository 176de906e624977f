"""Whom providers of identities sign in."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import AnyText, Moment

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody was signed in by a provider yet."""
    if not sa.inspect(op.get_bind()).has_table("identities"):
        op.create_table(
            "identities",
            sa.Column("issuer", AnyText, nullable=False),
            sa.Column("subject", AnyText, nullable=False),
            sa.Column("user_id", AnyText, nullable=False),
            sa.Column("linked_at", Moment, nullable=False),
            sa.PrimaryKeyConstraint("issuer", "subject", name="pk_identities"),
        )
