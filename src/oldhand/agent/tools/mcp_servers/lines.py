"""The lines of a server's messages, out of the pieces in which they come; one that is too long is not kept."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ENDS = 400
"""Bytes of either end of a line that is too long: the number of the request that it answers stands in one of them."""
_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"'
_AT_START = re.compile(rb"\s*\{\s*(?:" + _VERSION + rb'\s*,\s*)?"id"\s*:\s*(\d+)')
_AT_END = re.compile(rb'"id"\s*:\s*(\d+)\s*(?:,\s*' + _VERSION + rb"\s*)?\}\s*$")


@dataclass(frozen=True)
class TooLong:
    """Stands for a line that was not kept."""

    answers: int | None
    """The number of the request that it answers; None when that can't be told."""


class Lines:
    r"""Puts lines together; takes time and memory in proportion to their length.

    >>> lines = Lines(most_bytes=40)
    >>> [*lines.feed(b'{"a": 1}\n{"b"'), *lines.feed(b': 2}\n')]
    [b'{"a": 1}', b'{"b": 2}']
    >>> [*lines.feed(b'{"jsonrpc": "2.0", "id": 7, "result": "'), *lines.feed(b'xxxxx"}\n{}\n')]
    [TooLong(answers=7), b'{}']
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._begin()

    def _begin(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._start = self._end = b""

    def feed(self, piece: bytes) -> Iterator[bytes | TooLong]:
        """The lines that are whole with this piece."""
        *ends, rest = piece.split(b"\n")
        for end in ends:
            self._take(end)
            yield self._whole()
        self._take(rest)

    def _take(self, part: bytes) -> None:
        self._size += len(part)
        self._parts.append(part)
        if self._size <= self._most:
            return
        known = b"".join((self._end, *self._parts))
        self._start = self._start or known[:_ENDS]
        self._end = known[-_ENDS:]
        self._parts.clear()

    def _whole(self) -> bytes | TooLong:
        line: bytes | TooLong = b"".join(self._parts)
        if self._size > self._most:
            found = _AT_START.match(self._start) or _AT_END.search(self._end)
            line = TooLong(None if found is None else int(found[1]))
        self._begin()
        return line
