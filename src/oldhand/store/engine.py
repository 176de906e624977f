"""Connections to the store, and the names of what can go wrong with them."""

import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import cast

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from oldhand.errors import (
    MissingExtra,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreUnreachable,
    UsageError,
)


class Access(Enum):
    """What a transaction is for: how SQLite begins it, and when a commit counts as done."""

    READ = ("BEGIN",)
    WRITE = ("BEGIN IMMEDIATE", "PRAGMA foreign_keys = ON", "PRAGMA synchronous = NORMAL")
    """Safe when the process dies; the last moments may be lost when the power fails."""
    WRITE_DURABLY = ("BEGIN IMMEDIATE", "PRAGMA foreign_keys = ON", "PRAGMA synchronous = FULL")
    """On the disk before it is acknowledged, with all that was written before."""
    MIGRATE = ("BEGIN IMMEDIATE", "PRAGMA foreign_keys = OFF", "PRAGMA synchronous = FULL")
    """A table that is rebuilt must not take the rows that point to it along."""


_SCHEMES = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}


def sqlite_url(path: Path) -> str:
    """The address of a store in a file, whatever characters are in its path.

    >>> sqlite_url(Path("/srv/a?b/store.db"))
    'sqlite:////srv/a%3Fb/store.db'
    """
    return sa.URL.create("sqlite", database=str(path)).render_as_string()


def store_url(url: str) -> sa.URL:
    """The address of a store, with the driver that we use.

    >>> store_url("postgresql://ana@db/oldhand").drivername
    'postgresql+psycopg'

    Raises:
        UsageError: it does not parse, or is neither a SQLite file nor Postgres.
    """
    try:
        parsed = sa.make_url(url)
    except (exc.ArgumentError, ValueError) as error:
        raise UsageError(
            "The store's address does not parse: use sqlite:///file or postgresql://…"
        ) from error
    driver = _SCHEMES.get(parsed.drivername)
    if driver is None:
        raise UsageError(f"A store lies in SQLite or Postgres, not in {parsed.drivername}.")
    if driver == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise UsageError("The store must be a file: sqlite:///path/of/oldhand.db")
    if driver == "sqlite" and parsed.host:
        raise UsageError("Three slashes lead to the store's file: sqlite:///path/of/oldhand.db")
    return parsed.set(drivername=driver)


def open_engine(url: str, *, lock_seconds: float = 10.0) -> sa.Engine:
    """Connections to the store at `url`; nothing is opened yet.

    Args:
        url: `sqlite:///path` or `postgresql://user:password@host/database`.
        lock_seconds: how long to wait while another process holds the store.

    Raises:
        UsageError: the address is not one of a store.
        MissingExtra: Postgres' driver is not installed.
    """
    parsed = store_url(url)
    if parsed.drivername == "sqlite":
        engine = sa.create_engine(parsed, connect_args={"timeout": lock_seconds})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        engine = sa.create_engine(parsed, connect_args={"connect_timeout": 10}, pool_pre_ping=True)
    except ImportError as error:
        raise MissingExtra("psycopg", "postgres") from error

    def prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        _prepare_postgres(connection, lock_seconds)

    event.listen(engine, "connect", prepare)
    return engine


_WAITS, _WAIT = 40, 0.05
"""How often, and for how many seconds each time, a new store is waited for that another process is making."""


def _prepare_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    # Leave BEGIN to us: sqlite3's own would come too late for reads and for DDL.
    connection.isolation_level = None
    for waits in reversed(range(_WAITS)):
        try:
            connection.cursor().execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            # SQLite does not wait for another process that makes the very change, whatever the timeout.
            if not waits:
                raise
            time.sleep(_WAIT)
        else:
            return


_PREPARED = "prepared"
"""How a connection was set before; it stays so."""


def _begin_sqlite(connection: sa.Connection) -> None:
    begin, *wanted = connection.get_execution_options().get("access", Access.READ).value
    # Past SQLAlchemy, which takes longer for it than SQLite does.
    driver = cast("sqlite3.Connection", connection.connection.driver_connection)
    if wanted and connection.info.get(_PREPARED) != wanted:
        for statement in wanted:
            driver.execute(statement)
        connection.info[_PREPARED] = wanted
    driver.execute(begin)


