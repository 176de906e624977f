"""Databases as tools: what there is, how it is built, and queries that only read."""

# pyright: reportUnusedImport=false
from oldhand.agent.tools.sql.databases import Databases
from oldhand.agent.tools.sql.sql_tools import databases_behind, sql_analysis_tool, sql_tools
