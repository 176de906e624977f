"""Find and read the passages of documents."""

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from oldhand.record.document import Passage
from oldhand.store.among import among, given_pairs, pairs
from oldhand.store.cache import Cache
from oldhand.store.documents.documents import passage_of
from oldhand.store.search.documents import Place, SearchedDocument, places
from oldhand.store.search.index import PASSAGE_SEARCH
from oldhand.store.search.passages import PassageScan, scan_passages, word_scores
from oldhand.store.transactions import Transactions
from oldhand.store.work_tables import documents, passages

_DOCUMENTS_KEPT = 16_384
"""About 25 MB where passages have a hundred words each."""


class StoredPassage(NamedTuple):
    """A passage with what a search needs to know of it."""

    number: int
    """Of the passage among those of its clone, never used twice."""
    passage: Passage
    document: str
    """The name of its document."""


class PassageReads:
    """The passages of all clones, for those who may read them. Methods block."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._documents = Cache[Place, SearchedDocument](_DOCUMENTS_KEPT)
        self._chunks = Cache[Place, str](_DOCUMENTS_KEPT)

    def snapshot(self) -> AbstractContextManager[None]:
        """Let all that this thread reads meanwhile see one state of the store."""
        return self._transactions.snapshot()

    def is_any(self, clone_id: str) -> bool:
        """Whether a clone has passages."""
        with self._transactions.reading() as connection:
            return connection.scalar(_ANY, {"of_clone": clone_id}) is not None

    def count(self, clone_id: str) -> int:
        """How many different passages a clone has."""
        query = sa.select(sa.func.count(passages.c.chunk_hash.distinct()))
        with self._transactions.reading() as connection:
            return connection.scalar(query.where(passages.c.clone_id == clone_id)) or 0

    def scan(self, clone_id: str, question: str, readers: Collection[str]) -> PassageScan:
        """Which words of a question are where, and what somebody may read who is one of these readers."""
        with self._transactions.reading() as connection:
            return scan_passages(connection, clone_id, question, readers)

    def word_scores(self, scan: PassageScan, numbers: Collection[int]) -> dict[int, float]:
        """How well the words of these passages fit the question, from 0 on."""
        with self._transactions.reading() as connection:
            return word_scores(connection, scan, numbers, self._documents)

    def numbers_of(self, scan: PassageScan, clone_id: str, chunks: Collection[str]) -> list[int]:
        """The numbers of the passages with these hashes that may be read."""
        if not chunks:
            return []
        searched = PASSAGE_SEARCH.documents
        with self._transactions.reading() as connection:
            query = (
                sa.select(searched.c.number)
                .join_from(searched, passages, passages.c.seq == searched.c.seq)
                .where(
                    passages.c.clone_id == clone_id,
                    among(passages.c.chunk_hash, "chunks", connection.dialect.name),
                )
            )
            found = connection.scalars(query, {"chunks": list(chunks)}).all()
        return [number for number in sorted(found) if scan.readable >> number & 1]

    def chunks_of(self, scan: PassageScan, numbers: Sequence[int]) -> dict[int, str]:
        """The hashes of the passages of these numbers, in that order."""
        of = dict(zip(numbers, places(scan.scope_id, numbers), strict=True))
        found = self._chunks.among(of.values())
        if missing := [number for number, place in of.items() if place not in found]:
            with self._transactions.reading() as connection:
                dialect = connection.dialect.name
                asked = given_pairs("asked", {scan.scope_id: missing}, dialect)
                rows = connection.execute(_hashes(dialect), asked).all()
            read = {of[number]: chunk for number, chunk in rows if chunk is not None}
            self._chunks.keep(read)
            found |= read
        return {number: found[place] for number, place in of.items() if place in found}

    def load(
        self, scan: PassageScan, numbers: Sequence[int], readers: Collection[str]
    ) -> list[StoredPassage]:
        """The passages of these numbers in that order, without those that none of the readers may read."""
        with self._transactions.reading() as connection:
            dialect = connection.dialect.name
            asked = given_pairs("asked", {scan.scope_id: numbers}, dialect)
            found = connection.execute(_found(dialect), asked).mappings()
            rows = {row["number"]: row for row in found if row["readers"] is not None}
        kept = (rows[number] for number in numbers if number in rows)
        return [
            StoredPassage(row["number"], passage_of(row), row["name"])
            for row in kept
            if not set(readers).isdisjoint(row["readers"])
        ]


_ANY = (
    sa.select(passages.c.seq)
    .where(passages.c.clone_id == sa.bindparam("of_clone", type_=passages.c.clone_id.type))
    .limit(1)
)


@lru_cache(maxsize=2)
def _hashes(dialect: str) -> sa.Select[*tuple[Any, ...]]:
    """As `_found`, of the hashes alone."""
    searched, asked = PASSAGE_SEARCH.documents, pairs("asked", dialect)
    at = sa.and_(searched.c.scope_id == asked.left, searched.c.number == asked.right)
    hashes = asked.table.outerjoin(searched, at).outerjoin(passages, passages.c.seq == searched.c.seq)  # fmt: skip
    return sa.select(searched.c.number, passages.c.chunk_hash).select_from(hashes)


@lru_cache(maxsize=2)
def _found(dialect: str) -> sa.Select[*tuple[Any, ...]]:
    """Built once: putting a statement together takes longer than running it.

    The joins are outer ones, so that SQLite looks up each number and doesn't read all passages instead.
    """
    of, searched, asked = passages.c, PASSAGE_SEARCH.documents, pairs("asked", dialect)
    at = sa.and_(searched.c.scope_id == asked.left, searched.c.number == asked.right)
    its = sa.and_(documents.c.clone_id == of.clone_id, documents.c.id == of.document_id)
    columns = (of.chunk_hash, of.document_id, of.position, of.text, of.anchor)
    return sa.select(
        searched.c.number, *columns, documents.c.name, documents.c.readers
    ).select_from(
        asked.table.outerjoin(searched, at)
        .outerjoin(passages, of.seq == searched.c.seq)
        .outerjoin(documents, its)
    )
