"""The votes on answers that rest on a memory, counted once with each vote and not with each question."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import AnyText

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

# What the code did when this migration was written; it does not follow the code, so that it always gives the same.
COUNT = sa.text("""
    INSERT INTO memory_votes (clone_id, memory_id, ups, downs)
    SELECT clone_id, item_id,
        SUM(CASE WHEN corrects AND NOT confirms THEN 0 WHEN rating = 1 THEN 1
            WHEN corrects AND COALESCE(rating, 1) <> -1 THEN 1 ELSE 0 END),
        SUM(CASE WHEN corrects AND NOT confirms THEN 1 WHEN rating = -1 THEN 1 ELSE 0 END)
    FROM (
        SELECT DISTINCT item.clone_id, item.item_id, vote.seq, vote.rating,
            COALESCE(vote.correction, '') <> '' AS corrects,
            vote.tags LIKE '%"confirms"%' AS confirms
        FROM recollection_items AS item
        JOIN feedback AS vote ON vote.clone_id = item.clone_id AND vote.episode_id = item.episode_id
        WHERE item.kind = 'memory' AND item.shown AND COALESCE(item.used, TRUE)
            AND vote.source IN ('owner', 'expert')
            AND NOT EXISTS (
                SELECT 1 FROM feedback AS later
                WHERE later.clone_id = vote.clone_id AND later.episode_id = vote.episode_id
                    AND later.rater = vote.rater AND later.seq > vote.seq
                    AND later.source NOT IN ('evaluator', 'execution')
                    AND (later.rating IS NOT NULL OR COALESCE(later.correction, '') <> '')
            )
    ) AS votes
    GROUP BY clone_id, item_id
""")


def upgrade() -> None:
    """Add the table, and count what was said so far."""
    op.create_table(
        "memory_votes",
        sa.Column("clone_id", AnyText(), nullable=False),
        sa.Column("memory_id", AnyText(), nullable=False),
        sa.Column("ups", sa.BigInteger(), nullable=False),
        sa.Column("downs", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("clone_id", "memory_id", name="pk_memory_votes"),
    )
    op.execute(COUNT)


def downgrade() -> None:
    """Drop it; the votes themselves stay."""
    op.drop_table("memory_votes")