def _prepare_postgres(connection: DBAPIConnection, lock_seconds: float) -> None:
    cursor = connection.cursor()
    settings = {"lock_timeout": f"{round(lock_seconds * 1000)}ms", "timezone": "UTC"}
    for name, value in settings.items():
        cursor.execute("SELECT set_config(%s, %s, false)", (name, value))
    connection.commit()


@contextmanager
def transaction(engine: sa.Engine, access: Access) -> Generator[sa.Connection]:
    """One transaction; every error of the database comes out as a `StoreError`.

    Raises:
        StoreLocked: another process held the store for too long.
        StoreFull: no room is left; nothing was written.
        StoreUnreachable: there is no store, or it may not be opened.
        StoreError: anything else that the database says.
    """
    with translated(engine.url), engine.connect() as connection:
        connection.execution_options(access=access)
        with connection.begin():
            yield connection


def shown_url(url: sa.URL) -> str:
    """The address as it may be shown to people: passwords are hidden, also those among the options.

    >>> shown_url(sa.make_url("postgresql://ana:secret@db/oldhand?sslpassword=secret"))
    'postgresql://ana:***@db/oldhand?sslpassword=***'
    """
    secret = [name for name in url.query if "pass" in name.lower()]
    hidden = url.update_query_dict(dict.fromkeys(secret, "***"))
    return hidden.render_as_string(hide_password=True).replace("=%2A%2A%2A", "=***")


def shown_address(url: str) -> str:
    """As `shown_url`, of the address as it was given."""
    return shown_url(store_url(url))


@contextmanager
def translated(url: sa.URL) -> Generator[None]:
    """Turn errors of the database at `url` into ours, without its password."""
    try:
        yield
    except exc.TimeoutError as error:
        shown = shown_url(url)
        raise StoreLocked(f"All connections to {shown} are busy: try again in a moment.") from error
    except (exc.DBAPIError, sqlite3.Error) as error:
        said = error.orig if isinstance(error, exc.DBAPIError) else error
        kind = _kind_of(said)
        meaning = str(kind()).rstrip(".")
        reason = str(said).strip().splitlines() or [""]
        raise kind(f"{meaning} ({shown_url(url)}: {reason[0]})") from error


def _kind_of(error: BaseException | None) -> type[StoreError]:
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(code, int):
        return _SQLITE_KINDS.get(code, _SQLITE_KINDS.get(code & 0xFF, StoreError))
    return _kind_of_postgres(getattr(error, "sqlstate", None), error)


_SQLITE_KINDS: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: StoreLocked,
    sqlite3.SQLITE_LOCKED: StoreLocked,
    sqlite3.SQLITE_FULL: StoreFull,
    # The shared index of the log cannot grow: SQLite calls this an I/O error, but the disk is full.
    sqlite3.SQLITE_IOERR_SHMSIZE: StoreFull,
    sqlite3.SQLITE_CANTOPEN: StoreUnreachable,
    sqlite3.SQLITE_NOTADB: StoreUnreachable,
    sqlite3.SQLITE_PERM: StoreUnreachable,
    sqlite3.SQLITE_READONLY: StoreUnreachable,
    sqlite3.SQLITE_AUTH: StoreUnreachable,
}


_POSTGRES_KINDS: dict[str, type[StoreError]] = {
    "53100": StoreFull,
    "40001": StoreLocked,
    "40P01": StoreLocked,
    "55P03": StoreLocked,
    "3D000": StoreUnreachable,
}


def _kind_of_postgres(state: str | None, error: BaseException | None) -> type[StoreError]:
    if state is None:
        # Without a state the server never answered, or is gone.
        gone = type(error).__name__ in {"OperationalError", "ConnectionTimeout"}
        return StoreUnreachable if gone else StoreError
    if state[:2] in {"08", "28"} or state.startswith("57P0") or state == "53300":
        return StoreUnreachable
    return _POSTGRES_KINDS.get(state, StoreError)


HEAD = "0027"
"""The newest migration; a test holds it against the migrations."""

_VERSION = sa.table("alembic_version", sa.column("version_num"))


def at_head(engine: sa.Engine) -> bool:
    """True when there is nothing to migrate, found out without Alembic."""
    with translated(engine.url), engine.connect() as connection:
        if not sa.inspect(connection).has_table(_VERSION.name):
            return False
        return connection.scalars(sa.select(_VERSION.c.version_num)).all() == [HEAD]
