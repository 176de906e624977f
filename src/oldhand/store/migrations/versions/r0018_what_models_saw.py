"""How many tokens of a prompt a provider had read before, which columns no model saw, how an answer was chosen."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import JsonDocument

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of what was before, nothing is counted and nothing was withheld."""
    cached = sa.Column(
        "cached_tokens", sa.BigInteger, nullable=False, server_default=sa.text("'0'")
    )
    op.add_column("token_ledger", cached)
    withheld = sa.Column("withheld", JsonDocument, nullable=False, server_default=sa.text("'[]'"))
    op.add_column("steps", withheld)
    op.add_column("episodes", sa.Column("choice", JsonDocument))
