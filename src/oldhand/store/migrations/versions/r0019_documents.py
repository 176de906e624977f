"""Documents with their passages, what feedback taught about these, and the votes beside the messages."""

import sqlalchemy as sa
from alembic import op

from oldhand.store.column_types import SEQUENCE, AnyText, JsonDocument, Moment

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing of before cites a passage, or is a vote on one."""
    none = sa.text("'[]'")
    _add("episodes", sa.Column("citations", JsonDocument, nullable=False, server_default=none))
    _add("feedback", sa.Column("passage", AnyText))
    _add("recollection_items", sa.Column("boost", sa.Float))
    for name in ("feedback_rating", "style_rating"):
        _add("messages", sa.Column(name, sa.SmallInteger))
    for name in ("feedback_source", "feedback_text"):
        _add("messages", sa.Column(name, AnyText))
    there = set(sa.inspect(op.get_bind()).get_table_names())
    for table in _tables():
        if table.name not in there:
            table.create(op.get_bind())


def _tables() -> list[sa.Table]:
    """The new tables as they were then."""
    metadata = sa.MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    sa.Table(
        "episodes",
        metadata,
        sa.Column("clone_id", AnyText),
        sa.Column("id", AnyText),
        sa.UniqueConstraint("clone_id", "id"),
    )
    documents = sa.Table(
        "documents",
        metadata,
        *_key("clone_id", "id"),
        *_text("name", "source", "media", "digest", "state", "note", "added_by"),
        sa.Column("readers", JsonDocument, nullable=False),
        sa.Column("added_at", Moment, nullable=False),
        sa.Column("read_at", Moment),
        sa.UniqueConstraint("clone_id", "source"),
    )
    sources = sa.Table(
        "document_sources",
        metadata,
        *_key("clone_id", "source"),
        *_text("added_by"),
        sa.Column("readers", JsonDocument, nullable=False),
    )
    passages = sa.Table(
        "passages",
        metadata,
        sa.Column("seq", SEQUENCE, primary_key=True),
        *_text("clone_id", "document_id"),
        sa.Column("position", sa.Integer, nullable=False),
        *_text("chunk_hash", "text"),
        sa.Column("anchor", JsonDocument, nullable=False),
        sa.UniqueConstraint("clone_id", "document_id", "position"),
        sa.Index(None, "clone_id", "chunk_hash"),
        _of("documents", clone_id="clone_id", document_id="id"),
        sqlite_autoincrement=True,
    )
    vectors = sa.Table(
        "passage_vectors",
        metadata,
        sa.Column("seq", SEQUENCE, primary_key=True),
        *_text("clone_id", "model", "chunk_hash"),
        sa.Column("vector", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("clone_id", "chunk_hash", "model"),
        sa.Index(None, "clone_id", "model", "seq"),
        sqlite_autoincrement=True,
    )
    scores = sa.Table(
        "chunk_scores",
        metadata,
        *_key("clone_id", "chunk_hash", "intent"),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("hit_count", sa.Integer, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sqlite_with_rowid=False,
    )
    events = sa.Table(
        "credit_events",
        metadata,
        sa.Column("seq", SEQUENCE, primary_key=True),
        *_text("clone_id", "feedback_id", "episode_id", "question"),
        sa.Column("vector", sa.LargeBinary),
        sa.Column("model", AnyText),
        sa.Column("credits", JsonDocument, nullable=False),
        sa.Column("vote", JsonDocument, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.UniqueConstraint("clone_id", "feedback_id"),
        sa.Index(None, "clone_id", "episode_id"),
        _of("episodes", clone_id="clone_id", episode_id="id"),
        sqlite_autoincrement=True,
    )
    patterns = sa.Table(
        "response_style_patterns",
        metadata,
        *_key("clone_id", "pattern_type", "pattern_key"),
        sa.Column("preference_score", sa.Float, nullable=False),
    )
    words = _search_tables(metadata)
    return [documents, sources, passages, vectors, *words, scores, events, patterns]


def _search_tables(metadata: sa.MetaData) -> list[sa.Table]:
    """The search among passages by their words."""

    def numbers(*names: str, primary_key: bool = False) -> list[sa.Column[int]]:
        return [
            sa.Column(
                one, sa.BigInteger, primary_key=primary_key, nullable=False, autoincrement=False
            )
            for one in names
        ]

    scopes = sa.Table(
        "passage_search_scopes",
        metadata,
        sa.Column("id", SEQUENCE, primary_key=True),
        *_text("clone_id", "user_id", "type"),
        *numbers("memories", "words", "numbers"),
        sa.UniqueConstraint("clone_id", "user_id", "type"),
        sqlite_autoincrement=True,
    )
    postings = sa.Table(
        "passage_search_postings",
        metadata,
        *numbers("scope_id", primary_key=True),
        sa.Column("term", sa.Text, primary_key=True),
        *numbers("block", primary_key=True),
        sa.Column("places", sa.LargeBinary, nullable=False),
        _of("passage_search_scopes", scope_id="id"),
        sqlite_with_rowid=False,
    )
    searched = sa.Table(
        "passage_search_documents",
        metadata,
        *numbers("scope_id", "number", primary_key=True),
        *numbers("seq"),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("phrase", AnyText),
        sa.UniqueConstraint("seq"),
        _of("passages", seq="seq"),
        _of("passage_search_scopes", scope_id="id"),
        sqlite_with_rowid=False,
    )
    return [scopes, postings, searched]


def _key(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, AnyText, primary_key=True) for name in names]


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, AnyText, nullable=False) for name in names]


def _of(other: str, **columns: str) -> sa.ForeignKeyConstraint:
    theirs = [f"{other}.{column}" for column in columns.values()]
    return sa.ForeignKeyConstraint(list(columns), theirs, ondelete="CASCADE")


def _add(table: str, column: sa.Column[object]) -> None:
    """Add a column, if a migration that was broken off has not."""
    known = {one["name"] for one in sa.inspect(op.get_bind()).get_columns(table)}
    if column.name not in known:
        op.add_column(table, column)
