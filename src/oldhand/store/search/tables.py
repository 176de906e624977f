"""The tables of the search over memories: an inverted index, kept apart for each clone, user and type."""

import sqlalchemy as sa

from oldhand.store.column_types import SEQUENCE, AnyText
from oldhand.store.tables import belongs_to, key, metadata, optional, required

search_scopes = sa.Table(
    "search_scopes",
    metadata,
    sa.Column("id", SEQUENCE, primary_key=True),
    *required(AnyText, "clone_id", "user_id", "type"),
    # How many memories and words there are: what a score needs of the whole.
    *required(sa.BigInteger, "memories", "words"),
    # The next number for a document; numbers of those that are gone are not used again.
    *required(sa.BigInteger, "numbers"),
    sa.UniqueConstraint("clone_id", "user_id", "type"),
    sqlite_autoincrement=True,
)

search_postings = sa.Table(
    "search_postings",
    metadata,
    *key(sa.BigInteger, "scope_id"),
    *key(sa.Text, "term"),
    *key(sa.BigInteger, "block"),
    # Which of the 4,096 numbers of the block have it: two bytes for each.
    *required(sa.LargeBinary, "places"),
    belongs_to("search_scopes", scope_id="id"),
    sqlite_with_rowid=False,
)

search_documents = sa.Table(
    "search_documents",
    metadata,
    *key(sa.BigInteger, "scope_id", "number"),
    # The version of a memory that counts.
    *required(sa.BigInteger, "seq"),
    # Stems with blanks between them, repetitions included.
    *required(sa.Text, "terms"),
    # Of an alias.
    *optional(AnyText, "phrase"),
    sa.UniqueConstraint("seq"),
    belongs_to("memories", seq="seq"),
    belongs_to("search_scopes", scope_id="id"),
    sqlite_with_rowid=False,
)
