"""SQLite files, opened `mode=ro`, with an authorizer that lets nothing through but reading."""

import sqlite3
from collections import defaultdict
from pathlib import Path
from typing import cast

from sqlglot import exp

from oldhand.errors import (
    DatabaseError,
    DatabaseUnreachable,
    MultipleStatements,
    QueryCancelled,
    QueryFailed,
    QueryRefused,
    StatementRefused,
    WriteRefused,
)
from oldhand.sources.databases.address import Address
from oldhand.sources.databases.files import database_file
from oldhand.sources.databases.session import (
    FoundColumn,
    FoundKey,
    FoundTable,
    RawRow,
    Read,
    Reading,
    fetch_weighed,
)

_BUSY_SECONDS = 5.0
_MAX_CELL_BYTES = 16_000_000
"""SQLite heeds an interrupt only between two calls of functions: a value's size bounds the time of most of them."""
_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_READING_PRAGMAS = {
    "table_list",
    "table_xinfo",
    "foreign_key_list",
    "index_list",
    "index_info",
    "data_version",  # full-text search asks for it
}
_GONE = ("SQLITE_NOTADB", "SQLITE_CANTOPEN", "SQLITE_CORRUPT", "SQLITE_IOERR", "SQLITE_READONLY_")
_LOCKED = ("SQLITE_BUSY", "SQLITE_LOCKED")
_TABLES = """
SELECT l.name, l.type = 'view'
FROM pragma_table_list AS l JOIN sqlite_schema AS s ON s.name = l.name AND s.type IN ('table', 'view')
WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
ORDER BY s.rowid
"""
_HIDDEN = 1
"""A column of a virtual table that `SELECT *` leaves out; 2 and 3 are generated columns."""


def _catalogue(read: Read) -> list[FoundTable]:
    """Tables and views by name; a view that no longer works is left out."""
    found: list[FoundTable] = []
    for name, is_view in read(_TABLES):
        try:
            found.append(_table(read, str(name)))
        except QueryFailed:
            if not is_view:
                raise
    return found


def _table(read: Read, name: str) -> FoundTable:
    described = [row for row in read(_pragma("table_xinfo", name)) if row[6] != _HIDDEN]
    key = sorted((cast("int", row[5]), str(row[1])) for row in described if row[5])
    return FoundTable(
        schema_name="main",
        name=name,
        columns=tuple(
            FoundColumn(
                name=str(row[1]), type=str(row[2] or ""), nullable=not row[3] and not row[5]
            )
            for row in described
        ),
        primary_key=tuple(column for _, column in key),
        unique=_unique(read, name),
        foreign_keys=_foreign_keys(read, name),
    )


def _unique(read: Read, table: str) -> frozenset[str]:
    unique: set[str] = set()
    for _, index, is_unique, _, partial in read(_pragma("index_list", table)):
        if is_unique and not partial:
            columns = [row[2] for row in read(_pragma("index_info", str(index)))]
            if len(columns) == 1 and columns[0] is not None:  # None is an expression
                unique.add(str(columns[0]))
    return frozenset(unique)


def _foreign_keys(read: Read, table: str) -> tuple[FoundKey, ...]:
    keys: dict[object, list[RawRow]] = defaultdict(list)
    for row in read(_pragma("foreign_key_list", table)):
        keys[row[0]].append(row)
    found: list[FoundKey] = []
    for number in reversed(keys):  # SQLite lists the last one first
        parts = sorted(keys[number], key=lambda row: cast("int", row[1]))
        found.append(
            FoundKey(
                columns=tuple(str(row[3]) for row in parts),
                schema_name="main",
                table=str(parts[0][2]),
                target_columns=tuple(str(row[4]) for row in parts if row[4] is not None),
            )
        )
    return tuple(found)


def _pragma(name: str, argument: str) -> str:
    call = exp.func(f"pragma_{name}", exp.Literal.string(argument), dialect="sqlite")
    return exp.select("*").from_(exp.Table(this=call)).sql("sqlite")


class SqliteDriver:
    """A SQLite file; it is never created."""

    dialect = "sqlite"
    sessions = 4
    catalogue = staticmethod(_catalogue)

    def __init__(self, address: Address) -> None:
        self._path = database_file(address, "sqlite")

    def connect(self) -> "SqliteSession":
        """Open the file for reading.

        Raises:
            DatabaseUnreachable: it is gone, locked, or not a database.
        """
        uri = f"{self._path.absolute().as_uri()}?mode=ro"
        try:
            connection = sqlite3.connect(
                uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise _translated(error, self._path) from error
        try:
            _seal(connection)
        except sqlite3.Error as error:
            connection.close()
            raise _translated(error, self._path) from error
        return SqliteSession(connection, self._path)

    def close(self) -> None:
        """Sessions share nothing."""


class SqliteSession:
    """One connection to a SQLite file."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._file = _identity(path)
        self._lost = False

    @property
    def usable(self) -> bool:
        """False when the file is locked or broken, or another one lies in its place by now."""
        return not self._lost and self._file == _identity(self._path)

    def read(self, sql: str, rows: int) -> Reading:
        """Run one statement; text that is not UTF-8 comes with replacement characters."""
        try:
            return self._read(sql, rows)
        except _BrokenText:
            self._connection.text_factory = _lenient  # three times slower, and so not the rule
            return self._read(sql, rows)

    def interrupt(self) -> None:
        """Stop the statement at its next step."""
        self._connection.interrupt()

    def sever(self) -> None:
        """There is no server: an interrupt is enough."""

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _read(self, sql: str, rows: int) -> Reading:
        cursor = self._connection.cursor()
        try:
            cursor.execute(sql)
            columns = tuple(str(column[0]) for column in cursor.description or ())
            fetched = fetch_weighed(cursor.fetchmany, rows)
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError, MemoryError) as error:
            if "Could not decode" in str(error) and self._connection.text_factory is not _lenient:
                raise _BrokenText from error
            translated = _translated(error, self._path)
            self._lost = isinstance(translated, DatabaseUnreachable)
            raise translated from error
        finally:
            cursor.close()
        return Reading(columns, fetched)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class _BrokenText(Exception):
    """A text of the result is not UTF-8."""


def _seal(connection: sqlite3.Connection) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_CELL_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA query_only = ON")
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # reads the file's header
    connection.set_authorizer(_authorize)


def _lenient(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _authorize(
    action: int, first: str | None, second: str | None, database: str | None, trigger: str | None
) -> int:
    del second, database, trigger
    allowed = (
        action in _READING
        or (action == sqlite3.SQLITE_PRAGMA and first in _READING_PRAGMAS)
        # Declaring a table-valued function such as json_each looks like this; no real write gets past mode=ro.
        or (action == sqlite3.SQLITE_UPDATE and first == "sqlite_master")
    )
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _translated(error: Exception, path: Path) -> DatabaseError | QueryRefused:
    code = str(getattr(error, "sqlite_errorname", ""))
    text = str(error) or type(error).__name__
    if code.startswith(_GONE):
        return DatabaseUnreachable(f"{path}: {text}.")
    if code.startswith(_LOCKED):
        return DatabaseUnreachable(f"{path} is locked by a program that writes to it: {text}.")
    if code == "SQLITE_INTERRUPT":
        return QueryCancelled()
    return _refusal(code, text) or QueryFailed(text)


def _refusal(code: str, text: str) -> QueryRefused | None:
    if code == "SQLITE_READONLY":
        return WriteRefused()
    if code == "SQLITE_AUTH" or text == "not authorized":
        return StatementRefused(f"The database is opened for reading only: {text}.")
    return MultipleStatements() if "one statement at a time" in text else None
