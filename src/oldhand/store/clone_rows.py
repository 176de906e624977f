"""Write and read clones."""

import sqlalchemy as sa

from oldhand.record.clone import Clone
from oldhand.store import tables


def put_clone(connection: sa.Connection, clone: Clone) -> None:
    """Write a clone, in place of the one of its id."""
    connection.execute(sa.delete(tables.clones).where(tables.clones.c.id == clone.id))
    connection.execute(sa.insert(tables.clones), clone.model_dump())


def load_clone(connection: sa.Connection, clone_id: str) -> Clone | None:
    """The clone of that id, or None."""
    query = sa.select(tables.clones).where(tables.clones.c.id == clone_id)
    row = connection.execute(query).mappings().one_or_none()
    return Clone.model_validate(dict(row)) if row else None
