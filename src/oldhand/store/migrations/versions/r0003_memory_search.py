"""The search over memories, with what is there already."""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSVECTOR

from oldhand.record.memory import MemoryType
from oldhand.store.column_types import AnyText, Document
from oldhand.store.full_text import Scope, scope_words
from oldhand.store.searched_text import searched_words

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MEMORIES = sa.table(
    "memories",
    sa.column("seq", sa.BigInteger),
    sa.column("clone_id", AnyText),
    sa.column("id", AnyText),
    sa.column("version", sa.Integer),
    sa.column("forgotten_at", sa.DateTime),
    sa.column("user_id", AnyText),
    sa.column("type", AnyText),
    sa.column("summary", AnyText),
    sa.column("payload", Document),
    sa.column("effect", Document),
)
PAGE = 500


def upgrade() -> None:
    """Create the index and put every memory in that is not forgotten.

    Which words stand for a memory is the code's business, not that of the tables: whoever changes it adds a migration
    that fills the index anew.
    """
    connection = op.get_bind()
    postgres = connection.dialect.name == "postgresql"
    if postgres:
        _create_in_postgres()
    else:
        op.execute(
            "CREATE VIRTUAL TABLE memory_search USING fts5(scope, words, tokenize = 'porter unicode61')"
        )
    for rows in _pages(connection):
        connection.execute(
            _POSTGRES_ROW if postgres else _SQLITE_ROW, [_values(row) for row in rows]
        )


def downgrade() -> None:
    """Drop the index."""
    op.drop_table("memory_search")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TEXT SEARCH CONFIGURATION oldhand_words")
        op.execute("DROP TEXT SEARCH DICTIONARY oldhand_stems")


def _create_in_postgres() -> None:
    op.execute(
        "CREATE TEXT SEARCH DICTIONARY oldhand_stems (TEMPLATE = snowball, LANGUAGE = english)"
    )
    op.execute("CREATE TEXT SEARCH CONFIGURATION oldhand_words (COPY = simple)")
    op.execute(
        "ALTER TEXT SEARCH CONFIGURATION oldhand_words ALTER MAPPING REPLACE simple WITH oldhand_stems"
    )
    op.create_table(
        "memory_search",
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("clone_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("words", TSVECTOR(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_memory_search"),
        sa.ForeignKeyConstraint(
            ["seq"], ["memories.seq"], name="fk_memory_search_memories", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_memory_search_words", "memory_search", ["words"], postgresql_using="gin")
    op.create_index("ix_memory_search_clone_id_type", "memory_search", ["clone_id", "type"])


_SQLITE_ROW = sa.text(
    "INSERT INTO memory_search (rowid, scope, words) VALUES (:seq, :scope, :words)"
)
_POSTGRES_ROW = sa.text(
    "INSERT INTO memory_search (seq, clone_id, user_id, type, words)"
    " VALUES (:seq, :clone_id, :user_id, :type, to_tsvector('oldhand_words', :words))"
)


def _pages(connection: sa.Connection) -> Iterator[Sequence[sa.RowMapping]]:
    newer = MEMORIES.alias("newer")
    counts = (
        sa.select(MEMORIES)
        .where(
            MEMORIES.c.forgotten_at.is_(None),
            ~sa.exists().where(
                newer.c.clone_id == MEMORIES.c.clone_id,
                newer.c.id == MEMORIES.c.id,
                newer.c.version > MEMORIES.c.version,
            ),
        )
        .order_by(MEMORIES.c.seq)
        .limit(PAGE)
    )
    after = 0
    while rows := connection.execute(counts.where(MEMORIES.c.seq > after)).mappings().all():
        yield rows
        after = rows[-1]["seq"]


def _values(row: sa.RowMapping) -> dict[str, object]:
    kind = MemoryType(row["type"])
    words = searched_words(kind, row["summary"], row["payload"], row["effect"])
    return {
        "seq": row["seq"],
        "clone_id": row["clone_id"],
        "user_id": row["user_id"],
        "type": row["type"],
        "scope": scope_words(Scope(row["clone_id"], row["user_id"], kind)),
        "words": " ".join(words),
    }
