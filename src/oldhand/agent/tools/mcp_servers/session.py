"""One connection to an MCP server, on an event loop of its own.

The loop runs in a thread of its own, so that the tools can be called from any loop and from ordinary code, and so that
the connection is opened and closed by the same task, which its library demands. A hanging or dying server harms
nothing else.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from tempfile import TemporaryFile
from typing import TextIO, cast

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from httpx2 import AsyncClient, HTTPError, Timeout
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, CallToolResult, Tool
from pydantic import JsonValue, ValidationError

from oldhand.agent.tools.mcp_servers.address import ServerAddress
from oldhand.agent.tools.mcp_servers.stdio import started_server
from oldhand.errors import InvalidTool, OldhandError, ToolError, ToolFailed, ToolServerLost
from oldhand.settings import ToolServerLimits

_PAGES = 100
"""Pages of a list of tools that are read at most."""
_CLOSE_SECONDS = 10.0
_SAID_CHARS = 500
_LOST = (
    OSError,
    HTTPError,
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    anyio.EndOfStream,
)


class ServerSession:
    """A server that was started or reached, with its tools."""

    def __init__(self, address: ServerAddress, limits: ToolServerLimits) -> None:
        self._address = address
        self._limits = limits
        self._closing = ExitStack()
        said = TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  # closed with the session
        self._said: TextIO = self._closing.enter_context(said)
        self._portal: BlockingPortal | None = None
        self._life: Future[None] | None = None
        self._over: asyncio.Event | None = None
        self._client: Client | None = None
        self._is_broken = False

    @property
    def is_dead(self) -> bool:
        """True once it was open and its server has gone: each further call would fail."""
        return self._is_broken or (self._life is not None and self._life.done())

    def open(self) -> list[Tool]:
        """Start or reach the server and list its tools.

        Raises:
            ToolServerLost: it cannot be started or reached, or takes too long.
            InvalidTool: what it offers are no tools.
        """
        self._portal = self._closing.enter_context(start_blocking_portal(name="oldhand-mcp"))
        ready: Future[list[Tool]] = Future()
        self._life = self._portal.start_task_soon(self._live, ready)
        seconds = self._limits.start_seconds
        try:
            return ready.result(timeout=seconds)
        except FutureTimeout as error:
            raise ToolServerLost(
                self._lost(f"did not answer within {seconds:g} seconds")
            ) from error

    def close(self) -> None:
        """End the connection, and the server when it was started here; calling it twice is fine."""
        life, portal, over = self._life, self._portal, self._over
        self._life = self._portal = None
        if life is not None and portal is not None:
            if over is None:
                life.cancel()
            else:
                portal.start_task_soon(over.set)
            try:
                life.result(timeout=_CLOSE_SECONDS)
            except (FutureTimeout, CancelledError):
                life.cancel()
        self._closing.close()

    async def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> CallToolResult:
        """Call a tool, from any event loop.

        Raises:
            ToolServerLost: the server died, or does not answer in time.
            ToolFailed: it answered with an error of its protocol, or in a form that cannot be read.
        """
        portal = self._portal
        if portal is None or self._client is None:
            raise ToolServerLost(self._lost("is not connected"))
        try:
            under_way = portal.start_task_soon(self._call, self._client, tool, dict(arguments))
        except RuntimeError as error:
            raise ToolServerLost(self._lost("was closed")) from error
        return await asyncio.wrap_future(under_way)

    async def _call(
        self, client: Client, tool: str, arguments: dict[str, JsonValue]
    ) -> CallToolResult:
        try:
            return await client.call_tool(tool, arguments)
        except MCPError as error:
            raise self._translated(tool, error) from error
        except _LOST as error:
            self._is_broken = True
            raise ToolServerLost(self._lost(f"broke off: {error}")) from error
        except (ValidationError, RuntimeError) as error:
            raise ToolFailed(f"{tool}: the server's answer cannot be read: {error}") from error

    def _translated(self, tool: str, error: MCPError) -> ToolError:
        if error.code == CONNECTION_CLOSED:
            self._is_broken = True
            return ToolServerLost(self._lost("closed the connection"))
        if error.code == REQUEST_TIMEOUT:
            seconds = self._limits.call_seconds
            return ToolServerLost(
                f"{tool} did not answer within {seconds:g} seconds; it may have done its work all the same. If its answer "
                "is many megabytes long, ask it for less."
            )
        return ToolFailed(f"{tool} failed: {error.message}")

    async def _live(self, ready: "Future[list[Tool]]") -> None:
        """Hold the connection from its beginning to its end, in one task."""
        try:
            async with self._connected() as client:
                tools = await _listed(client)
                self._client, self._over = client, asyncio.Event()
                ready.set_result(tools)
                await self._over.wait()
        except Exception as error:  # noqa: BLE001  # whatever the library makes of a broken server
            if not ready.done():
                ready.set_exception(self._not_opened(_cause(error)))
        finally:
            self._client = None
            if not ready.done():
                ready.set_exception(ToolServerLost(self._lost("was closed")))

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[Client, None]:
        seconds = self._limits.call_seconds
        async with AsyncExitStack() as stack:
            if self._address.url:
                timeout = Timeout(self._limits.start_seconds, read=seconds)
                headers = dict(self._address.headers)
                http = await stack.enter_async_context(
                    AsyncClient(headers=headers, timeout=timeout)
                )
                transport = streamable_http_client(self._address.url, http_client=http)
            else:
                transport = started_server(self._address, self._limits, self._said)
            client = Client(transport, read_timeout_seconds=seconds)
            yield await stack.enter_async_context(client)

    def _not_opened(self, error: BaseException) -> OldhandError:
        if isinstance(error, ValidationError):
            problem = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, problem["loc"]))
            return InvalidTool(
                f"The MCP server {self._address} offers what is no tool: {place}: {problem['msg']}."
            )
        return ToolServerLost(self._lost(_reason(error)))

    def _lost(self, what: str) -> str:
        said = " ".join(self._last_words().split())
        last = f" It said last: {said!r}." if said else ""
        return f"The MCP server {self._address} {what}.{last} Do without its tools."

    def _last_words(self) -> str:
        """The end of what the server wrote to its standard error."""
        if self._said.closed:
            return ""
        self._said.seek(0, 2)
        self._said.seek(max(0, self._said.tell() - _SAID_CHARS))
        return self._said.read()


async def _listed(client: Client) -> list[Tool]:
    tools: list[Tool] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    return tools


def _cause(error: BaseException) -> BaseException:
    """The first error inside the groups in which task groups wrap it."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def _reason(error: BaseException) -> str:
    if isinstance(error, FileNotFoundError):
        return "cannot be started: there is no such command"
    if isinstance(error, MCPError) and error.code == CONNECTION_CLOSED:
        return "ended before it answered"
    text = " ".join(str(error).split())[:_SAID_CHARS] or type(error).__name__
    return f"cannot be reached: {text}"
