"""Our side of the workers: one session of a database is one process."""

import atexit
import contextlib
import multiprocessing.spawn
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias, cast

from oldhand import errors
from oldhand.sources.workers.reading import TOO_LARGE, FetchedRows, RawRow
from oldhand.sources.workers.wire import FORK, KILL, KINDS, ORDER, PREPARE, packed, unpacked

_Line: TypeAlias = "Connection[bytes, bytes]"
_PROGRAM = """
import socket, sys
sys.path[:] = sys.argv[2:]
from oldhand.sources.workers.nursery import main
main(socket.socket(fileno=int(sys.argv[1])))
"""
_VARIABLES = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "TZ")
"""What a worker gets to see of the environment: no keys and no passwords."""
_ENDED = f"The process that ran it ended over it, as it does without enough memory. {TOO_LARGE}"
_OPENING_SECONDS = 30.0
_CLOSING_SECONDS = 2.0


class _Nursery:
    """The process that forks our workers; it is started when it is needed, and again when it died."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def order(self, what: bytes, number: int, line: socket.socket | None = None) -> None:
        """Have something done; nobody waits for it.

        Raises:
            OSError: there is no nursery, and none can be started.
        """
        descriptors = [] if line is None else [line.fileno()]
        with self._lock:
            control = self._started()
            try:
                socket.send_fds(control, [ORDER.pack(what, number)], descriptors)
            except OSError:
                self._end()
                if what != KILL:  # those died with it
                    socket.send_fds(self._started(), [ORDER.pack(what, number)], descriptors)

    def close(self) -> None:
        """End it, and with it all workers."""
        with self._lock:
            self._end()

    def _started(self) -> socket.socket:
        if self._control is None:
            ours, theirs = socket.socketpair()
            with theirs:
                self._process = subprocess.Popen(  # noqa: S603 - our own program
                    [
                        multiprocessing.spawn.get_executable() or sys.executable,
                        *("-I", "-S", "-c", _PROGRAM, str(theirs.fileno()), *sys.path),
                    ],
                    pass_fds=[theirs.fileno()],
                    env={name: os.environ[name] for name in _VARIABLES if name in os.environ},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl-C is for us
                )
            self._control = ours
        return self._control

    def _end(self) -> None:
        if self._control is not None and self._process is not None:
            self._control.close()
            try:
                self._process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._control = self._process = None


_nurseries: dict[int, _Nursery] = {}
"""By the process that they belong to: after a fork another one is needed."""


def _nursery() -> _Nursery:
    known = _nurseries.get(os.getpid())
    if known is None:
        known = _nurseries.setdefault(os.getpid(), _Nursery())
        atexit.register(known.close)
    return known


def start_ahead(kinds: Iterable[str]) -> None:
    """Have the drivers of these kinds imported in the background, so that the first question needn't wait."""
    for kind in dict.fromkeys(kinds):
        _nursery().order(PREPARE, [*KINDS].index(kind))


class WorkerSession:
    """One connection in a process of its own; stopping it ends the process, at once and whatever it does."""

    def __init__(self, kind: str, path: str) -> None:
        self._owner = os.getpid()
        self._nursery = _nursery()
        self._path = Path(path)
        self._file = _identity(self._path)
        self._lost = False
        self._pid = 0
        ours, theirs = socket.socketpair()
        self._line: _Line = Connection(ours.detach())
        try:
            with theirs:
                self._nursery.order(FORK, [*KINDS].index(kind), theirs)
            (self._pid,) = cast("tuple[int]", self._received(_OPENING_SECONDS))
            self._send("open", kind, path)
            self._received(_OPENING_SECONDS)
        except (OSError, errors.QueryFailed) as error:
            self.close()
            raise errors.DatabaseUnreachable(f"{path}: no process could open it.") from error
        except errors.DatabaseError:
            self.close()
            raise

    @property
    def usable(self) -> bool:
        """False once the process ended or belongs to another program, or another file lies at its path."""
        here = not self._lost and self._owner == os.getpid() and not self._line.poll()
        return here and self._file == _identity(self._path)

    def read(self, sql: str, rows: int, seconds: float) -> FetchedRows:
        """Run one statement there.

        Raises:
            DatabaseError: it was rejected, or the process ended over it.
            QueryRefused: it does more than read.
        """
        self._send("read", sql, rows, seconds)
        columns, found = self._received()
        return FetchedRows(cast("tuple[str, ...]", columns), cast("list[RawRow]", found))

    def add(self, name: str, columns: tuple[str, ...], values: tuple[RawRow, ...]) -> None:
        """Make rows a table there.

        Raises:
            QueryFailed: they do not fit into a table.
        """
        self._send("add", name, columns, values)
        self._received()

    def interrupt(self) -> None:
        """End the process."""
        self._lost = True
        if self._pid:
            self._nursery.order(KILL, self._pid)

    sever = interrupt

    def close(self) -> None:
        """Let the process end; a file that it had open is free then."""
        if not self._lost and self._owner == os.getpid():
            with contextlib.suppress(errors.DatabaseError):
                self._send("close")
                self._received(_CLOSING_SECONDS)
        self._lost = True
        self._line.close()

    def _send(self, *request: object) -> None:
        try:
            self._line.send_bytes(packed(request))
        except OSError as error:
            self._lost = True
            raise errors.DatabaseUnreachable("The process of the database has ended.") from error

    def _received(self, seconds: float | None = None) -> list[object]:
        """What the worker found; with a limit it is ended when it takes longer."""
        try:
            if not self._line.poll(seconds):
                self.interrupt()
            usable, what, *found = unpacked(self._line.recv_bytes())
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            self.interrupt()
            raise errors.QueryFailed(_ENDED) from error
        self._lost = self._lost or not usable
        if what == "error":
            name, text = map(str, found)
            raise getattr(errors, name)(text)
        return found


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
