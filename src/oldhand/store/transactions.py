"""How the store reads and writes: whole transactions, the journal right behind them."""

import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from threading import local
from typing import TYPE_CHECKING, Any, TypeVar, cast

import sqlalchemy as sa

from oldhand.errors import StoreLocked, UsageError
from oldhand.record.base import Record
from oldhand.record.feedback import CONFIRMS
from oldhand.store.engine import Access, transaction, translated
from oldhand.store.journal.outbox import Outbox

if TYPE_CHECKING:
    from sqlalchemy.dialects import sqlite

_T = TypeVar("_T")
_R = TypeVar("_R", bound=Record)
BATCH = 500
"""Keys in one statement, as databases limit how many there may be; and rows that are read at a time."""


class _OfThread(local):
    """What one thread has open."""

    snapshot: sa.Connection | None = None


_ONE_STATE = sa.text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
"""Else Postgres shows each statement what was committed just before it."""
_CLONE_LOCK = 0x6F6C64
"""`old` in ASCII: tells the locks of clones from other advisory locks of Postgres."""
_LOCK = sa.select(
    sa.func.pg_advisory_xact_lock(
        sa.func.hashtextextended(sa.bindparam("clone_id", type_=sa.Text), _CLONE_LOCK)
    )
)
"""Built once: putting it together takes longer than running it."""


class Transactions:
    """Transactions over one engine; errors come out as `StoreError`s."""

    def __init__(self, engine: sa.Engine, outbox: Outbox) -> None:
        self._engine = engine
        self._outbox = outbox
        self._open = _OfThread()

    @property
    def is_postgres(self) -> bool:
        """Whether the store lies in Postgres."""
        return self._engine.name == "postgresql"

    @contextmanager
    def reading(self) -> Generator[sa.Connection]:
        """See one state of the store: that of the snapshot which this thread holds, if it holds one."""
        if self._open.snapshot is not None:
            with translated(self._engine.url):
                yield self._open.snapshot
            return
        with transaction(self._engine, Access.READ) as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Generator[None]:
        """Let all that this thread reads meanwhile see one state of the store, in one transaction."""
        if self._open.snapshot is not None:
            yield
            return
        with transaction(self._engine, Access.READ) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(_ONE_STATE)
            self._open.snapshot = connection
            try:
                yield
            finally:
                self._open.snapshot = None

    @contextmanager
    def writing(
        self, clone_id: str, access: Access = Access.WRITE, *, journalled: bool = True
    ) -> Generator[sa.Connection]:
        """Change what belongs to one clone: all of it or, on an error, nothing.

        Writes of one clone happen one after another, so that versions and lines keep their order.
        """
        with transaction(self._engine, access) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(_LOCK, {"clone_id": clone_id})
            yield connection
        if journalled:
            self._outbox.deliver()

    def scrub(self) -> None:
        """Leave nothing of deleted rows in the database's files: not in free pages, nor in the log of SQLite.

        Postgres may still have it in its own log of writes, and everybody in their backups.

        Raises:
            StoreLocked: another process does not let go of the store; it can be done again.
        """
        if self.is_postgres:
            with translated(self._engine.url), self._engine.connect() as connection:
                # No transaction may be open.
                alone = connection.execution_options(isolation_level="AUTOCOMMIT")
                alone.execute(sa.text("VACUUM"))
            return
        pooled = self._engine.raw_connection()
        connection = pooled.driver_connection
        assert isinstance(connection, sqlite3.Connection), "SQLite has no other driver here"
        try:
            connection.execute("VACUUM")
            busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError as error:
            raise StoreLocked(f"The store cannot be cleaned up now: {error}.") from error
        finally:
            pooled.close()
        if busy:
            raise StoreLocked("The store cannot be cleaned up while another process reads it.")

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


