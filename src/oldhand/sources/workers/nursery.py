"""The process that workers are forked from: one thread, the drivers imported, nothing else open.

It ends, and all its workers with it, when the program that started it closes the line or dies: the kernel closes it then.
"""

import contextlib
import ctypes
import os
import signal
import socket
import sys
from multiprocessing.connection import Connection
from typing import cast

from oldhand.sources.workers.serving import module_of, serve
from oldhand.sources.workers.wire import KILL, KINDS, ORDER

_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux; elsewhere a worker ends when its line does, or its processor time."""


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
