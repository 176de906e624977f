"""A server that is started here and spoken to over its standard input and output, a message in each line.

The client of the protocol's own library puts long lines together in quadratic time: one of 30 MB takes it minutes.
"""

import logging
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TextIO, TypeAlias

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.os.posix.utilities import terminate_posix_process_tree
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, jsonrpc_message_adapter

from oldhand.agent.tools.mcp_servers.address import ServerAddress
from oldhand.settings import ToolServerLimits

logger = logging.getLogger(__name__)

Heard: TypeAlias = SessionMessage | Exception
"""A message of the server, or why a line of it is none."""

ANSWER_TOO_LONG = -32_099
"""The last of the codes that the protocol leaves to implementations; the library uses the first ones itself."""
_MEGABYTE = 1_000_000
_FLUSH_SECONDS = 0.5
"""Time for what was said last to reach the server."""
_END_SECONDS = 2.0
"""Time to end by itself, once nobody speaks to it, and again for the signal to end."""
_POLL_SECONDS = 0.01
_GONE = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, OSError)
_ENDS = 400
"""Bytes of either end of a line that is too long: the number of the request that it answers stands in one of them."""
_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"'
_AT_START = re.compile(rb"\s*\{\s*(?:" + _VERSION + rb'\s*,\s*)?"id"\s*:\s*(\d+)')
_AT_END = re.compile(rb'"id"\s*:\s*(\d+)\s*(?:,\s*' + _VERSION + rb"\s*)?\}\s*$")


@asynccontextmanager
async def started_server(
    address: ServerAddress, limits: ToolServerLimits, said: TextIO
) -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[Heard], MemoryObjectSendStream[SessionMessage]]
]:
    """Start a server, and end it with all its children.

    Raises:
        OSError: it cannot be started.
    """
    process = await anyio.open_process(
        address.command,
        env=get_default_environment() | dict(address.env),
        stderr=said,
        start_new_session=True,
    )
    heard, hearing = anyio.create_memory_object_stream[Heard](0)
    speaking, spoken = anyio.create_memory_object_stream[SessionMessage](0)
    assert process.stdout is not None, "the process has pipes"
    assert process.stdin is not None, "the process has pipes"
    silent = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(_hear, process.stdout, heard, limits)
        group.start_soon(_speak, process.stdin, spoken, heard, silent)
        try:
            yield hearing, speaking
        finally:
            with anyio.CancelScope(shield=True):
                hearing.close()
                speaking.close()
                with anyio.move_on_after(_FLUSH_SECONDS):
                    await silent.wait()
                await _end(process, process.stdin)
            group.cancel_scope.cancel()


async def _hear(
    stdout: ByteReceiveStream, heard: MemoryObjectSendStream[Heard], limits: ToolServerLimits
) -> None:
    lines = Lines(round(limits.answer_megabytes * _MEGABYTE))
    with suppress(*_GONE):
        async with heard:
            async for piece in stdout:
                for line in lines.feed(piece):
                    if (message := _message(line, limits)) is not None:
                        await heard.send(message)
    with suppress(*_GONE):
        # Nobody listens any more; a server that could not write would not come to its end.
        async for _ in stdout:
            pass


# The lines of a server's messages, out of the pieces in which they come; one that is too long is not kept.
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


def _message(line: bytes | TooLong, limits: ToolServerLimits) -> Heard | None:
    if isinstance(line, TooLong):
        most = f"{limits.answer_megabytes:g} MB"
        if line.answers is None:
            logger.warning("mcp_too_long: a message of more than %s answers no known request", most)
            return None
        told = ErrorData(
            code=ANSWER_TOO_LONG, message=f"its answer is longer than {most}: ask it for less"
        )
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=line.answers, error=told))
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


async def _speak(
    stdin: ByteSendStream,
    spoken: MemoryObjectReceiveStream[SessionMessage],
    heard: MemoryObjectSendStream[Heard],
    silent: anyio.Event,
) -> None:
    try:
        async with spoken:
            async for one in spoken:
                text = one.message.model_dump_json(by_alias=True, exclude_unset=True)
                await stdin.send(f"{text}\n".encode())
    except _GONE:
        heard.close()  # else whoever waits for an answer would wait for good
    finally:
        silent.set()


async def _end(process: Process, stdin: ByteSendStream) -> None:
    """Let the server end by itself, else end it with its children."""
    with suppress(*_GONE):
        await stdin.aclose()
    with anyio.move_on_after(_END_SECONDS):
        # `wait` would wait for children that hold the pipes as well.
        while process.returncode is None:  # noqa: ASYNC110
            await anyio.sleep(_POLL_SECONDS)
    if process.returncode is None:
        await terminate_posix_process_tree(process, _END_SECONDS)
    with anyio.move_on_after(_END_SECONDS), suppress(*_GONE):
        await process.aclose()
