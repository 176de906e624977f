"""Documents belong to a clone, whoever added them: of a user who is erased, only the name leaves them."""

import sqlalchemy as sa

from oldhand.record.clone import DEFAULT_USER
from oldhand.record.document import EVERYONE, MEMBERS
from oldhand.store.document_tables import document_sources, documents
from oldhand.store.documents.documents import delete_document
from oldhand.store.search.passages import index_documents


def leave_documents(connection: sa.Connection, clone_id: str, user_id: str) -> None:
    """Let no document name a user: neither as who added it, nor as who may read it; one for them only goes."""
    for table in (documents, document_sources):
        mine = sa.and_(table.c.clone_id == clone_id, table.c.added_by == user_id)
        connection.execute(sa.update(table).where(mine).values(added_by=DEFAULT_USER))
    if user_id in {EVERYONE, MEMBERS}:
        return  # that is what all of them are called
    for table, name in ((documents, documents.c.id), (document_sources, document_sources.c.source)):
        of_clone = table.c.clone_id == clone_id
        for key, readers in connection.execute(
            sa.select(name, table.c.readers).where(of_clone)
        ).all():
            left = [one for one in readers if one != user_id]
            if left == readers:
                continue
            this = sa.and_(of_clone, name == key)
            if left:
                connection.execute(sa.update(table).where(this).values(readers=left))
            elif table is document_sources:
                connection.execute(sa.delete(table).where(this))
            if table is documents and left:
                index_documents(connection, clone_id, [key])
            elif table is documents:
                delete_document(connection, clone_id, key)
