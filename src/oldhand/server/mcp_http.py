"""The MCP server as part of the web application."""

from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request

from oldhand.errors import NotSignedIn
from oldhand.face import AsyncOldhand
from oldhand.record.access import Role
from oldhand.server.access import caller_in
from oldhand.server.mcp_tools import mcp_server


def mcp_application(app: Starlette) -> tuple["MCPServer[Any]", Starlette]:
    """The server and what answers its requests; each call is in the name of the key that came with it."""

    async def who(context: "Context[Any]") -> tuple[AsyncOldhand, str]:
        request = context.request_context.request
        if not isinstance(request, Request):
            raise NotSignedIn
        # Mounted applications have no state of ours.
        caller = await caller_in(Request({**request.scope, "app": app}), None, Role.MEMBER)
        return caller.old, caller.user

    server = mcp_server(who)
    # Keys are asked for with each call, so that names of hosts add nothing.
    open_to_all = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    made = server.streamable_http_app(
        streamable_http_path="/", json_response=True, stateless_http=True, transport_security=open_to_all
    )  # fmt: skip
    return server, made
