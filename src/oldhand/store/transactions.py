"""How the store reads and writes: whole transactions, the journal right behind them."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from threading import local

import sqlalchemy as sa

from oldhand.errors import StoreLocked
from oldhand.store.engine import Access, transaction, translated
from oldhand.store.journal.outbox import Outbox


class _OfThread(local):
    """What one thread has open."""

    snapshot: sa.Connection | None = None


_ONE_STATE = sa.text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
"""Else Postgres shows each statement what was committed just before it."""
_CLONE_LOCK = 0x6F6C64
"""`old` in ASCII: tells the locks of clones from other advisory locks of Postgres."""
_LOCK = sa.select(
    sa.func.pg_advisory_xact_lock(
        sa.func.hashtextextended(sa.bindparam("clone_id", type_=sa.Text), _CLONE_LOCK)
    )
)
"""Built once: putting it together takes longer than running it."""


class Transactions:
    """Transactions over one engine; errors come out as `StoreError`s."""

    def __init__(self, engine: sa.Engine, outbox: Outbox) -> None:
        self._engine = engine
        self._outbox = outbox
        self._open = _OfThread()

    @property
    def is_postgres(self) -> bool:
        """Whether the store lies in Postgres."""
        return self._engine.name == "postgresql"

    @contextmanager
    def reading(self) -> Generator[sa.Connection]:
        """See one state of the store: that of the snapshot which this thread holds, if it holds one."""
        if self._open.snapshot is not None:
            with translated(self._engine.url):
                yield self._open.snapshot
            return
        with transaction(self._engine, Access.READ) as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Generator[None]:
        """Let all that this thread reads meanwhile see one state of the store, in one transaction."""
        if self._open.snapshot is not None:
            yield
            return
        with transaction(self._engine, Access.READ) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(_ONE_STATE)
            self._open.snapshot = connection
            try:
                yield
            finally:
                self._open.snapshot = None

    @contextmanager
    def writing(
        self, clone_id: str, access: Access = Access.WRITE, *, journalled: bool = True
    ) -> Generator[sa.Connection]:
        """Change what belongs to one clone: all of it or, on an error, nothing.

        Writes of one clone happen one after another, so that versions and lines keep their order.
        """
        with transaction(self._engine, access) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(_LOCK, {"clone_id": clone_id})
            yield connection
        if journalled:
            self._outbox.deliver()

    def scrub(self) -> None:
        """Leave nothing of deleted rows in the database's files: not in free pages, nor in the log of SQLite.

        Postgres may still have it in its own log of writes, and everybody in their backups.

        Raises:
            StoreLocked: another process does not let go of the store; it can be done again.
        """
        if self.is_postgres:
            with translated(self._engine.url), self._engine.connect() as connection:
                # No transaction may be open.
                alone = connection.execution_options(isolation_level="AUTOCOMMIT")
                alone.execute(sa.text("VACUUM"))
            return
        pooled = self._engine.raw_connection()
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

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


class StorePart:
    """What a store does with one kind of thing, in its transactions."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
