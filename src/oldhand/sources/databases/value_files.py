"""Writes the file of a value index: the distinct values of a database's text columns."""

import hashlib
import json
import os
import sqlite3
import unicodedata
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Protocol, TypeAlias, cast

from oldhand.errors import DatabaseError, StoreError, StoreFull
from oldhand.record.base import Cell
from oldhand.record.schema import Column, DatabaseSchema, Kind

FORMAT = "6"
MAX_LENGTH = 120
"""Characters of a value that is indexed; longer texts are prose, not names."""
VALUES_PER_COLUMN = 1_000_000
STEP = 20_000
"""Values that are written at once, and after which the columns that are read are kept."""

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE columns (id INTEGER PRIMARY KEY, schema_name TEXT, table_name TEXT, column_name TEXT);
CREATE TABLE value (id INTEGER PRIMARY KEY, col INTEGER, raw TEXT, normal TEXT, reversed TEXT);
CREATE VIRTUAL TABLE word USING fts5(normal, content='', detail=none, tokenize='ascii');
"""
_INDICES = (
    "CREATE INDEX IF NOT EXISTS value_normal ON value (length(normal), normal)",
    "CREATE INDEX IF NOT EXISTS value_reversed ON value (length(reversed), reversed)",
)
_NEW_COLUMN = "INSERT INTO columns (schema_name, table_name, column_name) VALUES (?, ?, ?)"
_CACHE = """
PRAGMA synchronous = NORMAL;
PRAGMA cache_size = -65536;
PRAGMA temp_store = MEMORY;
"""
_SPACES = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum()})
"""Every ASCII character that is neither letter nor digit becomes a space."""
ValuesOfColumn: TypeAlias = tuple[str, str, str, Iterable[Cell]]
"""Schema, table, column and its values."""


class TextSource(Protocol):
    """The part of a database that the index reads."""

    @property
    def name(self) -> str:
        """The database's name."""
        ...

    def distinct_values(
        self, table: str, column: str, *, schema_name: str | None = None, limit: int
    ) -> Iterable[Cell]:
        """The distinct values of one column, at most `limit`."""
        ...


