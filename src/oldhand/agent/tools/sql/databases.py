"""Where the SQL tools find their databases: a catalogue, or nothing but addresses."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Protocol

from oldhand.agent.analysis.attempts import Sources
from oldhand.errors import InvalidTool, ToolFailed
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases import Database
from oldhand.sources.databases.address import database_name
from oldhand.sources.databases.by_address import UrlDatabases


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
