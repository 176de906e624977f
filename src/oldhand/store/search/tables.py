"""The tables of the search over memories: an inverted index, kept apart for each clone, user and type."""

import sqlalchemy as sa

from oldhand.store.column_types import SEQUENCE, AnyText
from oldhand.store.tables import metadata


def _of_scope() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["scope_id"], ["search_scopes.id"], ondelete="CASCADE")


search_scopes = sa.Table(
    "search_scopes",
    metadata,
    sa.Column("id", SEQUENCE, primary_key=True),
    sa.Column("clone_id", AnyText, nullable=False),
    sa.Column("user_id", AnyText, nullable=False),
    sa.Column("type", AnyText, nullable=False),
    # How many memories and words there are: what a score needs of the whole.
    sa.Column("memories", sa.BigInteger, nullable=False),
    sa.Column("words", sa.BigInteger, nullable=False),
    # The next number for a document; numbers of those that are gone are not used again.
    sa.Column("numbers", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("clone_id", "user_id", "type"),
    sqlite_autoincrement=True,
)

search_postings = sa.Table(
    "search_postings",
    metadata,
    sa.Column("scope_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("term", sa.Text, primary_key=True),
    sa.Column("block", sa.BigInteger, primary_key=True, autoincrement=False),
    # Which of the 4,096 numbers of the block have it: two bytes for each.
    sa.Column("places", sa.LargeBinary, nullable=False),
    _of_scope(),
    sqlite_with_rowid=False,
)

search_documents = sa.Table(
    "search_documents",
    metadata,
    sa.Column("scope_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    # The version of a memory that counts.
    sa.Column("seq", sa.BigInteger, nullable=False),
    # Stems with blanks between them, repetitions included.
    sa.Column("terms", sa.Text, nullable=False),
    # Of an alias.
    sa.Column("phrase", AnyText),
    sa.UniqueConstraint("seq"),
    sa.ForeignKeyConstraint(["seq"], ["memories.seq"], ondelete="CASCADE"),
    _of_scope(),
    sqlite_with_rowid=False,
)
