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
    zero, none = sa.text("'0'"), sa.text("'[]'")
    _add(
        "token_ledger",
        sa.Column("cached_tokens", sa.BigInteger, nullable=False, server_default=zero),
    )
    _add("steps", sa.Column("withheld", JsonDocument, nullable=False, server_default=none))
    _add("episodes", sa.Column("choice", JsonDocument))


def _add(table: str, column: sa.Column[object]) -> None:
    """Add a column, if a migration that was broken off has not."""
    known = {one["name"] for one in sa.inspect(op.get_bind()).get_columns(table)}
    if column.name not in known:
        op.add_column(table, column)
