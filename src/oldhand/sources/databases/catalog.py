"""The databases of one home: which there are, and what is known of them."""

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from oldhand.errors import (
    InvalidSetting,
    OldhandError,
    SchemaDrift,
)
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema
from oldhand.record.semantics import Semantics
from oldhand.sources.databases.address import absolute_url, database_name
from oldhand.sources.databases.database import Database
from oldhand.sources.databases.drift import Drift, differences
from oldhand.sources.databases.files import locked
from oldhand.sources.databases.keys.confirming import as_confirmed
from oldhand.sources.databases.keys.crossing import check_crossing_keys, drop_keys_into
from oldhand.sources.databases.keys.infer import suggested_keys, with_keys
from oldhand.sources.databases.keys.inference import InferredKey
from oldhand.sources.databases.knowledge import Knowledge
from oldhand.sources.databases.noting import NotedSchemas
from oldhand.sources.databases.opening import open_database
from oldhand.sources.databases.registry import Registry
from oldhand.sources.databases.schema_text import save_schema
from oldhand.sources.databases.semantics_file import earlier_files, load_semantics, save_semantics
from oldhand.sources.uploads import keep_upload, upload_place
from oldhand.sources.workers.client import start_ahead
from oldhand.sources.workers.wire import KINDS

_SAMPLES = 3
_SHOWN_DIFFERENCES = 5


