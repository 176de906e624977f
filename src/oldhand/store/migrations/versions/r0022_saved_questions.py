"""Saved questions."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import SEQUENCE, AnyText, JsonDocument, Moment

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is saved yet."""
    there = set(sa.inspect(op.get_bind()).get_table_names())
    for table in _tables():
        if table.name not in there:
            table.create(op.get_bind())


def _tables() -> list[sa.Table]:
    """The new tables as they were then."""
    names = {
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
    metadata = sa.MetaData(naming_convention=names)
    saved_questions = sa.Table(
        "saved_questions",
        metadata,
        *_key("clone_id", "id"),
        *_text("name", "question", "user_id", "episode_id"),
        *_json("readers", "reading", "targets"),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.Column("schedule", JsonDocument),
        sa.Column("secret", AnyText),
        sa.Column("created_at", Moment, nullable=False),
        *_moments("due_at", "claimed_until"),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.UniqueConstraint("clone_id", "name"),
        sa.Index(None, "due_at"),
    )
    saved_answers = sa.Table(
        "saved_answers",
        metadata,
        sa.Column("seq", SEQUENCE, primary_key=True),
        *_text("clone_id", "saved_id", "outcome", "text", "change"),
        sa.Column("at", Moment, nullable=False),
        *_json("columns", "rows", "notes"),
        sa.Column("truncated", sa.Boolean, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Index(None, "clone_id", "saved_id", "seq"),
        _of_question(),
        sqlite_autoincrement=True,
    )
    saved_deliveries = sa.Table(
        "saved_deliveries",
        metadata,
        sa.Column("seq", SEQUENCE, primary_key=True),
        *_text("clone_id", "saved_id", "target", "state", "error"),
        sa.Column("answer_id", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        *_moments("due_at", "claimed_until", "sent_at"),
        sa.Index(None, "clone_id", "saved_id", "seq"),
        sa.Index(None, "due_at"),
        _of_question(),
        sqlite_autoincrement=True,
    )
    boards = sa.Table(
        "boards",
        metadata,
        *_key("clone_id", "name"),
        *_text("user_id"),
        *_json("questions"),
        sa.Column("created_at", Moment, nullable=False),
    )
    return [saved_questions, saved_answers, saved_deliveries, boards]


def _of_question() -> sa.ForeignKeyConstraint:
    theirs = ["saved_questions.clone_id", "saved_questions.id"]
    return sa.ForeignKeyConstraint(["clone_id", "saved_id"], theirs, ondelete="CASCADE")


def _key(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, AnyText, primary_key=True, autoincrement=False) for name in names]


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, AnyText, nullable=False) for name in names]


def _json(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, JsonDocument, nullable=False) for name in names]


def _moments(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, Moment) for name in names]
