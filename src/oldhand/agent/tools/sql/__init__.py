"""Databases as tools: what there is, how it is built, and queries that only read."""

from oldhand.agent.tools.sql.databases import Databases, UrlDatabases
from oldhand.agent.tools.sql.sql_tools import databases_behind, sql_analysis_tool, sql_tools

__all__ = ["Databases", "UrlDatabases", "databases_behind", "sql_analysis_tool", "sql_tools"]
