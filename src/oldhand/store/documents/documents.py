"""Documents and their passages: added, read, found by name, removed with all that was derived from them."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import urlsplit

import sqlalchemy as sa

from oldhand.errors import UnknownDocument, UsageError
from oldhand.record.document import Anchor, Document, DocumentState, Passage
from oldhand.store.search.passages import index_documents, unindex_documents
from oldhand.store.transactions import StorePart, delete_among, fields_of, insert_all, rows_among
from oldhand.store.work_tables import (
    chunk_scores,
    document_sources,
    documents,
    passage_vectors,
    passages,
)


class DocumentSource(NamedTuple):
    """A folder or sitemap that is looked at for new documents."""

    source: str
    added_by: str
    readers: tuple[str, ...]
    """Of what it brings."""


class DocumentStore(StorePart):
    """The documents of all clones. Methods block, and raise what those of the store do."""

    def add(self, document: Document) -> bool:
        """Keep a document that is still to be read; False when one of its source is there: that one stays as it is."""
        with self._transactions.writing(document.clone_id, journalled=False) as connection:
            of = documents.c
            this = sa.and_(of.clone_id == document.clone_id, of.source == document.source)
            if connection.scalar(sa.select(of.id).where(this)) is not None:
                return False
            connection.execute(sa.insert(documents).values(_row_of(document)))
        return True

    def save(self, document: Document) -> None:
        """Keep what became of a document, and leave its passages as they are; one that was removed meanwhile stays so."""
        with self._transactions.writing(document.clone_id, journalled=False) as connection:
            connection.execute(_change_of(document))

    def allow(self, clone_id: str, document_id: str, readers: Sequence[str]) -> None:
        """Say who may see a document."""
        this = sa.and_(documents.c.clone_id == clone_id, documents.c.id == document_id)
        with self._transactions.writing(clone_id, journalled=False) as connection:
            changed = sa.update(documents).where(this).values(readers=list(readers))
            if connection.execute(changed).rowcount:
                index_documents(connection, clone_id, [document_id])

    def replace(self, document: Document, found: Sequence[Passage]) -> None:
        """Keep what a document holds now, in place of what it held; nothing when it was removed meanwhile."""
        self.replace_all(document.clone_id, [(document, found)])

    def replace_all(
        self, clone_id: str, held: Sequence[tuple[Document, Sequence[Passage]]]
    ) -> None:
        """As `replace`, for different documents at once: a word that several have is written once."""
        with self._transactions.writing(clone_id, journalled=False) as connection:
            there = [one for one in held if connection.execute(_change_of(one[0])).rowcount]
            ids = [document.id for document, _ in there]
            before = _taken_out(connection, clone_id, ids)
            rows = (_passage_row(clone_id, one) for _, found in there for one in found)
            insert_all(connection, passages, rows)
            index_documents(connection, clone_id, ids)
            _forget(connection, clone_id, before, [passage_vectors])

    def remove(self, clone_id: str, document_id: str) -> bool:
        """Remove a document with all that follows from it; False when there is none."""
        with self._transactions.writing(clone_id, journalled=False) as connection:
            return delete_document(connection, clone_id, document_id)

    def get(self, clone_id: str, name: str) -> Document:
        """The document of that id, name or source; else the only one whose id begins so, or whose file is called so.

        Raises:
            UnknownDocument: there is none.
            UsageError: there are several.
        """
        of = documents.c
        query = sa.select(of.id, of.name, of.source).where(of.clone_id == clone_id).order_by(of.id)
        with self._transactions.reading() as connection:
            found = connection.execute(query.where(of.id == name)).all()
            found = found or connection.execute(query.where(sa.or_(of.name == name, of.source == name))).all()  # fmt: skip
            if not found and name.strip():
                found = [one for one in connection.execute(query) if _is_called(name, *one)]
            if len(found) > 1:
                some = ", ".join(f"{one.id[:8]} {one.name}" for one in found[:3])
                raise UsageError(f"{len(found)} documents are called {name!r} ({some}, …): give the id.")  # fmt: skip
            row = self._row(connection, clone_id, found[0].id) if found else None
        if row is None:
            raise UnknownDocument(f"There is no document {name!r}: `oldhand docs list` names them.")
        return _document_of(row)

    def list(
        self, clone_id: str, states: Sequence[DocumentState] = (), limit: int | None = None
    ) -> tuple[Document, ...]:
        """The documents of a clone by name, those in one of the states where some are named."""
        of = documents.c
        query = _DOCUMENTS.where(of.clone_id == clone_id).order_by(of.name, of.id).limit(limit)
        if states:
            query = query.where(of.state.in_([one.value for one in states]))
        with self._transactions.reading() as connection:
            return tuple(map(_document_of, connection.execute(query).mappings()))

    def waits(self, clone_id: str) -> bool:
        """Whether a document is still to be read; cheap."""
        of = documents.c
        waiting = of.state == DocumentState.WAITING.value
        query = sa.select(of.id).where(of.clone_id == clone_id, waiting).limit(1)
        with self._transactions.reading() as connection:
            return connection.scalar(query) is not None

    def counts(self, clone_id: str) -> dict[DocumentState, int]:
        """How many documents have come how far."""
        table = documents
        found = sa.select(table.c.state, sa.func.count()).where(table.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            rows = connection.execute(found.group_by(table.c.state)).all()
        return {DocumentState(state): number for state, number in rows}

    def passages(
        self, clone_id: str, document_id: str, start: int = 0, limit: int | None = None
    ) -> tuple[Passage, ...]:
        """The passages of a document, in its order; from one of them on, and so many at most."""
        of = passages.c
        this = sa.and_(of.clone_id == clone_id, of.document_id == document_id, of.position >= start)
        query = sa.select(passages).where(this).order_by(of.position).limit(limit)
        with self._transactions.reading() as connection:
            return tuple(map(passage_of, connection.execute(query).mappings()))

    def passages_called(self, clone_id: str, chunks: Sequence[str]) -> tuple[Passage, ...]:
        """All passages of these hashes; one may stand in several documents."""
        query = sa.select(passages).where(passages.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            rows = rows_among(connection, query, passages.c.chunk_hash, chunks)
            return tuple(map(passage_of, rows))

    def chunks_called(self, clone_id: str, start: str) -> tuple[str, ...]:
        """The first few hashes that begin so."""
        of = passages.c
        called = of.chunk_hash.startswith(start, autoescape=True)
        query = sa.select(of.chunk_hash).where(of.clone_id == clone_id, called).distinct()
        with self._transactions.reading() as connection:
            return tuple(connection.scalars(query.order_by(of.chunk_hash).limit(10)))

    def read_before(self, clone_id: str, digest: str) -> Document | None:
        """A document of the same bytes that was read."""
        of = documents.c
        same = sa.and_(
            of.clone_id == clone_id, of.digest == digest, of.state == DocumentState.READY.value
        )
        with self._transactions.reading() as connection:
            # In an order, or with the passages, SQLite would go through all documents of the clone.
            ids = connection.scalars(sa.select(of.id).where(same)).all()
            row = self._row(connection, clone_id, min(ids)) if ids else None
        return None if row is None else _document_of(row)

    def sources(self, clone_id: str) -> tuple[DocumentSource, ...]:
        """The folders and sitemaps of a clone."""
        of = document_sources.c
        query = sa.select(of.source, of.added_by, of.readers).where(of.clone_id == clone_id)
        with self._transactions.reading() as connection:
            rows = connection.execute(query.order_by(of.source)).all()
        return tuple(DocumentSource(one.source, one.added_by, tuple(one.readers)) for one in rows)

    def keep_source(self, clone_id: str, source: DocumentSource) -> None:
        """Remember a folder or sitemap, in place of what was known of it."""
        with self._transactions.writing(clone_id, journalled=False) as connection:
            _drop_source(connection, clone_id, source.source)
            row = {**source._asdict(), "clone_id": clone_id, "readers": list(source.readers)}
            connection.execute(sa.insert(document_sources), row)

    def drop_source(self, clone_id: str, source: str) -> None:
        """Look at a folder or sitemap no longer; its documents stay."""
        with self._transactions.writing(clone_id, journalled=False) as connection:
            _drop_source(connection, clone_id, source)

    def _row(
        self, connection: sa.Connection, clone_id: str, document_id: str
    ) -> sa.RowMapping | None:
        this = sa.and_(documents.c.clone_id == clone_id, documents.c.id == document_id)
        return connection.execute(_DOCUMENTS.where(this)).mappings().first()


def _is_called(said: str, document_id: str, name: str, source: str) -> bool:
    """Whether somebody may mean a document so: by the beginning of its id, or by its file, with or without its ending."""
    called, file = (
        said.casefold(),
        PurePosixPath(urlsplit(source).path if "://" in source else source),
    )
    tail = PurePosixPath(called).parts
    parts = [part.casefold() for part in file.parts[-len(tail) :]]
    return (
        document_id.startswith(said)
        or called == name.casefold()
        or parts == list(tail)
        or [*parts[:-1], file.stem.casefold()] == list(tail)
    )


_PASSAGES = sa.func.count(passages.c.seq)
_DOCUMENTS = (
    sa.select(documents, _PASSAGES.label("passages"))
    .outerjoin(
        passages,
        sa.and_(
            passages.c.clone_id == documents.c.clone_id, passages.c.document_id == documents.c.id
        ),
    )
    .group_by(documents.c.clone_id, documents.c.id)
)


def _drop_source(connection: sa.Connection, clone_id: str, source: str) -> None:
    of = document_sources.c
    connection.execute(
        sa.delete(document_sources).where(of.clone_id == clone_id, of.source == source)
    )


def delete_document(connection: sa.Connection, clone_id: str, document_id: str) -> bool:
    """Delete a document with all that follows from it, in an open transaction; False when there is none."""
    this = sa.and_(documents.c.clone_id == clone_id, documents.c.id == document_id)
    before = _taken_out(connection, clone_id, [document_id])
    found = connection.execute(sa.delete(documents).where(this)).rowcount
    _forget(connection, clone_id, before, [passage_vectors, chunk_scores])
    return bool(found)


def _taken_out(connection: sa.Connection, clone_id: str, ids: Sequence[str]) -> list[str]:
    """Delete the passages of documents; gives their hashes."""
    of = passages.c
    query = sa.select(of.chunk_hash).where(of.clone_id == clone_id)
    before = [row["chunk_hash"] for row in rows_among(connection, query, of.document_id, ids)]
    if before:
        unindex_documents(connection, clone_id, ids)
        delete_among(connection, passages, of.document_id, ids, of.clone_id == clone_id)
    return before


def _forget(
    connection: sa.Connection, clone_id: str, chunks: Sequence[str], derived: Sequence[sa.Table]
) -> None:
    """Let go of what was derived from passages, as far as no document holds them any longer."""
    of = passages.c
    left = sa.select(of.chunk_hash).where(of.clone_id == clone_id)
    held = {row["chunk_hash"] for row in rows_among(connection, left, of.chunk_hash, chunks)}
    gone = [one for one in dict.fromkeys(chunks) if one not in held]
    for table in derived:
        of_clone = table.c.clone_id == clone_id
        delete_among(connection, table, table.c.chunk_hash, gone, of_clone)


def _document_of(row: sa.RowMapping) -> Document:
    return Document.model_validate(fields_of(Document, row))


def passage_of(row: sa.RowMapping) -> Passage:
    """The passage that a row holds."""
    return Passage(
        chunk=row["chunk_hash"],
        document_id=row["document_id"],
        position=row["position"],
        text=row["text"],
        anchor=Anchor.model_validate(row["anchor"]),
    )


def _passage_row(clone_id: str, passage: Passage) -> dict[str, object]:
    return {
        "clone_id": clone_id,
        "document_id": passage.document_id,
        "position": passage.position,
        "chunk_hash": passage.chunk,
        "text": passage.text,
        "anchor": passage.anchor.model_dump(mode="json"),
    }


def _row_of(document: Document) -> dict[str, object]:
    values: dict[str, object] = document.model_dump(exclude={"passages"})
    return {**values, "state": document.state.value, "readers": list(document.readers)}


def _change_of(document: Document) -> sa.Update:
    of = documents.c
    this = sa.and_(of.clone_id == document.clone_id, of.id == document.id)
    kept = {"clone_id", "id", "source", "readers", "added_by", "added_at"}
    values = {name: value for name, value in _row_of(document).items() if name not in kept}
    return sa.update(documents).where(this).values(values)
