"""SQL databases, opened for reading only."""

# pyright: reportUnusedImport=false
from oldhand.sources.cells import plain_cell, unique_names
from oldhand.sources.databases.catalog import Catalog
from oldhand.sources.databases.database import Database
from oldhand.sources.databases.drift import Drift, DriftKind
from oldhand.sources.databases.guard import check_sql
from oldhand.sources.databases.keys.inference import InferredKey
from oldhand.sources.databases.opening import open_database, open_workspace
from oldhand.sources.databases.result import QueryResult
from oldhand.sources.databases.schema_file import load_schema
from oldhand.sources.databases.schema_text import save_schema
from oldhand.sources.databases.sql_issues import SqlIssue, find_errors, find_issues
