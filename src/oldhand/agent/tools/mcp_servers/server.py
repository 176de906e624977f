"""The tools of an MCP server as tools of ours."""

import asyncio
import logging
import re
from collections.abc import Mapping, Sequence
from functools import partial
from threading import Lock, Thread
from time import sleep
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue

from oldhand.agent.tools.mcp_servers.address import ServerAddress, address_of
from oldhand.agent.tools.threads import in_own_thread
from oldhand.agent.tools.tool import (
    Tool,
    ToolOutput,
    checked_parameters,
    checked_tool_name,
    output_of,
)
from oldhand.errors import InvalidTool, MissingExtra, ToolServerLost
from oldhand.settings import ToolServerLimits

if TYPE_CHECKING:
    from mcp_types import CallToolResult
    from mcp_types import Tool as Offered

    from oldhand.agent.tools.mcp_servers.session import ServerSession


_LOG = logging.getLogger(__name__)


def mcp_tools(
    server: str | Sequence[str],
    *,
    prefix: str = "",
    only: Sequence[str] | None = None,
    env: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    limits: ToolServerLimits | None = None,
) -> "McpServer":
    """The tools of an MCP server, while `with` or `async with` holds the connection.

    Args:
        server: A command line that starts it (stdio), the same in parts, or a URL (streamable HTTP).
        prefix: Put before each name, as in `github_search`, so that no name is taken twice.
        only: Names of the tools to take, as the server calls them; all when None.
        env: Variables for the command; of ours it gets `PATH`, `HOME` and the like only.
        headers: HTTP headers for a URL, such as one with a token.
        limits: How long the server is waited for; as a `ToolServerLimits()` says when None.

    Raises:
        InvalidTool: the server's address cannot be one.
        MissingExtra: the client of the protocol is not installed.
    """
    address = address_of(server, env, headers)
    return McpServer(address, prefix, only, limits or ToolServerLimits())