class Catalog(NotedSchemas):
    """Databases by name, in `databases.yaml`; schemas, rules and profiles as `<name>.yaml` in folders of `knowledge`.

    All are read again when they change, so that several processes and an editor may work on one home.
    """

    def __init__(self, home: Path, functions: Iterable[str] = ()) -> None:
        self._functions = tuple(functions)
        self._registry = Registry(home / "databases.yaml")
        self._lock_file = home / ".databases.lock"
        self._knowledge = Knowledge(home / "knowledge")
        self._uploads = home / "uploads" / "databases"
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._opened: dict[str, tuple[str, Database]] = {}

    def add(self, url: str, *, name: str, description: str = "") -> DatabaseEntry:
        """Register a database: connect to it, read its schema and write the schema file.

        Adding the same URL again reads the schema anew; what was written into the file by hand is kept.

        Args:
            url: Such as `sqlite:///shop.db` or `postgresql://ana:${PGPASSWORD}@db/sales`; a relative path is made
                absolute, a `${NAME}` is stored as it stands.
            name: How questions, plans and files call it.
            description: What is in it.

        Raises:
            InvalidDatabaseUrl: the URL does not parse, or its kind is not supported.
            InvalidId: the name could not be a file's name.
            NameTaken: another database has the name.
            DatabaseUnreachable: it does not answer; nothing is registered then.
            SchemaError: there is a schema file already, and it does not hold.
        """
        entry = DatabaseEntry(name=name, url=absolute_url(url), description=description)
        self._registry.check_free(entry)
        with open_database(entry) as database:
            found = database.introspect(_SAMPLES)
        with locked(self._lock_file):
            self._registry.check_free(entry)
            self._knowledge.save_merged(found.model_copy(update={"description": description}))
            self._registry.put(entry)
        return entry

    def upload(self, file_name: str, data: bytes, *, name: str = "", description: str = "") -> DatabaseEntry:  # fmt: skip
        """Keep a file in the home and register it: of SQLite or DuckDB, or with rows, such as CSV, Parquet or Excel.

        Args:
            file_name: how it is called; its ending tells its kind.
            data: what it holds.
            name: how questions call it; after the file when empty.
            description: what is in it.

        Raises:
            NameTaken: there is a file or a database of that name already.
            InvalidDatabaseUrl: it is no such file; nothing is kept then.
        """
        place = upload_place(self._uploads, file_name)
        keep_upload(place, data, replace=False)
        try:
            chosen = name or database_name(place.name)
            return self.add(str(place), name=chosen, description=description)
        except OldhandError:
            place.unlink(missing_ok=True)
            raise

    def test(self, url: str) -> tuple[str, ...]:
        """The tables of a database that could be added; it is not registered.

        Raises:
            InvalidDatabaseUrl: the URL does not parse, or its kind is not supported.
            DatabaseUnreachable: it does not answer.
        """
        entry = DatabaseEntry(name="tried", url=absolute_url(url))
        with open_database(entry) as database:
            return tuple(table.name for table in database.introspect(samples=0).tables)

    def remove(self, name: str) -> None:
        """Forget a database, and the references of other schema files into it; its own schema file stays.

        A file that was uploaded is deleted.

        Raises:
            UnknownDatabase: there is none of that name.
        """
        with locked(self._lock_file):
            lies = self._registry.entry(name).url
            for other in self.list():
                if other.name != name:
                    drop_keys_into(name, self.schema_path(other.name))
            self._registry.drop(name)
        self._let_go(name)
        for kept in self._uploads.glob("*"):
            if lies == absolute_url(str(kept)):
                kept.unlink(missing_ok=True)

    def list(self) -> tuple[DatabaseEntry, ...]:
        """All databases, in the order in which they were added.

        Raises:
            InvalidSetting: `databases.yaml` does not hold.
        """
        return self._registry.entries()

    def schema(self, name: str) -> DatabaseSchema:
        """What is known of one database; it is introspected when there is no file yet.

        Raises:
            UnknownDatabase: there is none of that name.
            SchemaError: the file does not hold, or a key of it leads nowhere.
            DatabaseError: there is no file, and the database cannot be read.
        """
        schema = self._load(self._registry.entry(name))
        entries = {entry.name: entry for entry in self.list()}
        path = self.schema_path(name)
        check_crossing_keys(schema, path, entries, lambda other: self._load(entries[other]))
        return self._knowledge.with_semantics(schema)

    def schemas(self, names: Iterable[str] | None = None) -> tuple[DatabaseSchema, ...]:
        """What is known of these databases, or of all.

        Raises:
            As `schema`.
        """
        chosen = [entry.name for entry in self.list()] if names is None else list(names)
        return tuple(self.schema(name) for name in dict.fromkeys(chosen))

    def write_schema(self, schema: DatabaseSchema) -> None:
        """Write a schema file as it is given, in place of the one that is there.

        Raises:
            UnknownDatabase: no database of its name is registered.
        """
        with locked(self._lock_file):
            self._registry.entry(schema.name)
            save_schema(schema, self.schema_path(schema.name))

    def change_semantics(self, name: str, change: Callable[[Semantics], Semantics]) -> Semantics:
        """Change the rules of a database, as they stand in its file now; the file as it was is kept under `earlier`.

        Raises:
            UnknownDatabase: there is none of that name.
            SchemaError: the file that is there does not hold.
        """
        self.schema(name)  # may have to be introspected first
        with locked(self._lock_file):
            changed = change(self.schema(name).semantics)
            save_semantics(changed, self.semantics_path(name))
        return changed

    def semantics_before(self, name: str) -> Semantics | None:
        """The rules of a database as they were before their last change; None where they were never changed.

        Raises:
            SchemaError: the file that holds them does not fit the database any more.
        """
        files = earlier_files(self.semantics_path(name))
        return load_semantics(files[-1], self.schema(name)) if files else None

    def introspect(self, name: str, samples: int = _SAMPLES) -> DatabaseSchema:
        """Read the schema anew; descriptions, kinds and references written by hand are kept.

        Raises:
            UnknownDatabase: there is none of that name.
            DatabaseError: it cannot be read.
            SchemaError: the file that is there does not hold: correct it or delete it first.
        """
        self._registry.entry(name)
        found = self.open(name).introspect(samples)
        with locked(self._lock_file):
            return self._knowledge.save_merged(found)

    def check(self, name: str) -> tuple[Drift, ...]:
        """Compare the schema file with the live database.

        Raises:
            UnknownDatabase: there is none of that name.
            SchemaError: the file does not hold.
            DatabaseError: the database cannot be read.
        """
        return differences(self.schema(name), self.open(name).introspect(samples=0))

    def ensure_current(self, name: str) -> None:
        """Raise unless file and database fit.

        Raises:
            SchemaDrift: they differ; the message names the first differences.
        """
        if found := self.check(name):
            shown = "; ".join(map(str, found[:_SHOWN_DIFFERENCES]))
            more = len(found) - _SHOWN_DIFFERENCES
            rest = f"; and {more} more" if more > 0 else ""
            raise SchemaDrift(
                f"The schema file of {name} no longer fits the database: {shown}{rest}. "
                f"Write it anew: `oldhand schema introspect {name}`"
            )

    def link_keys(self, *, write: bool = False) -> tuple[InferredKey, ...]:
        """Suggest foreign keys that names and values speak for, within and across databases.

        Args:
            write: True confirms them in the schema files.
        """
        schemas = self.schemas()
        found = suggested_keys(schemas, self.open)
        if write:
            for schema in schemas:
                linked = with_keys(schema, map(as_confirmed, found))
                if linked != schema:
                    self.write_schema(linked)
        return found

    def change_schema(
        self, name: str, change: Callable[[DatabaseSchema], DatabaseSchema]
    ) -> DatabaseSchema:
        """Change what is known of a database, as it stands in its file now."""
        self.schema(name)  # may have to be introspected first
        with locked(self._lock_file):
            changed = change(self.schema(name))
            save_schema(changed, self.schema_path(name))
        return changed

    def open(self, name: str) -> Database:
        """The database, opened for reading; it is shared, and stays open until the catalog is closed.

        Raises:
            UnknownDatabase: there is none of that name.
            DatabaseUnreachable: it does not answer.
        """
        entry = self._registry.entry(name)
        # Connecting may take long: a server that does not answer holds up nobody who wants another one.
        with self._lock_of(name):
            url, known = self._opened.get(name, ("", None))
            if known is not None and not known.closed and url == entry.url:
                return known
            database = open_database(entry, self._functions)
            self._opened[name] = (entry.url, database)
        if known is not None:
            known.close()  # it lies elsewhere by now
        return database

    def start_ahead(self) -> None:
        """Start what queries on this machine run in, in the background; the workspace's too where rows may have to be joined."""
        with suppress(InvalidSetting):  # whoever needs the list is told
            entries = self.list()
            kinds = {entry.url.partition(":")[0] for entry in entries}
            joined = {"duckdb"} if len(entries) > 1 else set[str]()
            start_ahead(kind for kind in KINDS if kind in kinds | joined)

    def close(self) -> None:
        """Close all databases that were opened."""
        with self._lock:
            names = tuple(self._locks)
        for name in names:
            self._let_go(name)

    def schema_path(self, name: str) -> Path:
        """Where the schema file of a database lies."""
        return self._knowledge.schema_path(name)

    def semantics_path(self, name: str) -> Path:
        """Where the rules of a database lie, if it has any."""
        return self._knowledge.semantics_path(name)

    def _lock_of(self, name: str) -> threading.Lock:
        with self._lock:
            return self._locks.setdefault(name, threading.Lock())

    def _let_go(self, name: str) -> None:
        with self._lock_of(name):
            _, database = self._opened.pop(name, ("", None))
        if database is not None:
            database.close()

    def _load(self, entry: DatabaseEntry) -> DatabaseSchema:
        schema = self._knowledge.load(entry.name)
        if schema is None:
            return self.introspect(entry.name)
        if schema.description or not entry.description:
            return schema
        return schema.model_copy(update={"description": entry.description})
