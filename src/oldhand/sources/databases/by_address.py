"""Databases that no catalog has registered."""

import threading
import weakref
from collections.abc import Mapping

from oldhand.errors import UnknownDatabase
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.address import parse_address
from oldhand.sources.databases.catalog import Catalog
from oldhand.sources.databases.database import Database
from oldhand.sources.databases.opening import open_database

_SAMPLES = 3


class UrlDatabases:
    """Databases that are known by their addresses alone, without a home folder, or beside those of one.

    Each is opened and introspected when it is first needed, and closed when this object is closed or goes away.
    """

    def __init__(
        self, urls: Mapping[str, str], beside: "Catalog | UrlDatabases | None" = None
    ) -> None:
        self._beside = beside
        self._entries = {name: DatabaseEntry(name=name, url=url) for name, url in urls.items()}
        for entry in self._entries.values():
            parse_address(entry.url)
        self._lock = threading.Lock()
        self._opened: dict[str, Database] = {}
        self._schemas: dict[str, DatabaseSchema] = {}
        self._closing = weakref.finalize(self, _close_all, self._opened)

    def list(self) -> tuple[DatabaseEntry, ...]:
        """All databases, in the order in which they were given; those of the home that have other names behind them."""
        there = () if self._beside is None else self._beside.list()
        return (
            *self._entries.values(),
            *(one for one in there if one.name not in self._entries),
        )

    def open(self, name: str) -> Database:
        """The database, opened for reading; the same one for the same name.

        Raises:
            UnknownDatabase: there is none of that name.
            DatabaseUnreachable: it does not answer.
        """
        if self._beside is not None and name not in self._entries:
            return self._beside.open(name)
        with self._lock:
            if name not in self._entries:
                raise UnknownDatabase(f"There is no database {name!r}.")
            if name not in self._opened:
                self._opened[name] = open_database(self._entries[name])
            return self._opened[name]

    def schema(self, name: str) -> DatabaseSchema:
        """What the database says of itself; read once.

        Raises:
            As `open`.
        """
        if self._beside is not None and name not in self._entries:
            return self._beside.schema(name)
        if name not in self._schemas:
            self._schemas[name] = self.open(name).introspect(_SAMPLES)
        return self._schemas[name]

    def close(self) -> None:
        """Close what was opened; calling it twice is fine."""
        self._closing()


def _close_all(opened: dict[str, Database]) -> None:
    for database in opened.values():
        database.close()
