"""Documents in a store, written without reading files."""

from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from oldhand.record.document import EVERYONE
from oldhand.store import Store
from oldhand.store.search.passages import index_documents, unindex_documents
from oldhand.store.work_tables import documents, passages


def put_document(
    store: Store,
    document_id: str,
    texts: Sequence[str],
    *,
    clone_id: str = "default",
    readers: Sequence[str] = (EVERYONE,),
    name: str | None = None,
    heading: Sequence[str] = (),
) -> None:
    """A document with these passages, in place of the one of that id; each text is its own hash."""
    forget_document(store, document_id, clone_id)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    row = {
        "clone_id": clone_id,
        "id": document_id,
        "name": name or document_id,
        "source": document_id,
        "media": "text/plain",
        "digest": "",
        "state": "ready",
        "note": "",
        "added_by": "ana",
        "readers": list(readers),
        "added_at": at,
    }
    rows = [
        {
            "clone_id": clone_id,
            "document_id": document_id,
            "position": position,
            "chunk_hash": text,
            "text": text,
            "anchor": {"heading": list(heading)},
        }
        for position, text in enumerate(texts)
    ]
    with store.passages._transactions.writing(clone_id) as connection:
        connection.execute(sa.insert(documents), row)
        if rows:
            connection.execute(sa.insert(passages), rows)
        index_documents(connection, clone_id, [document_id])


def forget_document(store: Store, document_id: str, clone_id: str = "default") -> None:
    with store.passages._transactions.writing(clone_id) as connection:
        unindex_documents(connection, clone_id, [document_id])
        this = (documents.c.clone_id == clone_id, documents.c.id == document_id)
        connection.execute(sa.delete(documents).where(*this))
