"""How the store reads and writes: whole transactions, the journal right behind them."""

from collections.abc import Generator
from contextlib import contextmanager

import sqlalchemy as sa

from oldhand.store.engine import Access, transaction
from oldhand.store.outbox import Outbox

_CLONE_LOCK = 0x6F6C64
"""`old` in ASCII: tells the locks of clones from other advisory locks of Postgres."""


class Transactions:
    """Transactions over one engine; errors come out as `StoreError`s."""

    def __init__(self, engine: sa.Engine, outbox: Outbox) -> None:
        self._engine = engine
        self._outbox = outbox

    @contextmanager
    def reading(self) -> Generator[sa.Connection]:
        """See one state of the store."""
        with transaction(self._engine, Access.READ) as connection:
            yield connection

    @contextmanager
    def writing(self, clone_id: str, access: Access = Access.WRITE) -> Generator[sa.Connection]:
        """Change what belongs to one clone: all of it or, on an error, nothing.

        Writes of one clone happen one after another, so that versions and lines keep their order.
        """
        with transaction(self._engine, access) as connection:
            if connection.dialect.name == "postgresql":
                key = sa.func.hashtextextended(clone_id, _CLONE_LOCK)
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))
            yield connection
        self._outbox.deliver()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()
