"""Who may come in over the network."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import SEQUENCE, AnyText, Moment

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody has an account yet."""
    there = set(sa.inspect(op.get_bind()).get_table_names())
    for table in _tables():
        if table.name not in there:
            table.create(op.get_bind())


def _tables() -> list[sa.Table]:
    """The new tables as they were then."""
    names = {"ix": "ix_%(table_name)s_%(column_0_N_name)s", "pk": "pk_%(table_name)s"}
    metadata = sa.MetaData(naming_convention=names)
    accounts = sa.Table(
        "accounts",
        metadata,
        sa.Column("user_id", AnyText, primary_key=True),
        sa.Column("is_admin", sa.Boolean, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("closed_at", Moment),
    )
    members = sa.Table(
        "members",
        metadata,
        sa.Column("clone_id", AnyText, primary_key=True),
        sa.Column("user_id", AnyText, primary_key=True),
        sa.Column("role", AnyText, nullable=False),
    )
    credentials = sa.Table(
        "credentials",
        metadata,
        sa.Column("id", AnyText, primary_key=True),
        *_text("kind", "user_id", "secret_hash", "label"),
        sa.Column("clone_id", AnyText),
        sa.Column("created_at", Moment, nullable=False),
        *(sa.Column(name, Moment) for name in ("expires_at", "used_at", "revoked_at")),
        sa.Index(None, "user_id"),
    )
    audit_log = sa.Table(
        "audit_log",
        metadata,
        sa.Column("seq", SEQUENCE, primary_key=True),
        sa.Column("at", Moment, nullable=False),
        *_text("actor", "action", "subject"),
        sa.Column("clone_id", AnyText),
        sa.Column("allowed", sa.Boolean, nullable=False),
        sa.Index(None, "clone_id", "seq"),
        sqlite_autoincrement=True,
    )
    return [accounts, members, credentials, audit_log]


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, AnyText, nullable=False) for name in names]
