"""Questions to people."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import SEQUENCE, AnyText, JsonDocument, Moment

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody was asked yet."""
    there = set(sa.inspect(op.get_bind()).get_table_names())
    for table in _tables():
        if table.name not in there:
            table.create(op.get_bind())


def _tables() -> list[sa.Table]:
    """The new tables as they were then."""
    metadata = sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    experts = sa.Table(
        "experts",
        metadata,
        *_keys("clone_id", "expert"),
        sa.Column("document", JsonDocument, nullable=False),
    )
    consultations = sa.Table(
        "consultations",
        metadata,
        *_keys("clone_id", "id"),
        *_text("asked_by", "state"),
        sa.Column("episode_id", AnyText),
        sa.Column("asked_at", Moment, nullable=False),
        sa.Column("next_at", Moment),
        sa.Column("told_at", Moment),
        sa.Column("document", JsonDocument, nullable=False),
        sa.Index(None, "clone_id", "next_at"),
        sa.Index(None, "clone_id", "asked_by", "told_at"),
    )
    asks = sa.Table(
        "consultation_asks",
        metadata,
        *_keys("clone_id", "consultation_id", "expert"),
        *_text("state"),
        sa.Column("asked_at", Moment, nullable=False),
        _of_consultation(),
        sa.Index(None, "clone_id", "expert", "state"),
    )
    events = sa.Table(
        "consultation_events",
        metadata,
        sa.Column("seq", SEQUENCE, primary_key=True),
        *_text("clone_id", "consultation_id", "actor", "what", "detail", "message_id"),
        sa.Column("at", Moment, nullable=False),
        sa.Column("expert", AnyText),
        _of_consultation(),
        sa.Index(None, "clone_id", "consultation_id", "message_id"),
        sqlite_autoincrement=True,
    )
    return [experts, consultations, asks, events]


def _of_consultation() -> sa.ForeignKeyConstraint:
    theirs = ["consultations.clone_id", "consultations.id"]
    return sa.ForeignKeyConstraint(["clone_id", "consultation_id"], theirs, ondelete="CASCADE")


def _keys(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, AnyText, primary_key=True) for name in names]


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, AnyText, nullable=False) for name in names]
