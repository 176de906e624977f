"""How the store reads and writes: whole transactions, the journal right behind them."""

from collections.abc import Generator
from contextlib import contextmanager
from threading import local

import sqlalchemy as sa

from oldhand.store.engine import Access, transaction, translated
from oldhand.store.journal.outbox import Outbox
from oldhand.store.scrubbing import scrub


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

        Args:
            clone_id: whose.
            access: when it counts as done.
            journalled: whether there may be lines to append afterwards.
        """
        with transaction(self._engine, access) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(_LOCK, {"clone_id": clone_id})
            yield connection
        if journalled:
            self._outbox.deliver()

    def scrub(self) -> None:
        """Leave nothing of deleted rows in the files of the database; see `oldhand.store.scrubbing`."""
        scrub(self._engine)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()