class StorePart:
    """What a store does with one kind of thing, in its transactions."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions


# What reading and writing have in common: rows of many ids, and rows as records.
def batches(keys: Sequence[_T], size: int = BATCH) -> Iterator[Sequence[_T]]:
    """As many keys at a time as one statement may name.

    >>> [len(batch) for batch in batches(range(1_200))]
    [500, 500, 200]
    """
    for start in range(0, len(keys), size):
        yield keys[start : start + size]


def rows_among(
    connection: sa.Connection,
    query: sa.Select[*tuple[Any, ...]],
    column: sa.Column[Any],
    keys: Sequence[object],
) -> Iterator[sa.RowMapping]:
    """The rows of a query in which a column is one of any number of keys; they are in order for some keys at a time."""
    for batch in batches(keys):
        yield from connection.execute(query.where(column.in_(batch))).mappings()


def delete_among(
    connection: sa.Connection,
    table: sa.Table,
    column: sa.Column[Any],
    keys: Sequence[object],
    *where: sa.ColumnElement[bool],
) -> int:
    """Delete the rows in which a column is one of any number of keys; gives how many there were."""
    doomed = sa.delete(table).where(*where)
    found = (connection.execute(doomed.where(column.in_(batch))) for batch in batches(keys))
    return sum(one.rowcount for one in found)


def only_one(found: Sequence[str], what: str, given: str) -> str | None:
    """The only id that begins as `given` does; None when there is none. Raises `UsageError` when several do."""
    if len(found) > 1:
        some = ", ".join(found[:3])
        raise UsageError(f"{len(found)} {what} begin with {given!r} ({some}, …): give more of it.")
    return found[0] if found else None


def id_beginning(
    connection: sa.Connection, ids: sa.Select[str], what: str, given: str
) -> str | None:
    """Of these ids, the one that is `given`, or the only one that begins so; None when there is none.

    Raises:
        UsageError: several begin like that.
    """
    (column,) = ids.selected_columns
    if connection.scalar(ids.where(column == given)) is not None:
        return given
    # LIKE would not tell upper from lower case in SQLite, and refuses long patterns.
    alike = ids.where(sa.func.substr(column, 1, len(given), type_=column.type) == given).order_by(
        column
    )
    return only_one(connection.scalars(alike).all(), what, given)


def insert_all(
    connection: sa.Connection, table: sa.Table, rows: Iterable[Mapping[str, object]]
) -> None:
    """Add rows to a table; there may be none."""
    if given := list(rows):
        connection.execute(sa.insert(table), given)


def upsert(table: sa.Table, dialect: str) -> "sqlite.Insert":
    """An insert that can say what becomes of a row that is there already: each database has its own."""
    own = import_module(f"sqlalchemy.dialects.{dialect}")  # the others take long to import
    return cast("sqlite.Insert", own.insert(table))


def fields_of(kind: type[Record], row: sa.RowMapping) -> dict[str, object]:
    """The fields of a record that stand in a row."""
    return {name: row[name] for name in kind.model_fields if name in row}


def record_of(kind: type[_R], row: sa.RowMapping) -> _R:
    """The record that a row holds, whatever else it holds."""
    return kind.model_validate(fields_of(kind, row))


# Conditions on rows of the logs that several queries share.
def made_with(item: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether an answer rests on what was recalled for it, or may rest on it: it was shown, and is not known to be unused."""
    return sa.and_(item.c.shown, sa.func.coalesce(item.c.used, sa.true()))


def is_corrected(vote: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether a feedback states an answer."""
    return sa.func.coalesce(vote.c.correction, "") != ""


def corrects(vote: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether a feedback states another answer than the one that was given, which is wrong then, whatever the thumb."""
    return sa.and_(is_corrected(vote), ~is_tagged(vote, CONFIRMS))


def is_tagged(vote: sa.FromClause, tag: str) -> sa.ColumnElement[bool]:
    """Whether a feedback has a tag."""
    return sa.type_coerce(vote.c.tags, sa.Text).contains(f'"{tag}"')


def rates(vote: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether a feedback says how good an answer is; a rating of 0 only takes back what was said."""
    return sa.and_(is_whole(vote), sa.or_(sa.func.abs(vote.c.rating) == 1, is_corrected(vote)))


def is_whole(vote: sa.FromClause) -> sa.ColumnElement[bool]:
    """Whether a feedback is about the answer, and not about one passage that it cites."""
    return vote.c.passage.is_(None)
