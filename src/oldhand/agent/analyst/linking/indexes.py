"""The indices of values that questions are looked up in: one file for each database, built when needed."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Protocol

from oldhand.errors import DatabaseError, OldhandError, StoreError
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.address import parse_address
from oldhand.sources.databases.values import (
    AllValues,
    TextSource,
    ValueIndex,
    Values,
    fingerprint,
    indexed_columns,
)


class IndexedDatabases(Protocol):
    """The part of the catalogue that the indices are built from."""

    def entries(self) -> Sequence[DatabaseEntry]:
        """The databases with their addresses."""
        ...

    def open(self, name: str) -> TextSource:
        """The database of that name, opened for reading."""
        ...


@dataclass(frozen=True)
class Lookup:
    """Where the words of a question are looked up."""

    values: Values
    notes: tuple[str, ...] = ()
    """What the index lacks, if anything."""


class ValueSource(Protocol):
    """Whoever supplies the values of databases to the built-in mind."""

    def lookup(self, schemas: Sequence[DatabaseSchema], today: date) -> Lookup:
        """The values of these databases; may take long the first time, must not fail."""
        ...


class Indexes:
    """Builds and keeps the value indices of one home.

    A file's index is built anew when the file changes, a server's once a day. Where a database can't be read, the
    sample values of its schema have to do.

    Args:
        databases: the catalogue.
        folder: where the indices lie.
    """

    def __init__(self, databases: IndexedDatabases, folder: Path) -> None:
        self._databases = databases
        self._folder = folder
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[str, ValueIndex]] = {}

    def lookup(self, schemas: Sequence[DatabaseSchema], today: date) -> Lookup:
        """The values of these databases."""
        found: list[Values] = []
        notes: list[str] = []
        for schema in schemas:
            try:
                with self._lock:
                    found.append(self._index(schema, today))
            except (DatabaseError, StoreError) as error:
                found.append(index_of_samples(schema))
                notes.append(f"The values of {schema.name} could not be indexed: {error}")
        return Lookup(found[0] if len(found) == 1 else AllValues(found), tuple(notes))

    def _index(self, schema: DatabaseSchema, today: date) -> ValueIndex:
        stamp = self._stamp(schema.name) or today.isoformat()
        expected = fingerprint(schema, stamp)
        kept = self._kept.get(schema.name)
        if kept is not None and kept[0] == expected:
            return kept[1]
        path = self._folder / f"{schema.name}.sqlite"
        index = ValueIndex.open(path, schema.name, expected) or ValueIndex.fresh(
            path, self._databases.open(schema.name), schema, stamp
        )
        self._kept[schema.name] = (expected, index)
        return index

    def _stamp(self, name: str) -> str:
        """When the database's file changed last; nothing for a server."""
        entry = next((entry for entry in self._databases.entries() if entry.name == name), None)
        try:
            address = parse_address(entry.url) if entry is not None else None
        except OldhandError:
            return ""
        if address is None or address.kind not in ("sqlite", "duckdb"):
            return ""
        files = (Path(address.database + suffix) for suffix in ("", "-wal", ".wal"))
        stats = [file.stat() for file in files if file.is_file()]
        return " ".join(f"{stat.st_mtime_ns}:{stat.st_size}" for stat in stats)


def index_of_samples(schema: DatabaseSchema) -> ValueIndex:
    """An index over the sample values in a schema.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> city = Column(name="city", type="TEXT", kind=Kind.TEXT, samples=("Berlin",))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=(city,)),))
    >>> index_of_samples(shop).exact(["berlin"])[0].column
    'city'
    """
    columns = (
        (s, table, column.name, column.samples) for s, table, column in indexed_columns(schema)
    )
    return ValueIndex.in_memory(schema.name, columns)
