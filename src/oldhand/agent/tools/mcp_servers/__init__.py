"""Tools of other programs, over the Model Context Protocol."""

# pyright: reportUnusedImport=false
from oldhand.agent.tools.mcp_servers.server import McpServer, mcp_tools
