"""SQLite on the worker's side: a file opened `mode=ro`, with an authorizer that lets nothing through but reading."""

import sqlite3
from pathlib import Path

from oldhand.errors import (
    DatabaseError,
    DatabaseUnreachable,
    MultipleStatements,
    QueryFailed,
    QueryRefused,
    StatementRefused,
    WriteRefused,
)
from oldhand.sources.workers.reading import TOO_LARGE, FetchedRows, fetch_weighed

_BUSY_SECONDS = 5.0
_MAX_CELL_BYTES = 16_000_000
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


def opened(path: str) -> "SqliteSession":
    """Open a file for reading.

    Raises:
        DatabaseUnreachable: it is gone, locked, or not a database.
    """
    uri = f"{Path(path).as_uri()}?mode=ro"
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
        _seal(connection)
    except sqlite3.Error as error:
        raise _translated(error, Path(path)) from error
    return SqliteSession(connection, Path(path))


class SqliteSession:
    """One connection to a SQLite file."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._lost = False

    @property
    def usable(self) -> bool:
        """False when the file is locked or broken."""
        return not self._lost

    def read(self, sql: str, rows: int) -> FetchedRows:
        """Run one statement; text that is not UTF-8 comes with replacement characters."""
        try:
            return self._read(sql, rows)
        except _BrokenText:
            self._connection.text_factory = _lenient  # three times slower, and so not the rule
            return self._read(sql, rows)

    def add(self, *_: object) -> None:
        """A file is only read."""
        raise WriteRefused

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()

    def _read(self, sql: str, rows: int) -> FetchedRows:
        cursor = self._connection.cursor()
        try:
            cursor.execute(sql)
            columns = tuple(str(column[0]) for column in cursor.description or ())
            fetched = fetch_weighed(cursor.fetchmany, rows)
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
            if "Could not decode" in str(error) and self._connection.text_factory is not _lenient:
                raise _BrokenText from error
            translated = _translated(error, self._path)
            self._lost = isinstance(translated, DatabaseUnreachable)
            raise translated from error
        finally:
            cursor.close()
        return FetchedRows(columns, fetched)


class _BrokenText(Exception):
    """A text of the result is not UTF-8."""


def _seal(connection: sqlite3.Connection) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_CELL_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA temp_store = MEMORY")  # a sort fills no disk
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
    if code == "SQLITE_NOMEM":
        return QueryFailed(TOO_LARGE)
    return _refusal(code, text) or QueryFailed(text)


def _refusal(code: str, text: str) -> QueryRefused | None:
    if code == "SQLITE_READONLY":
        return WriteRefused()
    if code == "SQLITE_AUTH" or text == "not authorized":
        return StatementRefused(f"The database is opened for reading only: {text}.")
    return MultipleStatements() if "one statement at a time" in text else None
