"""Whether another document has the same bytes is looked up in an index: each document that is read asks for it."""

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Index the digests."""
    op.create_index(
        "ix_documents_clone_id_digest", "documents", ["clone_id", "digest"], if_not_exists=True
    )
