"""The lock that lets one learner of a clone work at a time, whatever thread or process it is in."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import sqlalchemy as sa

from oldhand.errors import StoreUnreachable
from oldhand.errors.files import written_to
from oldhand.store.engine import Access, transaction

_LEARNING = 0x6C6561726E
"""`learn` in ASCII: tells these locks from the other advisory locks of Postgres."""


class LearningLock:
    """Held from reading what is known of a clone until what follows from it is saved.

    It is not the lock of a write: feedback, episodes and readers never wait for it, and it may be held for as long as
    a query takes. Where the process dies, the system lets go of it. It must not be taken twice by one thread.
    Taking it raises `StoreUnreachable` when the lock file cannot be made, and `StoreError` when Postgres says no.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._across = self._of_postgres if engine.name == "postgresql" else self._of_file
        # In one process, one connection waits for Postgres: many would leave none for the learner that holds it.
        self._threads: dict[str, Lock] = {}

    @contextmanager
    def held(self, clone_id: str) -> Generator[None]:
        """Wait until nobody else learns for this clone, and keep others waiting."""
        with self._threads.setdefault(clone_id, Lock()), self._across(clone_id, True):
            yield

    @contextmanager
    def tried(self, name: str) -> Generator[bool]:
        """Hold it if nobody else does; it is told, without any wait, whether it is held."""
        lock = self._threads.setdefault(name, Lock())
        if not lock.acquire(blocking=False):
            yield False
            return
        try:
            with self._across(name, False) as is_held:
                yield is_held
        finally:
            lock.release()

    @contextmanager
    def _of_postgres(self, name: str, wait: bool) -> Generator[bool]:
        with transaction(self._engine, Access.READ) as connection:
            # Learning may take longer than any write.
            connection.execute(sa.select(sa.func.set_config("lock_timeout", "0", True)))
            key = sa.func.hashtextextended(name, _LEARNING)
            lock = sa.func.pg_advisory_xact_lock if wait else sa.func.pg_try_advisory_xact_lock
            yield connection.scalar(sa.select(lock(key))) is not False

    @contextmanager
    def _of_file(self, name: str, wait: bool) -> Generator[bool]:
        """A file of its own: whoever opens and closes SQLite's file lets go of SQLite's locks on it."""
        store = Path(self._engine.url.database or "").resolve()
        path = store.with_name(f"{store.name}.{name}.learning")
        with written_to(path, StoreUnreachable):
            file = os.open(
                path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, store.stat().st_mode & 0o666
            )
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
            else:
                yield True
        finally:
            os.close(file)
