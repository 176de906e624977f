"""Which column holds a word of the question: an index over the distinct values of text columns.

One small SQLite file per database, `<home>/index/<database>.sqlite`, with the values in the form
in which they are compared, their words in a full-text index, and the values backwards, so that a
misspelt value is found by its sound half.
"""

import hashlib
import json
import os
import sqlite3
import unicodedata
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self, TypeAlias

from rapidfuzz.distance import OSA

from oldhand.errors import StoreError, StoreFull
from oldhand.record.base import Cell
from oldhand.record.schema import Column, DatabaseSchema, Kind

FORMAT = "2"
MAX_LENGTH = 120
"""Characters of a value that is indexed; longer texts are prose, not names."""
VALUES_PER_COLUMN = 250_000
SIMILAR = 0.8
"""Lowest similarity (1 minus edits per character) at which a misspelt value is still found."""

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE columns (id INTEGER PRIMARY KEY, schema_name TEXT, table_name TEXT, column_name TEXT);
CREATE TABLE value (id INTEGER PRIMARY KEY, col INTEGER, raw TEXT, normal TEXT, reversed TEXT);
CREATE VIRTUAL TABLE word USING fts5(normal, content='', detail=none, tokenize='ascii');
"""
_INDICES = """
CREATE INDEX value_normal ON value (normal);
CREATE INDEX value_reversed ON value (reversed);
"""
_SELECT = (
    "SELECT c.schema_name, c.table_name, c.column_name, v.raw, v.normal "
    "FROM value v JOIN columns c ON c.id = v.col WHERE "
)
_EXACT = _SELECT + "v.normal IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants
_CONTAINING = _SELECT + "v.id IN (SELECT rowid FROM word WHERE word MATCH ? LIMIT ?)"  # noqa: S608 - constants
_LENGTH = " AND length(v.normal) BETWEEN ? AND ? LIMIT 500"
_STARTING = _SELECT + "v.normal >= ? AND v.normal < ?" + _LENGTH
_ENDING = _SELECT + "v.reversed >= ? AND v.reversed < ?" + _LENGTH

_Row: TypeAlias = tuple[str, str, str, str, str]
"""Schema, table, column, value, value in normal form."""


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A value of the database that a phrase of the question may mean."""

    phrase: str
    database: str
    schema_name: str
    table: str
    column: str
    value: str
    """As it is written in the database."""
    score: float
    """1 for the very words, less when the phrase is a part of the value or misspelt."""


class Values(Protocol):
    """Where the words of a question are looked up."""

    def exact(self, phrases: Sequence[str]) -> tuple[ValueMatch, ...]:
        """Values that are one of `phrases`, letter case, accents and punctuation aside."""
        ...

    def containing(self, phrase: str, limit: int = 20) -> tuple[ValueMatch, ...]:
        """Values of several words that hold all words of `phrase`."""
        ...

    def similar(self, phrase: str, limit: int = 5) -> tuple[ValueMatch, ...]:
        """Values that are `phrase` with a letter or two wrong, best first."""
        ...


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
    if not text.isascii():
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


