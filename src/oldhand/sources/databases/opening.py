"""From the entry of a database to the database."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from oldhand.errors import DatabaseUnreachable, MissingExtra
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases.address import Address, parse_address
from oldhand.sources.databases.database import Database
from oldhand.sources.databases.session import Driver

if TYPE_CHECKING:
    from oldhand.sources.databases.drivers.by_dialect import DialectKind
    from oldhand.sources.databases.workspace import Workspace


def open_database(entry: DatabaseEntry, functions: Iterable[str] = ()) -> Database:
    """Open a database for reading and connect to it once.

    Raises:
        InvalidDatabaseUrl: the URL does not parse, or its scheme is not supported.
        MissingExtra: the driver is not installed.
        DatabaseUnreachable: there is no such file or server, it is not a database, or it does not let us in.

    >>> open_database(DatabaseEntry(name="shop", url="sqlite:///no-such.db"))
    Traceback (most recent call last):
    ...
    oldhand.errors.DatabaseUnreachable: There is no SQLite file no-such.db.
    """
    database = Database(entry.name, _driver(parse_address(entry.url), entry.url), functions)
    try:
        database.reach()
    except DatabaseUnreachable:
        database.close()
        raise
    return database


def open_workspace() -> "Workspace":
    """An empty workspace: where rows of several databases meet."""
    # Most questions are about one database, and DuckDB and Arrow take long to import.
    from oldhand.sources.databases.workspace import Workspace  # noqa: PLC0415

    return Workspace()


def _driver(address: Address, url: str) -> Driver:
    # Each driver is imported when its kind is asked for: two are extras, and all cost time at the start.
    match address.kind:
        case "sqlite":
            from oldhand.sources.databases.drivers.sqlite import SqliteDriver  # noqa: PLC0415

            return SqliteDriver(address)
        case "duckdb":
            from oldhand.sources.databases.drivers.duckdb import DuckdbDriver  # noqa: PLC0415

            return DuckdbDriver(address)
        case "files":
            from oldhand.sources.databases.drivers.folder import FolderDriver  # noqa: PLC0415

            return FolderDriver(address)
        case "mysql" | "mssql" | "snowflake" | "bigquery":
            from oldhand.sources.databases.drivers.by_dialect import DialectDriver  # noqa: PLC0415

            return DialectDriver(address, _kind(address))
        case _:
            try:
                from oldhand.sources.databases.drivers.postgres import PostgresDriver  # noqa: PLC0415
            except ImportError as error:
                raise MissingExtra("The driver of Postgres (psycopg)", "postgres") from error
            return PostgresDriver(_live(address, url))


def _kind(address: Address) -> "DialectKind":
    if address.kind != "mysql":
        from oldhand.sources.databases.drivers.warehouses import KINDS  # noqa: PLC0415

        return KINDS[address.kind]
    try:
        from oldhand.sources.databases.drivers.mysql import MYSQL  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("The driver of MySQL (pymysql)", "mysql") from error
    return MYSQL


def _live(address: Address, url: str) -> Address:
    if address.kind != "pgserver":
        return address
    from oldhand.sources.databases.embedded import live_url  # noqa: PLC0415

    return parse_address(live_url(url))