class McpServer:
    """A server of tools; entering it starts or reaches the server and gives its tools.

    It may be entered in ordinary code (`with`) and on any event loop (`async with`); its tools can be called from
    every loop until it is left.
    """

    def __init__(
        self,
        address: ServerAddress,
        prefix: str,
        only: Sequence[str] | None,
        limits: ToolServerLimits,
    ) -> None:
        try:
            from oldhand.agent.tools.mcp_servers.session import ServerSession  # noqa: PLC0415
        except ImportError as error:
            raise MissingExtra("The client of MCP servers (mcp)", "mcp") from error
        self._address = address
        self._prefix = f"{prefix}_" if prefix else ""
        self._only = None if only is None else set(only)
        self._new = lambda: ServerSession(address, limits)
        self._limits = limits
        self._session: ServerSession | None = None
        self._opening = Lock()

    def __repr__(self) -> str:
        return f"McpServer({str(self._address)!r})"

    def open(self) -> tuple[Tool, ...]:
        """Start or reach the server.

        Raises:
            ToolServerLost: it cannot be started or reached, or takes too long; quotes what it said last.
            InvalidTool: a tool of it has a name or schema that cannot be used; leave it out with `only`.
        """
        if self._session is not None:
            raise InvalidTool(f"{self!r} is open already.")
        self._session = session = self._new()
        try:
            return self._tools(session.open())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the connection; calling it twice is fine."""
        with self._opening:
            session, self._session = self._session, None
        if session is not None:
            session.close()

    def __enter__(self) -> tuple[Tool, ...]:
        return self.open()

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> tuple[Tool, ...]:
        try:
            return await in_own_thread(self.open, name="mcp-open")
        except asyncio.CancelledError:
            Thread(target=self.close, daemon=True).start()
            raise

    async def __aexit__(self, *_: object) -> None:
        await in_own_thread(self.close, name="mcp-close")

    async def call(
        self, tool: str, arguments: Mapping[str, JsonValue], *, idempotent: bool
    ) -> "CallToolResult":
        """Call a tool; a server that has died is started again, and asked again where that does no harm.

        Raises:
            ToolServerLost: it died, and could not be started again or must not be asked twice; or it does not answer in time.
            ToolFailed: its answer cannot be read.
        """
        session = self._session
        if session is None:
            raise ToolServerLost(
                f"The MCP server {self._address} is not connected. Do without its tools."
            )
        if session.is_dead:
            session = await in_own_thread(partial(self._again, session), name="mcp-again")
        try:
            return await session.call(tool, arguments)
        except ToolServerLost as lost:
            if not session.is_dead:
                raise
            session = await in_own_thread(partial(self._again, session), name="mcp-again")
            if not idempotent:
                raise ToolServerLost(
                    f"The MCP server {self._address} went away while it was at {tool}, and was started again. Nobody knows "
                    f"whether {tool} was carried out: find out before you call it again."
                ) from lost
            return await session.call(tool, arguments)

    def _again(self, dead: "ServerSession") -> "ServerSession":
        """A new session in place of one whose server has died; only the first one who asks starts it."""
        with self._opening:
            if self._session is not dead:
                if self._session is None:
                    raise ToolServerLost(f"The MCP server {self._address} was closed meanwhile.")
                return self._session
            dead.close()
            for attempt in range(1, self._limits.restarts + 1):
                session = self._new()
                try:
                    session.open()
                except ToolServerLost:
                    session.close()
                    if attempt == self._limits.restarts:
                        raise
                    sleep(self._limits.restart_seconds * 2 ** (attempt - 1))
                else:
                    _LOG.warning("mcp_restarted: %s, attempt %s", self._address, attempt)
                    self._session = session
                    return session
            raise ToolServerLost(f"The MCP server {self._address} has died. Do without its tools.")

    def _tools(self, offered: "Sequence[Offered]") -> tuple[Tool, ...]:
        if missing := (self._only or set()) - {one.name for one in offered}:
            raise InvalidTool(f"{self._address} has no tool {', '.join(sorted(missing))}.")
        tools = tuple(
            McpTool(self, one, self._name(one.name))
            for one in offered
            if self._only is None or one.name in self._only
        )
        names = [tool.name for tool in tools]
        if twice := {name for name in names if names.count(name) > 1}:
            raise InvalidTool(
                f"{self._address} has several tools called {', '.join(sorted(twice))}."
            )
        return tools

    def _name(self, name: str) -> str:
        """A name that providers take: MCP allows dots and slashes, they do not."""
        return checked_tool_name(re.sub(r"[^A-Za-z0-9_-]", "_", self._prefix + name))


class McpTool:
    """One tool of a server."""

    def __init__(self, server: McpServer, offered: "Offered", name: str) -> None:
        self._server = server
        self._offered = offered.name
        self.name = name
        self.description = offered.description or offered.title or ""
        self.parameters: dict[str, JsonValue] = checked_parameters(
            name, cast("Mapping[str, JsonValue]", offered.input_schema)
        )
        hints = offered.annotations
        self.idempotent = bool(hints and (hints.read_only_hint or hints.idempotent_hint))

    def __repr__(self) -> str:
        return f"McpTool({self.name!r})"

    async def call(self, arguments: Mapping[str, JsonValue]) -> ToolOutput:
        """Have the server do the work.

        Raises:
            ToolServerLost: the server died and could not be started again, or does not answer in time.
            ToolFailed: its answer cannot be read.
        """
        found = await self._server.call(self._offered, arguments, idempotent=self.idempotent)
        return _output(found)


def _output(result: "CallToolResult") -> ToolOutput:
    texts = [_block_text(block) for block in result.content]
    if not texts and result.structured_content is not None:
        texts = [output_of(result.structured_content).text]
    text = texts[0] if len(texts) == 1 else "\n".join(texts)
    return ToolOutput(text or output_of(None).text, is_error=bool(result.is_error))


def _block_text(block: object) -> str:
    """The text of one part of an answer; a picture or sound is only named."""
    text = getattr(block, "text", None)
    if isinstance(text, str):
        return text
    inner = getattr(block, "resource", None)
    if isinstance(text := getattr(inner, "text", None), str):
        return text
    about = inner or block
    words = (getattr(about, part, None) for part in ("type", "mime_type", "name", "uri"))
    return f"({', '.join(str(word) for word in words if word)}: not shown)"
