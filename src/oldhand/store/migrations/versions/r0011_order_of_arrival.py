"""Let all answers and memories of one clone be read page by page in the order of arrival."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

INDEXES = {"memories": "ix_memories_clone_id_seq", "episodes": "ix_episodes_clone_id_seq"}


def upgrade() -> None:
    """Add the indexes."""
    for table, name in INDEXES.items():
        op.create_index(name, table, ["clone_id", "seq"])


def downgrade() -> None:
    """Drop them."""
    for table, name in INDEXES.items():
        op.drop_index(name, table)
