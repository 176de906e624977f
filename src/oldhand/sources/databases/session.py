"""What each kind of database must be able to do; the rest is written once, over these two protocols."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol, TypeAlias

from oldhand.errors import QueryFailed

RawRow: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class Reading:
    """Names of the columns and the rows that were read."""

    columns: tuple[str, ...]
    rows: list[RawRow]


class Session(Protocol):
    """One read-only connection; one thread at a time, apart from `interrupt`."""

    @property
    def usable(self) -> bool:
        """False once it was interrupted or lost in a way that rules out another query."""
        ...

    def read(self, sql: str, rows: int) -> Reading:
        """Run one statement and fetch at most `rows` rows; what lies beyond is left on the server.

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


class Driver(Protocol):
    """One kind of database at one address."""

    dialect: str
    """Name in sqlglot."""
    sessions: int
    """How many may be open at once."""

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


MAX_MEGABYTES = 256
"""Text and bytes that one result may hold."""
_FIRST_BATCH = 16
_LARGEST_BATCH = 16_384
_GROWTH = 32

Fetch: TypeAlias = Callable[[int], Sequence[RawRow]]
"""The next rows of a result, at most so many; none at its end."""


def fetch_weighed(fetch: Fetch, rows: int) -> list[RawRow]:
    """Fetch at most `rows` rows.

    Raises:
        QueryFailed: they are too large to hold.

    >>> result = iter([[("a",), ("b",)], [("c",)], []])
    >>> fetch_weighed(lambda _: next(result), rows=100)
    [('a',), ('b',), ('c',)]
    """
    found: list[RawRow] = []
    weight, batch = 0, _FIRST_BATCH
    while wanted := min(batch, rows - len(found)):
        fetched = fetch(wanted)
        if not fetched:
            break
        found += fetched
        weight += _weight(fetched)
        left = MAX_MEGABYTES * 1_000_000 - weight
        if left < 0:
            raise QueryFailed(
                f"The first {len(found):,} rows of the result hold more than {MAX_MEGABYTES} MB: "
                "leave out long texts and binary columns, or select fewer rows."
            )
        like_these = len(found) * left // max(weight, 1)
        batch = min(batch * _GROWTH, _LARGEST_BATCH, like_these + 1)
    return found


def _weight(rows: Sequence[RawRow]) -> int:
    cells = chain.from_iterable(rows)
    return sum([len(cell) for cell in cells if type(cell) is str or type(cell) is bytes])
