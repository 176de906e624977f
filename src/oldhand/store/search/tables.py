"""The tables of the searches by words: inverted indexes, kept apart for each clone, user and type."""

from typing import NamedTuple

import sqlalchemy as sa

from oldhand.store.column_types import SEQUENCE, AnyText
from oldhand.store.tables import belongs_to, key, metadata, optional, required


class SearchTables(NamedTuple):
    """One inverted index: over memories, or over passages."""

    scopes: sa.Table
    postings: sa.Table
    documents: sa.Table


def _search_tables(prefix: str, of: str) -> SearchTables:
    """The index of what has a row in the table `of`."""
    scopes = sa.Table(
        f"{prefix}_scopes",
        metadata,
        sa.Column("id", SEQUENCE, primary_key=True),
        *required(AnyText, "clone_id", "user_id", "type"),
        # How many texts (memories, or passages) and words there are: what a score needs of the whole.
        *required(sa.BigInteger, "memories", "words"),
        # The next number for a document; numbers of those that are gone are not used again.
        *required(sa.BigInteger, "numbers"),
        sa.UniqueConstraint("clone_id", "user_id", "type"),
        sqlite_autoincrement=True,
    )
    postings = sa.Table(
        f"{prefix}_postings",
        metadata,
        *key(sa.BigInteger, "scope_id"),
        *key(sa.Text, "term"),
        *key(sa.BigInteger, "block"),
        # Which of the 4,096 numbers of the block have it: two bytes for each, or all bits.
        *required(sa.LargeBinary, "places"),
        belongs_to(scopes.name, scope_id="id"),
        sqlite_with_rowid=False,
    )
    documents = sa.Table(
        f"{prefix}_documents",
        metadata,
        *key(sa.BigInteger, "scope_id", "number"),
        # The row that counts: a version of a memory, or a passage.
        *required(sa.BigInteger, "seq"),
        # Stems with blanks between them, repetitions included: see `index.arranged`.
        *required(sa.Text, "terms"),
        # Of an alias.
        *optional(AnyText, "phrase"),
        sa.UniqueConstraint("seq"),
        belongs_to(of, seq="seq"),
        belongs_to(scopes.name, scope_id="id"),
        sqlite_with_rowid=False,
    )
    return SearchTables(scopes, postings, documents)


MEMORY_SEARCH = _search_tables("search", of="memories")
PASSAGE_SEARCH = _search_tables("passage_search", of="passages")
search_scopes, search_postings, search_documents = MEMORY_SEARCH