class ValueIndex:
    """The values of one database.

    >>> index = ValueIndex.in_memory("shop", [("main", "customers", "city", ["Berlin", "New York"])])
    >>> [m.value for m in index.lookup("berlin")], [m.value for m in index.lookup("Berlni")]
    (['Berlin'], ['Berlin'])
    """

    def __init__(self, database: str, connection: sqlite3.Connection) -> None:
        self.database = database
        self._connection = connection

    @classmethod
    def in_memory(
        cls, database: str, columns: Iterable[tuple[str, str, str, Iterable[Cell]]]
    ) -> Self:
        """An index that is never written down: (schema, table, column, values) for each column."""
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        _fill(connection, columns, "")
        return cls(database, connection)

    @classmethod
    def open(cls, path: Path, database: str, expected: str) -> Self | None:
        """The index in the file at `path`, or None when it is missing, broken, or out of date.

        Args:
            path: `<home>/index/<database>.sqlite`.
            database: name of the database.
            expected: what `fingerprint` says now.
        """
        if not path.is_file():
            return None
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            row = connection.execute("SELECT value FROM about WHERE key = 'fingerprint'").fetchone()
        except sqlite3.DatabaseError:
            row = None
        if row is None or row[0] != expected:
            connection.close()
            return None
        return cls(database, connection)

    @classmethod
    def build(
        cls, path: Path, database: TextSource, schema: DatabaseSchema, stamp: str = ""
    ) -> Self:
        """Read the values of `database` and write the index; an older file is replaced at once.

        Raises:
            StoreFull: no room left for the file.
            StoreError: the file cannot be written.
            DatabaseError: the database could not be read; the older file stays as it was.
        """
        expected = fingerprint(schema, stamp)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
        with _translated(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished.unlink(missing_ok=True)
            try:
                with closing(sqlite3.connect(unfinished)) as connection:
                    connection.execute("PRAGMA journal_mode = OFF")
                    connection.execute("PRAGMA synchronous = OFF")
                    _fill(connection, _read(database, schema), expected)
                unfinished.replace(path)
            finally:
                unfinished.unlink(missing_ok=True)
        opened = cls.open(path, database.name, expected)
        if opened is None:
            raise StoreError(f"{path} was written but cannot be read back.")
        return opened

    @classmethod
    def fresh(
        cls, path: Path, database: TextSource, schema: DatabaseSchema, stamp: str = ""
    ) -> Self:
        """The index at `path`, built anew when the schema or `stamp` has changed since."""
        found = cls.open(path, schema.name, fingerprint(schema, stamp))
        return found if found is not None else cls.build(path, database, schema, stamp)

    def lookup(self, phrase: str, limit: int = 20) -> tuple[ValueMatch, ...]:
        """Values that `phrase` may mean: the very words, else longer values, else misspelt ones."""
        return (
            self.exact([phrase])[:limit]
            or self.containing(phrase, limit)
            or self.similar(phrase, limit)
        )

    def exact(self, phrases: Sequence[str]) -> tuple[ValueMatch, ...]:
        """Values that are one of `phrases`, letter case, accents and punctuation aside."""
        by_normal = {normal(phrase): phrase for phrase in phrases}
        by_normal.pop("", None)
        rows = self._rows(_EXACT, json.dumps(list(by_normal)))
        return tuple(self._match(by_normal[row[4]], row, 1.0) for row in rows)

    def containing(self, phrase: str, limit: int = 20) -> tuple[ValueMatch, ...]:
        """Values of several words that hold all words of `phrase`."""
        words = normal(phrase).split()
        if not words:
            return ()
        query = " ".join(f'"{word}"' for word in words)
        rows = self._rows(_CONTAINING, query, limit)
        length = sum(map(len, words))
        return tuple(
            self._match(phrase, row, 0.5 + 0.4 * length / max(length, len(row[4]))) for row in rows
        )

    def similar(self, phrase: str, limit: int = 5) -> tuple[ValueMatch, ...]:
        """Values that are `phrase` with a letter or two wrong, best first."""
        wanted = normal(phrase)
        if len(wanted) < 4:
            return ()
        half = max(3, len(wanted) // 2 - 1)
        rows = {
            *self._between(_STARTING, wanted[:half], len(wanted)),
            *self._between(_ENDING, wanted[::-1][:half], len(wanted)),
        }
        scored = [(OSA.normalized_similarity(wanted, row[4]), row) for row in rows]
        best = sorted((s, row) for s, row in scored if s >= SIMILAR)[::-1][:limit]
        return tuple(self._match(phrase, row, 0.9 * s) for s, row in best)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _between(self, query: str, half: str, length: int) -> list[_Row]:
        return self._rows(query, half, half + "\U0010ffff", length - 2, length + 2)

    def _rows(self, query: str, *values: str | int) -> list[_Row]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(
                f"The value index of {self.database} cannot be read: {error}"
            ) from error

    def _match(self, phrase: str, row: _Row, score: float) -> ValueMatch:
        schema_name, table, column, raw, _ = row
        return ValueMatch(phrase, self.database, schema_name, table, column, raw, score)


class AllValues:
    """The indices of several databases as one.

    >>> AllValues(()).exact(["Berlin"])
    ()
    """

    def __init__(self, indices: Sequence[Values]) -> None:
        self._indices = tuple(indices)

    def exact(self, phrases: Sequence[str]) -> tuple[ValueMatch, ...]:
        """As `Values.exact`, over all databases."""
        return tuple(match for index in self._indices for match in index.exact(phrases))

    def containing(self, phrase: str, limit: int = 20) -> tuple[ValueMatch, ...]:
        """As `Values.containing`, over all databases."""
        return tuple(m for index in self._indices for m in index.containing(phrase, limit))

    def similar(self, phrase: str, limit: int = 5) -> tuple[ValueMatch, ...]:
        """As `Values.similar`, over all databases."""
        found = [m for index in self._indices for m in index.similar(phrase, limit)]
        return tuple(sorted(found, key=lambda match: -match.score)[:limit])


def _read(
    database: TextSource, schema: DatabaseSchema
) -> Iterator[tuple[str, str, str, Iterable[Cell]]]:
    for schema_name, table, column in indexed_columns(schema):
        values = database.distinct_values(
            table, column.name, schema_name=schema_name, limit=VALUES_PER_COLUMN
        )
        yield schema_name, table, column.name, values


def _fill(
    connection: sqlite3.Connection,
    columns: Iterable[tuple[str, str, str, Iterable[Cell]]],
    expected: str,
) -> None:
    connection.executescript(_SCHEMA)
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
    connection.execute("INSERT INTO about VALUES ('fingerprint', ?)", (expected,))
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