def normal(text: str) -> str:
    """Text in the form in which values are compared: folded, no accents, no punctuation.

    >>> normal("  São-Paulo, (SP) ")
    'sao paulo sp'
    """
    if text.isascii():
        return " ".join(text.lower().translate(_SPACES).split())
    text = unicodedata.normalize("NFKD", text)
    text = "".join(c for c in text if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def indexed_columns(schema: DatabaseSchema) -> Iterator[tuple[str, str, Column]]:
    """Schema name, table and column of every column whose values can be words of a question."""
    for table in schema.tables:
        for column in table.columns:
            if column.kind in (Kind.TEXT, Kind.OTHER):
                yield table.schema_name, table.name, column


def fingerprint(schema: DatabaseSchema, stamp: str = "") -> str:
    """What an index was built from: it is stale when this changes."""
    sizes = [f"{table.schema_name}.{table.name}:{table.row_count}" for table in schema.tables]
    return _digest(schema, stamp, *sizes)


def shape_of(schema: DatabaseSchema) -> str:
    """Which columns an index covers: an older index of the same shape still answers, if not for the newest values."""
    return _digest(schema)


def _digest(schema: DatabaseSchema, *more: str) -> str:
    names = [f"{place}.{table}.{column.name}" for place, table, column in indexed_columns(schema)]
    return hashlib.sha256("\n".join([FORMAT, schema.name, *more, *names]).encode()).hexdigest()


def write_index(
    path: Path, database: TextSource, schema: DatabaseSchema, stamp: str, *, mixed: bool = False
) -> str:
    """Read the values of `database` and write the index; an older file is replaced at once.

    Only one may write at a time: whoever calls holds a lock. The columns that an interrupted run has read are not read
    again, unless the database has changed since.

    Args:
        path: where the index lies; what is read so far lies beside it.
        database: where the values are read.
        schema: its columns.
        stamp: moves with the data.
        mixed: keep what an interrupted run has read even when the data has changed since. The index then counts as
            one of the time when reading began.

    Returns:
        The fingerprint of what was there when reading began.

    Raises:
        StoreFull: no room left for the file.
        StoreError: the file cannot be written.
        DatabaseError: the database could not be read; the older file stays as it was.
    """
    unfinished = path.with_name(f"{path.name}.new")
    with _translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(_begun(unfinished, schema, fingerprint(schema, stamp), mixed)) as found:
                fill(found, _read(database, schema))
                began = _about(found)["fingerprint"]
            with unfinished.open("rb") as file:
                os.fsync(file.fileno())
            unfinished.replace(path)
        except DatabaseError:
            if not _has_columns(unfinished):
                _remove(unfinished)
            raise
        except (sqlite3.Error, OSError):
            _remove(unfinished)
            raise
    return began


def _begun(path: Path, schema: DatabaseSchema, expected: str, mixed: bool) -> sqlite3.Connection:
    """The unfinished index at `path`, or a new one where there is none that can be gone on with."""
    shape = shape_of(schema)
    if path.is_file():
        connection = sqlite3.connect(path)
        with suppress(sqlite3.DatabaseError):
            about = _about(connection)
            if about.get("fingerprint") == expected or (mixed and about.get("shape") == shape):
                return connection
        connection.close()
        _remove(path)
    path.touch(mode=0o600)
    connection = sqlite3.connect(path)
    _make(connection, expected, shape)
    return connection


def _make(connection: sqlite3.Connection, expected: str, shape: str) -> None:
    """Make the tables of an index in an empty SQLite database."""
    connection.executescript(_SCHEMA)
    about = (("fingerprint", expected), ("shape", shape))
    connection.executemany("INSERT INTO about VALUES (?, ?)", about)
    connection.commit()


def _about(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT key, value FROM about"))


def _has_columns(path: Path) -> bool:
    """Whether an unfinished index holds what the next build need not read again."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT 1 FROM columns").fetchone() is not None


def _remove(path: Path) -> None:
    """Remove an unfinished file and what SQLite keeps beside it."""
    for suffix in ("", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _read(database: TextSource, schema: DatabaseSchema) -> Iterator[ValuesOfColumn]:
    """Each column with its values, which are read when they are looked at."""
    for schema_name, table, column in indexed_columns(schema):
        yield schema_name, table, column.name, _values(database, schema_name, table, column)


def _values(database: TextSource, schema_name: str, table: str, column: Column) -> Iterator[Cell]:
    """The distinct values of a column; those inside of arrays one by one."""
    limit = VALUES_PER_COLUMN
    found = database.distinct_values(table, column.name, schema_name=schema_name, limit=limit)
    if not column.is_array:
        yield from found
        return
    arrays = (_elements(one) for one in found if isinstance(one, str))
    yield from dict.fromkeys(element for array in arrays for element in array)


def _elements(array: str) -> list[Cell]:
    """What an array holds that came as JSON; one with an infinite date or the like comes as the database writes it."""
    try:
        found = cast("object", json.loads(array))
    except ValueError:
        return []
    inside = cast("list[object]", found) if isinstance(found, list) else []
    return [one for one in inside if isinstance(one, str | int | float)]


def in_memory(columns: Iterable[ValuesOfColumn]) -> sqlite3.Connection:
    """An index that is never written down: (schema, table, column, values) for each column."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    _make(connection, "", "")
    fill(connection, columns)
    return connection


def fill(connection: sqlite3.Connection, columns: Iterable[ValuesOfColumn]) -> None:
    """Write (schema, table, column, values) for each column that is not there yet.

    What is there is kept in steps of whole columns: a process that is killed loses the column it was reading.
    """
    connection.executescript(_CACHE)
    known = set(connection.execute("SELECT schema_name, table_name, column_name FROM columns"))
    (number,) = connection.execute("SELECT coalesce(max(id), 0) FROM value").fetchone()
    kept = number
    for column in columns:
        if column[:3] in known:
            continue
        number = _write_column(connection, column, number)
        if number - kept >= STEP:
            connection.commit()
            kept = number
    connection.commit()
    for index in _INDICES:
        connection.execute(index)
    connection.execute("INSERT OR REPLACE INTO about VALUES ('size', ?)", (str(number),))
    connection.commit()


def _write_column(connection: sqlite3.Connection, column: ValuesOfColumn, number: int) -> int:
    """Write the values of one column, numbered on from `number`; the last number."""
    col = connection.execute(_NEW_COLUMN, column[:3]).lastrowid or 0
    rows: list[tuple[int, int, str, str, str]] = []
    for value in column[3]:
        if not isinstance(value, str) or len(value) > MAX_LENGTH:
            continue
        if folded := normal(value):
            number += 1
            rows.append((number, col, value, folded, folded[::-1]))
        if len(rows) >= STEP:
            _insert(connection, rows)
            rows = []
    _insert(connection, rows)
    return number


def _insert(connection: sqlite3.Connection, rows: list[tuple[int, int, str, str, str]]) -> None:
    connection.executemany("INSERT INTO value VALUES (?, ?, ?, ?, ?)", rows)
    several = [(row[0], row[3]) for row in rows if " " in row[3]]
    connection.executemany("INSERT INTO word (rowid, normal) VALUES (?, ?)", several)


@contextmanager
def _translated(path: Path) -> Generator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        kind = StoreFull if "full" in str(error) or "No space" in str(error) else StoreError
        raise kind(f"{path}: the value index could not be written: {error}") from error
