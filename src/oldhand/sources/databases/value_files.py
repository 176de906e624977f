"""Writes the file of a value index: the distinct values of a database's text columns."""

import hashlib
import os
import sqlite3
import unicodedata
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

from oldhand.errors import StoreError, StoreFull
from oldhand.record.base import Cell
from oldhand.record.schema import Column, DatabaseSchema, Kind

FORMAT = "4"
MAX_LENGTH = 120
"""Characters of a value that is indexed; longer texts are prose, not names."""
VALUES_PER_COLUMN = 250_000

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE columns (id INTEGER PRIMARY KEY, schema_name TEXT, table_name TEXT, column_name TEXT);
CREATE TABLE value (id INTEGER PRIMARY KEY, col INTEGER, raw TEXT, normal TEXT, reversed TEXT);
CREATE VIRTUAL TABLE word USING fts5(normal, content='', detail=none, tokenize='ascii');
"""
_INDICES = """
CREATE INDEX value_normal ON value (length(normal), normal);
CREATE INDEX value_reversed ON value (length(reversed), reversed);
"""
_CACHE = """
PRAGMA cache_size = -65536;
PRAGMA temp_store = MEMORY;
"""
_SPACES = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum()})
"""Every ASCII character that is neither letter nor digit becomes a space."""


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
    """What an index was built from: it is stale when this changes.

    Args:
        schema: its indexed columns and row counts count.
        stamp: anything that moves with the data, such as a file's time of change.
    """
    digest = hashlib.sha256(f"{FORMAT}\n{schema.name}\n{stamp}".encode())
    for table in schema.tables:
        digest.update(f"\n{table.schema_name}.{table.name}:{table.row_count}".encode())
    for schema_name, table_name, column in indexed_columns(schema):
        digest.update(f"\n{schema_name}.{table_name}.{column.name}".encode())
    return digest.hexdigest()


def shape_of(schema: DatabaseSchema) -> str:
    """Which columns an index covers: an older index of the same shape still answers, if not for the newest values."""
    digest = hashlib.sha256(f"{FORMAT}\n{schema.name}".encode())
    for schema_name, table_name, column in indexed_columns(schema):
        digest.update(f"\n{schema_name}.{table_name}.{column.name}".encode())
    return digest.hexdigest()


def write_index(path: Path, database: TextSource, schema: DatabaseSchema, stamp: str) -> None:
    """Read the values of `database` and write the index; an older file is replaced at once.

    Only one may write at a time: whoever calls holds a lock. What an interrupted run left is written over.

    Raises:
        StoreFull: no room left for the file.
        StoreError: the file cannot be written.
        DatabaseError: the database could not be read; the older file stays as it was.
    """
    unfinished = path.with_name(f"{path.name}.new")
    with _translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)
        try:
            with closing(sqlite3.connect(unfinished)) as connection:
                connection.execute("PRAGMA journal_mode = OFF")
                connection.execute("PRAGMA synchronous = OFF")
                expected = fingerprint(schema, stamp)
                fill(connection, _read(database, schema), expected, shape_of(schema))
            with unfinished.open("rb") as file:
                os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


def _read(
    database: TextSource, schema: DatabaseSchema
) -> Iterator[tuple[str, str, str, Iterable[Cell]]]:
    for schema_name, table, column in indexed_columns(schema):
        values = database.distinct_values(
            table, column.name, schema_name=schema_name, limit=VALUES_PER_COLUMN
        )
        yield schema_name, table, column.name, values


def fill(
    connection: sqlite3.Connection,
    columns: Iterable[tuple[str, str, str, Iterable[Cell]]],
    expected: str,
    shape: str = "",
) -> None:
    """Write (schema, table, column, values) for each column into an empty SQLite database."""
    connection.executescript(_CACHE + _SCHEMA)
    number = 0
    for col, (schema_name, table, column, values) in enumerate(columns):
        connection.execute(
            "INSERT INTO columns VALUES (?, ?, ?, ?)", (col, schema_name, table, column)
        )
        rows: list[tuple[int, int, str, str, str]] = []
        for value in values:
            if not isinstance(value, str) or len(value) > MAX_LENGTH:
                continue
            if folded := normal(value):
                number += 1
                rows.append((number, col, value, folded, folded[::-1]))
            if len(rows) >= 20_000:
                _insert(connection, rows)
                rows = []
        _insert(connection, rows)
    connection.executescript(_INDICES)
    about = (("fingerprint", expected), ("shape", shape), ("size", str(number)))
    connection.executemany("INSERT INTO about VALUES (?, ?)", about)
    connection.commit()


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
