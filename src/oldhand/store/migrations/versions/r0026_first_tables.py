"""The first tables.

An empty store gets the newest tables from `oldhand.store.tables` at once. A change of them adds a migration, for the
stores that are there already.
"""

revision = "0026"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing comes before these tables."""
