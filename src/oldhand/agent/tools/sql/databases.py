"""Where the SQL tools find their databases: a catalogue, or nothing but addresses."""

import threading
import weakref
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Protocol

from oldhand.agent.analysis.attempts import Sources
from oldhand.errors import InvalidTool, ToolFailed, UnknownDatabase
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases import Database, open_database
from oldhand.sources.databases.address import database_name, parse_address

_SAMPLES = 3


class Databases(Sources, Protocol):
    """Databases by name, with what is known of them; `Catalog` and `Oldhand.databases` are such."""

    def list(self) -> tuple[DatabaseEntry, ...]:
        """All databases."""
        ...

    def open(self, name: str) -> Database:
        """One of them, opened for reading."""
        ...

    def schema(self, name: str) -> DatabaseSchema:
        """What is known of one."""
        ...


class UrlDatabases:
    """Databases that are known by their addresses alone, without a home folder.

    Each is opened and introspected when it is first needed, and closed when this object is closed or goes away.
    """

    def __init__(self, urls: Mapping[str, str]) -> None:
        self._entries = {name: DatabaseEntry(name=name, url=url) for name, url in urls.items()}
        for entry in self._entries.values():
            parse_address(entry.url)
        self._lock = threading.Lock()
        self._opened: dict[str, Database] = {}
        self._schemas: dict[str, DatabaseSchema] = {}
        self._closing = weakref.finalize(self, _close_all, self._opened)

    def list(self) -> tuple[DatabaseEntry, ...]:
        """All databases, in the order in which they were given."""
        return tuple(self._entries.values())

    def open(self, name: str) -> Database:
        """The database, opened for reading; the same one for the same name.

        Raises:
            UnknownDatabase: there is none of that name.
            DatabaseUnreachable: it does not answer.
        """
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
        if name not in self._schemas:
            self._schemas[name] = self.open(name).introspect(_SAMPLES)
        return self._schemas[name]

    def close(self) -> None:
        """Close what was opened; calling it twice is fine."""
        self._closing()


def databases_of(given: Databases | str | Mapping[str, str]) -> Databases:
    """The databases behind whatever the tools were given.

    Raises:
        InvalidDatabaseUrl: an address does not parse.
        InvalidTool: there are none.
    """
    if isinstance(given, str):
        return UrlDatabases({database_name(given): given})
    if isinstance(given, Mapping):
        if not given:
            raise InvalidTool("There is no database: give a URL, or names with URLs.")
        return UrlDatabases(given)
    return given


def chosen(databases: Databases, name: str) -> str:
    """The name of the database that is meant; an empty one means the only one.

    Raises:
        ToolFailed: there is none of that name, or several to choose from; says which there are.
    """
    names = [entry.name for entry in databases.list()]
    if name in names:
        return name
    if not name and len(names) == 1:
        return names[0]
    same = [known for known in names if known.casefold() == name.casefold()]
    if len(same) == 1:
        return same[0]
    listed = ", ".join(names) or "none"
    if not name:
        raise ToolFailed(f"Say which database is meant, as `database`: {listed}.")
    near = get_close_matches(name, names, n=1)
    guess = f" Did you mean {near[0]}?" if near else ""
    raise ToolFailed(f"There is no database {name[:80]!r}.{guess} There are: {listed}.")


def _close_all(opened: dict[str, Database]) -> None:
    for database in opened.values():
        database.close()
