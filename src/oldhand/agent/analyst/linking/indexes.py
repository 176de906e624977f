"""The indices of values that questions are looked up in: one file for each database, built when needed."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Protocol

from oldhand.errors import DatabaseError, OldhandError, StoreError
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.address import parse_address
from oldhand.sources.databases.value_files import TextSource, fingerprint, indexed_columns
from oldhand.sources.databases.values import AllValues, ValueIndex, Values

READ_AT_ONCE = 50_000
"""Values that are read anew while a question waits: about two seconds' worth."""
OLDEST = timedelta(days=1)
"""How old an index may be that answers while it is built anew."""


class IndexedDatabases(Protocol):
    """The part of the catalogue that the indices are built from."""

    def list(self) -> Sequence[DatabaseEntry]:
        """The databases with their addresses."""
        ...

    def open(self, name: str) -> TextSource:
        """The database of that name, opened for reading."""
        ...


@dataclass(frozen=True)
class IndexLookup:
    """Where the words of a question are looked up."""

    values: Values
    notes: tuple[str, ...] = ()
    """What the index lacks, if anything."""


class ValueSource(Protocol):
    """Whoever supplies the values of databases to the built-in mind."""

    def lookup(self, schemas: Sequence[DatabaseSchema], today: date) -> IndexLookup:
        """The values of these databases; may take long the first time, must not fail."""
        ...


class Indexes:
    """Builds and keeps the value indices of one home.

    A file's index is built anew when the file changes, a server's once a day. A large one is built anew in the
    background, and the older one answers until it is there; what ends the process before leaves the older one as it
    was, and the next process goes on with the columns that are left. Where a database can't be read, the sample values
    of its schema have to do.

    Args:
        databases: the catalogue.
        folder: where the indices lie.
        at_once: how many values may be read anew while a question waits.
    """

    def __init__(
        self, databases: IndexedDatabases, folder: Path, *, at_once: int = READ_AT_ONCE
    ) -> None:
        self._databases = databases
        self._folder = folder
        self._at_once = at_once
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[str, ValueIndex]] = {}
        self._outdated: dict[str, ValueIndex] = {}
        """What answers until the index that replaces it is there."""
        self._renewing: dict[str, threading.Thread] = {}

    def lookup(self, schemas: Sequence[DatabaseSchema], today: date) -> IndexLookup:
        """The values of these databases."""
        found: list[Values] = []
        notes: list[str] = []
        for schema in schemas:
            try:
                with self._lock:
                    found.append(self._index(schema, today))
                    if schema.name in self._renewing:
                        notes.append(_renewing_note(schema.name))
            except (DatabaseError, StoreError) as error:
                found.append(index_of_samples(schema))
                notes.append(f"The values of {schema.name} could not be indexed: {error}")
        return IndexLookup(found[0] if len(found) == 1 else AllValues(found), tuple(notes))

    def _index(self, schema: DatabaseSchema, today: date) -> ValueIndex:
        stamp = self._stamp(schema.name) or today.isoformat()
        expected = fingerprint(schema, stamp)
        kept = self._kept.get(schema.name)
        if kept is not None and kept[0] == expected:
            return kept[1]
        path = self._folder / f"{schema.name}.sqlite"
        index = ValueIndex.open(path, schema.name, expected)
        if index is None and (older := self._older(path, schema, today)) is not None:
            self._renew(path, schema, stamp)
            return older
        index = index or ValueIndex.fresh(path, self._databases.open(schema.name), schema, stamp)
        self._kept[schema.name] = (expected, index)
        return index

    def _older(self, path: Path, schema: DatabaseSchema, today: date) -> ValueIndex | None:
        """The index of before, where it is good enough for now, and too large to be built while somebody waits."""
        if schema.name in self._renewing:
            return self._outdated[schema.name]
        if not path.is_file() or today - _day_of(path) > OLDEST:
            return None
        older = ValueIndex.older(path, schema)
        if older is None or older.size <= self._at_once:
            return None
        self._outdated[schema.name] = older
        return older

    def _renew(self, path: Path, schema: DatabaseSchema, stamp: str) -> None:
        """Build an index anew in the background, unless that is being done."""
        if schema.name in self._renewing:
            return
        thread = threading.Thread(
            target=self._build, args=(path, schema, stamp), name="indexing", daemon=True
        )
        self._renewing[schema.name] = thread
        thread.start()

    def _build(self, path: Path, schema: DatabaseSchema, stamp: str) -> None:
        index = None
        try:
            # Where it fails the next question tries again, and tells why once the older index is too old.
            with suppress(OldhandError):
                index = ValueIndex.fresh(
                    path, self._databases.open(schema.name), schema, stamp, mixed=True
                )
        finally:
            with self._lock:
                del self._renewing[schema.name], self._outdated[schema.name]
                if index is not None:
                    self._kept[schema.name] = (index.fingerprint, index)

    def wait(self, seconds: float) -> bool:
        """Wait until all that is being read anew has been read, but no longer than this; whether it has. Blocks."""
        with self._lock:
            threads = list(self._renewing.values())
        for thread in threads:
            thread.join(seconds)
        return not any(thread.is_alive() for thread in threads)

    def _stamp(self, name: str) -> str:
        """When the database's file changed last; nothing for a server."""
        entry = next((entry for entry in self._databases.list() if entry.name == name), None)
        try:
            address = parse_address(entry.url) if entry is not None else None
        except OldhandError:
            return ""
        if address is None or address.kind not in ("sqlite", "duckdb", "files"):
            return ""
        files = [Path(address.database + suffix) for suffix in ("", "-wal", ".wal")]
        files += sorted(files[0].iterdir()) if files[0].is_dir() else []
        stats = [file.stat() for file in files if file.is_file()]
        return " ".join(f"{stat.st_mtime_ns}:{stat.st_size}" for stat in stats)


def _renewing_note(name: str) -> str:
    return (
        f"The data of {name} has changed: its values are being read anew in the background, and words for"
        " new ones are not known until then."
    )


def _day_of(path: Path) -> date:
    """When a file was written."""
    return datetime.fromtimestamp(path.stat().st_mtime, tz=UTC).date()


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
