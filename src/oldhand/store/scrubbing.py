"""Overwrite what deleted rows have left in the files of a store."""

import sqlite3

import sqlalchemy as sa

from oldhand.errors import StoreLocked
from oldhand.store.engine import translated


def scrub(engine: sa.Engine) -> None:
    """Leave nothing of deleted rows in the database's files: not in free pages, nor in the log of SQLite.

    Postgres may still have it in its own log of writes, and everybody in their backups.

    Raises:
        StoreLocked: another process does not let go of the store; it can be done again.
        StoreError: anything else that the database says.
    """
    if engine.name == "postgresql":
        with translated(engine.url), engine.connect() as connection:
            # No transaction may be open.
            alone = connection.execution_options(isolation_level="AUTOCOMMIT")
            alone.execute(sa.text("VACUUM"))
        return
    pooled = engine.raw_connection()
    connection = pooled.driver_connection
    assert isinstance(connection, sqlite3.Connection), "SQLite has no other driver here"
    try:
        connection.execute("VACUUM")
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError as error:
        raise StoreLocked(f"The store cannot be cleaned up now: {error}.") from error
    finally:
        pooled.close()
    if busy:
        raise StoreLocked("The store cannot be cleaned up while another process reads it.")
