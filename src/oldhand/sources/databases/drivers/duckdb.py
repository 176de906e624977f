"""DuckDB files, opened `read_only`, without access to the outside and with the configuration locked."""

from itertools import islice

import duckdb

from oldhand.errors import (
    DatabaseError,
    DatabaseUnreachable,
    MultipleStatements,
    QueryCancelled,
    QueryFailed,
    QueryRefused,
    StatementRefused,
    UnreadableSQL,
    WriteRefused,
)
from oldhand.sources.databases.address import Address
from oldhand.sources.databases.arrow import arrow_rows
from oldhand.sources.databases.catalogue import Catalogue
from oldhand.sources.databases.files import database_file
from oldhand.sources.databases.session import RawRow, Reading, fetch_weighed

_BATCH = 2048
MEMORY_LIMIT = "2GB"
"""What the queries on one database may hold in memory together."""
SEALED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",  # else a table's name can be a variable of this program
    "memory_limit": MEMORY_LIMIT,  # else four fifths of the machine's
    "lock_configuration": "true",
}
"""Configuration under which SQL reaches nothing outside of the database, and cannot change that."""
CATALOGUE = Catalogue(
    tables="""
SELECT schema_name, table_name, comment, estimated_size
FROM duckdb_tables() WHERE NOT internal AND database_name = current_database()
UNION ALL
SELECT schema_name, view_name, comment, NULL
FROM duckdb_views() WHERE NOT internal AND database_name = current_database()
ORDER BY schema_name <> 'main', schema_name, table_name
""",
    columns="""
SELECT schema_name, table_name, column_name, data_type, is_nullable, comment, NULL
FROM duckdb_columns() WHERE NOT internal AND database_name = current_database()
ORDER BY schema_name, table_name, column_index
""",
    keys="""
SELECT schema_name, table_name, lower(constraint_type[1]), constraint_index, constraint_column_names[place],
       schema_name, referenced_table, referenced_column_names[place]
FROM duckdb_constraints(), LATERAL (SELECT unnest(range(1, len(constraint_column_names) + 1))) AS p (place)
WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY schema_name, table_name, constraint_index, place
""",
)
"""Of all schemas, `main` first."""


class DuckdbDriver:
    """A DuckDB file; it is never created."""

    dialect = "duckdb"
    sessions = 4
    catalogue = CATALOGUE.read

    def __init__(self, address: Address) -> None:
        path = database_file(address, "duckdb")
        try:
            self._root = duckdb.connect(str(path), read_only=True, config=SEALED)
        except duckdb.Error as error:
            raise DatabaseUnreachable(f"{path}: {_one_line(error)}") from error

    def connect(self) -> "DuckdbSession":
        """A cursor of the open file."""
        try:
            return DuckdbSession(self._root.cursor())
        except duckdb.Error as error:
            raise DatabaseUnreachable(_one_line(error)) from error

    def close(self) -> None:
        """Close the file."""
        self._root.close()


class DuckdbSession:
    """One connection to a DuckDB database; it only runs statements that return rows."""

    usable = True

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def read(self, sql: str, rows: int) -> Reading:
        """Run one query; it is computed only as far as its rows are fetched."""
        try:
            statement = _only_query(self._connection.extract_statements(sql))
            described = self._connection.sql(statement)
            columns = tuple(str(column[0]) for column in described.description)
            try:
                if any("TIME ZONE" in str(column[1]) for column in described.description):
                    return Reading(columns, _read_by_arrow(described, rows))
                result = self._connection.execute(statement)
                return Reading(columns, fetch_weighed(result.fetchmany, rows))
            finally:
                self._connection.abort()
        except (duckdb.Error, UnicodeError, ValueError, OverflowError) as error:
            raise _translated(error) from error

    def interrupt(self) -> None:
        """Stop the query."""
        self._connection.interrupt()

    def sever(self) -> None:
        """There is no server: an interrupt is enough."""

    def close(self) -> None:
        """Close the cursor."""
        self._connection.close()


def _read_by_arrow(described: duckdb.DuckDBPyRelation, rows: int) -> list[RawRow]:
    """Fetching times with a zone as tuples needs pytz; Arrow gets by with zoneinfo."""
    found = arrow_rows(described.to_arrow_reader(_BATCH))
    return fetch_weighed(lambda size: list(islice(found, size)), rows)


def _only_query(statements: list[duckdb.Statement]) -> duckdb.Statement:
    if not statements:
        raise UnreadableSQL("There is no statement.")
    if len(statements) > 1:
        raise MultipleStatements
    kind = statements[0].type
    if kind in (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN):
        return statements[0]
    writing = ("INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "MERGE_INTO", "COPY")
    if kind.name in writing:
        raise WriteRefused
    raise StatementRefused


def _translated(error: Exception) -> DatabaseError | QueryRefused:
    text = _one_line(error)
    match error:
        case duckdb.InterruptException():
            return QueryCancelled()
        case duckdb.OutOfMemoryException():
            return QueryFailed(
                f"The query needs more memory than there is ({MEMORY_LIMIT} at most): "
                "sort, group or collect fewer rows."
            )
        case duckdb.PermissionException():
            return StatementRefused(text)
        case duckdb.FatalException() | duckdb.ConnectionException() | duckdb.IOException():
            return DatabaseUnreachable(text)
        case duckdb.InvalidInputException() if "read-only mode" in text:
            return WriteRefused(text)
        case _:
            return QueryFailed(text)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).partition("\n\nLINE ")[0].split())
