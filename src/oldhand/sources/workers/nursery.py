"""The process that workers are forked from: one thread, the drivers imported, nothing else open.

It ends, and all its workers with it, when the program that started it closes the line or dies: the kernel closes it then.
"""

import contextlib
import ctypes
import importlib
import os
import resource
import signal
import socket
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any, Protocol, cast

from oldhand.errors import OldhandError
from oldhand.sources.workers.reading import MEMORY_MEGABYTES, TOO_LARGE, FetchedRows
from oldhand.sources.workers.wire import KILL, KINDS, ORDER, packed, unpacked

_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux; elsewhere a worker ends when its line does, or its processor time."""
FILE_MEGABYTES = 2_048
"""How large a temporary file may grow."""
_LOOK_EVERY = 0.05
_SPARE_SECONDS = 2


class _WithoutPandas:
    """DuckDB and Arrow import pandas where there is one, for most of a second; no worker needs it."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """No other finder is asked for it."""
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def main(control: socket.socket) -> None:
    """Carry out orders until there is nobody left to give them."""
    sys.meta_path.insert(0, _WithoutPandas)
    workers: set[int] = set()
    while True:
        try:
            order, descriptors, _, _ = socket.recv_fds(control, ORDER.size, 1, socket.MSG_WAITALL)
        except OSError:
            break
        if len(order) < ORDER.size:
            break
        _bury(workers)
        what, number = cast("tuple[bytes, int]", ORDER.unpack(order))
        if what == KILL and number in workers:
            os.kill(number, signal.SIGKILL)
        elif what != KILL:
            module_of([*KINDS][number])
        for descriptor in descriptors:
            workers.add(_forked(control, descriptor))
    for worker in workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


def _bury(workers: set[int]) -> None:
    """Take note of those that ended: until then nobody else can have their numbers."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            workers.discard(ended)


def _forked(control: socket.socket, descriptor: int) -> int:
    nursery = os.getpid()
    worker = os.fork()
    if worker != 0:
        os.close(descriptor)
        return worker
    try:
        control.close()
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() == nursery:
            serve(Connection(descriptor))
    finally:
        os._exit(0)


# What a worker does: it opens one database, and answers one request after the other within its limits.
class ServedConnection(Protocol):
    """One connection, on the worker's side."""

    @property
    def usable(self) -> bool:
        """False once the database is gone."""
        ...

    def read(self, sql: str, rows: int) -> FetchedRows:
        """Run one statement and fetch at most `rows` rows."""
        ...

    def add(
        self, name: str, columns: tuple[str, ...], values: tuple[tuple[object, ...], ...]
    ) -> None:
        """Make rows a table."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...


class Drivers(Protocol):
    """The module of one kind of database."""

    def opened(self, path: str) -> ServedConnection:
        """Connect.

        Raises:
            DatabaseUnreachable: there is no such database.
        """
        ...


def module_of(kind: str) -> Drivers:
    """Import what serving such a thing needs."""
    return cast("Drivers", importlib.import_module(KINDS[kind]))


def serve(line: Connection) -> None:
    """Say who we are, then answer until the line is closed."""
    _keep_limits()
    session: ServedConnection | None = None
    with contextlib.suppress(EOFError, OSError):
        line.send_bytes(packed((True, "done", os.getpid())))
        while True:
            what, *rest = cast("tuple[Any, ...]", unpacked(line.recv_bytes()))
            reply: tuple[object, ...] = ("done",)
            try:
                if session is None:
                    session = module_of(rest[0]).opened(rest[1])
                elif what == "add":
                    session.add(*rest)
                elif what == "close":
                    session.close()
                else:
                    reading = _read(session, *rest)
                    reply = ("done", reading.columns, reading.rows)
            except OldhandError as error:
                reply = ("error", type(error).__name__, str(error))
            except MemoryError:
                reply = ("error", "QueryFailed", TOO_LARGE)
            usable = session is not None and session.usable
            line.send_bytes(packed((usable, *reply)))


def _read(session: ServedConnection, sql: str, rows: int, seconds: float) -> FetchedRows:
    """Read, with processor time for as long as the statement may take: the limit holds when nobody is left to kill us."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    allowed = used.ru_utime + used.ru_stime + seconds * (os.cpu_count() or 1) + _SPARE_SECONDS
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(allowed) if hard == resource.RLIM_INFINITY else min(int(allowed), hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
    return session.read(sql, rows)


def _keep_limits() -> None:
    """Limits of the operating system, none above one that holds already."""
    limits = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, FILE_MEGABYTES << 20),
    ]
    if sys.platform == "linux":
        limits.append((resource.RLIMIT_DATA, MEMORY_MEGABYTES << 20))
    else:  # no other kernel counts it all
        threading.Thread(target=_watch_memory, daemon=True).start()
    for which, most in limits:
        _, hard = resource.getrlimit(which)
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (value, value))


def _watch_memory() -> None:
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < MEMORY_MEGABYTES << 20:
        time.sleep(_LOOK_EVERY)
    os._exit(1)
