"""Where a server of tools is: a command that starts it, or a URL."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from oldhand.errors import InvalidTool
from oldhand.record.shortening import shortened

_SHOWN_CHARS = 200


@dataclass(frozen=True)
class ServerAddress:
    """A command line or a URL; `repr` shows neither environment nor headers."""

    command: tuple[str, ...] = ()
    url: str = ""
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Variables that a command gets beside `PATH`, `HOME` and the like."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """HTTP headers, such as one with a token."""

    def __str__(self) -> str:
        return shortened(self.url or shlex.join(self.command), _SHOWN_CHARS)


def address_of(
    server: str | Sequence[str],
    env: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> ServerAddress:
    """Read a URL, a command line, or a command in parts.

    Raises:
        InvalidTool: it is empty, its quotes are not closed, or it has another scheme than HTTP.

    >>> address_of("uvx 'my server' --quiet").command
    ('uvx', 'my server', '--quiet')
    >>> str(address_of("http://localhost:8000/mcp"))
    'http://localhost:8000/mcp'
    """
    if isinstance(server, str) and "://" in server.split(" ", 1)[0]:
        if not server.startswith(("http://", "https://")):
            raise InvalidTool(
                f"{server!r} is no address of an MCP server: use http:// or https://."
            )
        return ServerAddress(url=server, headers=dict(headers or {}))
    try:
        command = tuple(shlex.split(server) if isinstance(server, str) else server)
    except ValueError as error:
        raise InvalidTool(f"The command {server!r} cannot be read: {error}.") from error
    if not command:
        raise InvalidTool("The command of the MCP server is empty.")
    return ServerAddress(command=command, env=dict(env or {}))
