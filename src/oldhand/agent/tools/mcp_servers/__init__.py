"""Tools of other programs, over the Model Context Protocol."""

from oldhand.agent.tools.mcp_servers.server import McpServer, mcp_tools

__all__ = ["McpServer", "mcp_tools"]
