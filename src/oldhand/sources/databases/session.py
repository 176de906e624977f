"""What each kind of database must be able to do; the rest is written once, over these two protocols."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from oldhand.sources.databases.result import QueryResult
from oldhand.sources.workers.reading import FetchedRows, RawRow


class Session(Protocol):
    """One read-only connection; one thread at a time, apart from `interrupt`."""

    @property
    def usable(self) -> bool:
        """False once it was interrupted or lost in a way that rules out another query."""
        ...

    def read(self, sql: str, rows: int, seconds: float) -> FetchedRows:
        """Run one statement and fetch at most `rows` rows; what lies beyond is left on the server.

        After `seconds` the database itself should stop; whoever calls interrupts it then in any case.

        Raises:
            QueryFailed: the database rejected the statement.
            WriteRefused: the connection only reads.
            DatabaseUnreachable: the connection is gone.
        """
        ...

    def interrupt(self) -> None:
        """Stop the statement that runs; called from another thread, must not raise."""

    def sever(self) -> None:
        """Cut the line to a server that no interrupt reaches, so that `read` ends; without a server there is none."""

    def close(self) -> None:
        """Give the connection back; must not raise."""


Read: TypeAlias = Callable[[str], list[RawRow]]
"""Runs one catalogue query and returns all its rows."""


@dataclass(frozen=True)
class FoundColumn:
    """One column as the catalogue describes it."""

    name: str
    type: str
    nullable: bool = True
    description: str = ""
    base_type: str | None = None
    """What a type of the user's own is made of: `text` for an enum of Postgres; None for built-in types."""


@dataclass(frozen=True)
class FoundKey:
    """A foreign key within one database; no `target_columns` means the primary key of the target."""

    columns: tuple[str, ...]
    schema_name: str
    table: str
    target_columns: tuple[str, ...]


@dataclass(frozen=True)
class FoundTable:
    """One table or view as the catalogue describes it."""

    schema_name: str
    name: str
    columns: tuple[FoundColumn, ...]
    primary_key: tuple[str, ...] = ()
    unique: frozenset[str] = frozenset()
    """Columns that are unique each by itself."""
    foreign_keys: tuple[FoundKey, ...] = ()
    description: str = ""
    estimated_rows: int | None = None


class LiveDatabase(Protocol):
    """What reading a schema needs of a database."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def dialect(self) -> str:
        """Its SQL."""
        ...

    def fetch(self, sql: str, *, rows: int, seconds: float) -> QueryResult:
        """Run one statement as it stands."""
        ...


class Driver(Protocol):
    """One kind of database at one address."""

    dialect: str
    """Name in sqlglot."""
    sessions: int
    """How many may be open at once."""

    @property
    def own_functions(self) -> str | None:
        """A query for the names of functions that somebody wrote in the database; None when nobody can."""
        ...

    def connect(self) -> Session:
        """Open a read-only connection.

        Raises:
            DatabaseUnreachable: there is no database at the address, or it does not let us in.
        """
        ...

    def catalogue(self, read: Read) -> list[FoundTable]:
        """Tables and views, in the order in which they should be shown."""
        ...

    def close(self) -> None:
        """Let go of what all sessions share, if anything."""
