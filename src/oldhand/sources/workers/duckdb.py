"""DuckDB on the worker's side: a file opened `read_only`, or tables in memory; no access to the outside, configuration locked."""

import sys
from itertools import islice

import duckdb

from oldhand.errors import (
    DatabaseError,
    DatabaseUnreachable,
    MultipleStatements,
    QueryFailed,
    QueryRefused,
    StatementRefused,
    UnreadableSQL,
    WriteRefused,
)
from oldhand.sources.workers.arrow import arrow_rows, arrow_table
from oldhand.sources.workers.reading import TOO_LARGE, RawRow, Reading, fetch_weighed


class _WithoutPandas:
    """DuckDB and Arrow import pandas where there is one, for most of a second; nothing here needs it."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """No other finder is asked for it."""
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


sys.meta_path.insert(0, _WithoutPandas)  # this module is imported in processes of its own only

MEMORY = ":memory:"
_ARRIVING = "arriving rows"
_BATCH = 2048
_SEALED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",  # else a table's name can be a variable of this program
    "memory_limit": "1600MB",  # less than the process may hold: a query that sorts too much fails, and no more
    "max_temp_directory_size": "2GB",
    "lock_configuration": "true",
}
"""Configuration under which SQL reaches nothing outside of the database, and cannot change that."""


def opened(path: str) -> "DuckdbSession":
    """Open a file for reading, or an empty database in memory.

    Raises:
        DatabaseUnreachable: it is locked, or not a database.
    """
    try:
        return DuckdbSession(duckdb.connect(path, read_only=path != MEMORY, config=_SEALED))
    except duckdb.Error as error:
        raise DatabaseUnreachable(f"{path}: {_one_line(error)}") from error


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

    def add(
        self, name: str, columns: tuple[str, ...], values: tuple[tuple[object, ...], ...]
    ) -> None:
        """Make rows a table, in place of one of the same name.

        Raises:
            QueryFailed: they do not fit into a table.
        """
        quoted = '"' + name.replace('"', '""') + '"'
        try:
            self._connection.register(_ARRIVING, arrow_table(columns, values))
            create = f'CREATE OR REPLACE TABLE {quoted} AS SELECT * FROM "{_ARRIVING}"'  # noqa: S608
            self._connection.execute(create)
            self._connection.unregister(_ARRIVING)
        except duckdb.Error as error:
            raise QueryFailed(f"The rows do not fit into the table {name}: {error}") from error

    def close(self) -> None:
        """Let go of the database."""
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
        case duckdb.OutOfMemoryException():
            return QueryFailed(TOO_LARGE)
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
