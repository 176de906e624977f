"""Tools: what the model may call, and how anything becomes one."""

from oldhand.agent.tools.function_tool import FunctionTool, as_tool, tool
from oldhand.agent.tools.kept_tables import KeptTables
from oldhand.agent.tools.mcp_servers import McpServer, mcp_tools
from oldhand.agent.tools.python_tool import python_tool
from oldhand.agent.tools.sql import sql_analysis_tool, sql_tools
from oldhand.agent.tools.tool import Tool, ToolOutput, output_of
from oldhand.agent.tools.tools import Tools

__all__ = [
    "FunctionTool",
    "KeptTables",
    "McpServer",
    "Tool",
    "ToolOutput",
    "Tools",
    "as_tool",
    "mcp_tools",
    "output_of",
    "python_tool",
    "sql_analysis_tool",
    "sql_tools",
    "tool",
]
