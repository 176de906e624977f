"""What no test shall hang on: how busy the machine is, and which ports others take."""

import os
import socket
from itertools import count

PATIENCE = 600.0
"""Seconds that a test waits for what has to come; only what is broken takes so long."""

_PORTS = count(10_000 + os.getpid() * 37 % 20_000)
"""Below those that systems hand out by themselves: none is taken between two starts of a server."""


def own_port() -> int:
    """A port of the loopback address that nobody else is given, for a server that has to be told one."""
    for port in _PORTS:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("ports are counted without end")
