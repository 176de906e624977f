"""Which column holds a word of the question: an index over the distinct values of text columns.

One small SQLite file per database, `<home>/index/<database>.sqlite`, with the values in the form
in which they are compared, their words in a full-text index, and the values backwards, so that a
misspelt value is found by its sound half.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias

from rapidfuzz.distance import OSA

from oldhand.errors import StoreError
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.files import locked
from oldhand.sources.databases.value_files import (
    TextSource,
    ValuesOfColumn,
    fingerprint,
    in_memory,
    normal,
    shape_of,
    write_index,
)


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


@dataclass(frozen=True)
class ValuesOfOne:
    """Those of some values that one database holds."""

    values: Values
    database: str

    def exact(self, phrases: Sequence[str]) -> tuple[ValueMatch, ...]:
        """As `Values.exact`."""
        return self._own(self.values.exact(phrases))

    def containing(self, phrase: str, limit: int = 20) -> tuple[ValueMatch, ...]:
        """As `Values.containing`."""
        return self._own(self.values.containing(phrase, limit))

    def similar(self, phrase: str, limit: int = 5) -> tuple[ValueMatch, ...]:
        """As `Values.similar`."""
        return self._own(self.values.similar(phrase, limit))

    def _own(self, found: Sequence[ValueMatch]) -> tuple[ValueMatch, ...]:
        return tuple(match for match in found if match.database == self.database)


class AllValues:
    """The indices of several databases as one; equal when these are the same, so that results can be kept by it.

    >>> AllValues(()).exact(["Berlin"])
    ()
    """

    def __init__(self, indices: Sequence[Values]) -> None:
        self._indices = tuple(indices)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AllValues) and self._indices == other._indices

    def __hash__(self) -> int:
        return hash(self._indices)

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


SIMILAR = 0.8
"""Lowest similarity (1 minus edits per character) at which a misspelt value is still found."""
MANY = 500
"""Values that are compared letter by letter, at most."""

_SHOWN = "SELECT c.schema_name, c.table_name, c.column_name, v.raw, v.normal FROM "
_EXACT = (
    _SHOWN + "json_each(?) AS asked "
    "JOIN value v ON length(v.normal) = length(asked.value) AND v.normal = asked.value "
    "JOIN columns c ON c.id = v.col ORDER BY v.normal, v.id"
)
_SELECT = _SHOWN + "value v JOIN columns c ON c.id = v.col WHERE "
_CONTAINING = _SELECT + "v.id IN (SELECT rowid FROM word WHERE word MATCH ? LIMIT ?)"  # noqa: S608 - constants
_NUMBERED = _SELECT + "v.id IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants
_ALIKE = (
    "SELECT id, {0} FROM value WHERE length({0}) IN (SELECT value FROM json_each(?)) "
    "AND {0} >= ? AND {0} < ? LIMIT ?"
)
"""Answered from an index alone, that of the values in normal form or that of the same backwards."""

_Row: TypeAlias = tuple[str, str, str, str, str]
"""Schema, table, column, value, value in normal form."""


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
    def in_memory(cls, database: str, columns: Iterable[ValuesOfColumn]) -> Self:
        """An index that is never written down: (schema, table, column, values) for each column."""
        return cls(database, in_memory(columns))

    @classmethod
    def open(cls, path: Path, database: str, expected: str) -> Self | None:
        """The index in the file at `path`, or None when it is missing, broken, or out of date.

        Args:
            path: `<home>/index/<database>.sqlite`.
            database: name of the database.
            expected: what `fingerprint` says now.
        """
        return cls._opened(path, database, "fingerprint", expected)

    @classmethod
    def older(cls, path: Path, schema: DatabaseSchema) -> Self | None:
        """The index in the file at `path` if it covers the columns of `schema`, however old its values are; else None."""
        return cls._opened(path, schema.name, "shape", shape_of(schema))

    @classmethod
    def _opened(cls, path: Path, database: str, key: str, expected: str) -> Self | None:
        if not path.is_file():
            return None
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            row = connection.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        except sqlite3.DatabaseError:
            row = None
        if row is None or row[0] != expected:
            connection.close()
            return None
        return cls(database, connection)

    @property
    def fingerprint(self) -> str:
        """What it was built from, as the function `fingerprint` says."""
        return str(self._fetched("SELECT value FROM about WHERE key = 'fingerprint'")[0][0])

    @property
    def size(self) -> int:
        """Values in it."""
        rows = self._fetched("SELECT value FROM about WHERE key = 'size'")
        return int(rows[0][0]) if rows else 0

    @classmethod
    def fresh(
        cls,
        path: Path,
        database: TextSource,
        schema: DatabaseSchema,
        stamp: str = "",
        *,
        mixed: bool = False,
    ) -> Self:
        """The index at `path`, built anew when the schema or `stamp` has changed since.

        Of several processes that need it at the same time, one builds it and the others wait. What an interrupted one
        has read is not read again, unless `stamp` has changed since; with `mixed` not even then, and the index counts
        as one of that time: its `fingerprint` is another than the one expected now.

        Raises:
            StoreFull: no room left for the file.
            StoreError: the file cannot be written.
            DatabaseError: the database could not be read; the older file stays as it was.
        """
        expected = fingerprint(schema, stamp)
        if (found := cls.open(path, schema.name, expected)) is not None:
            return found
        with locked(path.with_name(f"{path.name}.lock")):
            found = cls.open(path, schema.name, expected)
            if found is not None:
                return found
            began = write_index(path, database, schema, stamp, mixed=mixed)
            opened = cls.open(path, database.name, began)
        if opened is None:
            raise StoreError(f"{path} was written but cannot be read back.")
        return opened

    def lookup(self, phrase: str, limit: int = 20) -> tuple[ValueMatch, ...]:
        """Values that `phrase` may mean: the very words, else longer values, else misspelt ones."""
        same = self.exact([phrase])[:limit]
        return same or self.containing(phrase, limit) or self.similar(phrase, limit)

    def exact(self, phrases: Sequence[str]) -> tuple[ValueMatch, ...]:
        """Values that are one of `phrases`, letter case, accents and punctuation aside."""
        by_normal = {normal(phrase): phrase for phrase in phrases}
        by_normal.pop("", None)
        rows: list[_Row] = self._fetched(_EXACT, json.dumps(list(by_normal)))
        return tuple(self._match(by_normal[row[4]], row, 1.0) for row in rows)

    def containing(self, phrase: str, limit: int = 20) -> tuple[ValueMatch, ...]:
        """Values of several words that hold all words of `phrase`."""
        words = normal(phrase).split()
        if not words:
            return ()
        query = " ".join(f'"{word}"' for word in words)
        rows: list[_Row] = self._fetched(_CONTAINING, query, limit)
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
        found = dict(self._alike("normal", wanted, half))
        found |= {
            number: text[::-1] for number, text in self._alike("reversed", wanted[::-1], half)
        }
        scores = {number: OSA.normalized_similarity(wanted, text) for number, text in found.items()}
        least = max([SIMILAR, *sorted(scores.values())[-limit:][:1]])
        numbers = [number for number, score in scores.items() if score >= least]
        rows: set[_Row] = set(self._fetched(_NUMBERED, json.dumps(numbers)))
        scored = ((OSA.normalized_similarity(wanted, row[4]), row) for row in rows)
        best = sorted(scored, reverse=True)[:limit]
        return tuple(self._match(phrase, row, 0.9 * score) for score, row in best)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _alike(self, column: str, text: str, half: int) -> list[tuple[int, str]]:
        """Values of about the length of `text` that begin like it, by their numbers.

        They share its first half, or more of it where that is shared by many.
        """
        lengths = json.dumps(list(range(len(text) - 2, len(text) + 3)))
        wider: list[tuple[int, str]] = []
        for shared in range(half, len(text) + 1):
            begin = text[:shared]
            end = begin + "\U0010ffff"
            rows: list[tuple[int, str]] = self._fetched(
                _ALIKE.format(column), lengths, begin, end, MANY
            )
            if len(rows) < MANY:
                return wider + rows
            wider = rows
        return wider

    def _fetched(self, query: str, *values: str | int) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            problem = f"The value index of {self.database} cannot be read: {error}"
            raise StoreError(problem) from error

    def _match(self, phrase: str, row: _Row, score: float) -> ValueMatch:
        schema_name, table, column, raw, _ = row
        return ValueMatch(phrase, self.database, schema_name, table, column, raw, score)
