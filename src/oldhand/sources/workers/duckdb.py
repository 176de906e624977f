"""DuckDB on the worker's side: a file opened `read_only`, or tables in memory; no access to the outside, configuration locked."""

import contextlib
import re
from datetime import datetime

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
from oldhand.sources.workers.arrow import arrow_table
from oldhand.sources.workers.reading import TOO_LARGE, FetchedRows, RawRow, fetch_weighed

MEMORY = ":memory:"
_ARRIVING = "arriving rows"
_AS_TEXT = re.compile(r"TIME ZONE|TIMESTAMPTZ|INTERVAL|TIME_NS|TIMESTAMP_NS|GEOMETRY|VARIANT")
"""Types whose values no type of Python holds as they are."""
_ENDS = re.compile(r"\((?:1, 1, 1\b|9999, 12, 31\b)")
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

    def read(self, sql: str, rows: int) -> FetchedRows:
        """Run one query; it is computed only as far as its rows are fetched.

        What Python has no value for, such as an infinite date, comes as DuckDB writes it.
        """
        try:
            statement = _only_query(self._connection.extract_statements(sql))
            described = self._connection.sql(statement)
            types = [str(column[1]) for column in described.description]
            columns = tuple(str(column[0]) for column in described.description)
            as_text = {n for n, kind in enumerate(types) if _AS_TEXT.search(kind)}
            try:
                found = self._rows(statement, types, as_text, rows)
                if endless := _endless(found, types) - as_text:
                    found = self._rows(statement, types, as_text | endless, rows)
                return FetchedRows(columns, found)
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

    def _rows(
        self, statement: duckdb.Statement, types: list[str], as_text: set[int], rows: int
    ) -> list[RawRow]:
        if not as_text:
            return fetch_weighed(self._connection.execute(statement).fetchmany, rows)
        chosen = [
            f"CAST(#{n} AS VARCHAR)" if n - 1 in as_text else f"#{n}"
            for n in range(1, len(types) + 1)
        ]
        query = statement.query.rstrip("; \n")
        wrapped = f"SELECT {', '.join(chosen)} FROM ({query}\n)"  # noqa: S608 - it only reads either way
        result = self._connection.execute(wrapped)
        zoned = {n for n in as_text if types[n] == "TIMESTAMP WITH TIME ZONE"}
        return [
            tuple(_moment(cell) if n in zoned else cell for n, cell in enumerate(row))
            for row in fetch_weighed(result.fetchmany, rows)
        ]

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()


def _endless(rows: list[RawRow], types: list[str]) -> set[int]:
    """The columns in which a date is the first or last that Python knows, as which it shows infinite ones."""
    dated = [n for n, kind in enumerate(types) if "DATE" in kind or "TIMESTAMP" in kind]
    return {n for row in rows for n in dated if _ENDS.search(repr(row[n]))}


def _moment(text: object) -> object:
    """A time with a zone as Python has it, if it has."""
    with contextlib.suppress(ValueError):
        return datetime.fromisoformat(text) if isinstance(text, str) else text
    return text


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
