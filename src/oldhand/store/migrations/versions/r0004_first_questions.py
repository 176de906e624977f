"""The first questions of conversations, recorded before they were kept as standing alone, can teach."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

EPISODES = sa.table(
    "episodes",
    sa.column("seq"),
    sa.column("clone_id"),
    sa.column("user_id"),
    sa.column("session_id"),
    sa.column("question"),
    sa.column("standalone"),
    sa.column("query"),
)


def upgrade() -> None:
    """Let the question of a session's first episode stand for itself where nothing else is known."""
    earlier = EPISODES.alias("earlier")
    is_later = sa.exists().where(
        earlier.c.clone_id == EPISODES.c.clone_id,
        earlier.c.user_id == EPISODES.c.user_id,
        earlier.c.session_id == EPISODES.c.session_id,
        earlier.c.seq < EPISODES.c.seq,
    )
    # The query came with the standalone question: who has one has been asked for the other.
    unknown = EPISODES.c.standalone.is_(None) & EPISODES.c.query.is_(None)
    op.execute(sa.update(EPISODES).where(unknown, ~is_later).values(standalone=EPISODES.c.question))


def downgrade() -> None:
    """Leave it: it is true in every version."""
