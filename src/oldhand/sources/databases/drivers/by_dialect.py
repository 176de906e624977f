"""MySQL, SQL Server, Snowflake and BigQuery: one driver over their SQLAlchemy dialects.

SQLAlchemy connects and reads the catalogue; statements go to the DB-API's cursor as the guard let them through. What
these do not share stands in `mysql` and `warehouses`.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, cast

from sqlalchemy import URL, Engine, NullPool, PoolProxiedConnection, create_engine
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor, DBAPIModule
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

from oldhand.errors import (
    DatabaseError,
    DatabaseUnreachable,
    InvalidDatabaseUrl,
    MissingExtra,
    QueryCancelled,
    QueryFailed,
    QueryRefused,
    QueryTimedOut,
)
from oldhand.sources.databases.address import Address
from oldhand.sources.databases.drivers.warehouse_catalogue import found_tables
from oldhand.sources.databases.session import FoundTable, Read
from oldhand.sources.workers.reading import Fetch, FetchedRows, RawRow, fetch_weighed

GRACE_SECONDS = 1
"""The server's own limit comes so much later than ours."""
Errors = tuple[type[Exception], ...]


def pooled(engine: Engine) -> DBAPIConnection:
    """A new connection as SQLAlchemy makes it."""
    one = engine.raw_connection()
    connection = cast("DBAPIConnection", one.driver_connection)
    one.detach()  # else it is closed once `one` is gone
    return connection


@dataclass(frozen=True)
class DialectKind:
    """What one kind of server does in its own way."""

    title: str
    extra: str
    dialect: str
    """Name in sqlglot."""
    options: frozenset[str]
    """What a URL may say; anything else could write, or steer the client."""
    url: Callable[[Address], URL]
    """The URL as SQLAlchemy takes it."""
    session: "type[DialectSession]"
    arguments: Mapping[str, object]
    """What the DB-API is told when connecting."""
    schema: Callable[[Address], str]
    """The only schema that is read; empty for all."""
    own_functions: str | None = None
    log_in: Callable[[Engine], DBAPIConnection] = pooled
    catalogue: Callable[[Address, Read], list[FoundTable]] | None = None
    """Reads tables and views; as SQLAlchemy finds them when None."""


class DialectDriver:
    """One server, or one database or schema of it."""

    sessions = 4

    def __init__(
        self,
        address: Address,
        kind: DialectKind,
        engine_of: Callable[..., Engine] = create_engine,
    ) -> None:
        if unknown := set(address.options) - kind.options:
            known = ", ".join(sorted(kind.options))
            raise InvalidDatabaseUrl(
                f"{address.shown}: unknown option {min(unknown)!r}; known are {known}."
            )
        self.dialect = kind.dialect
        self.own_functions = kind.own_functions
        self._address = address
        self._kind = kind
        try:
            own = kind.session.errors()
            self._engine = self._engine_by(engine_of, own)
        except (NoSuchModuleError, ModuleNotFoundError) as error:
            raise MissingExtra(f"The driver of {kind.title}", kind.extra) from error
        except ImportError as error:
            raise DatabaseUnreachable(
                f"The driver of {kind.title} cannot be loaded: {error}"
            ) from error
        self._errors: Errors = (self._engine.dialect.loaded_dbapi.Error, OSError, *own)

    def connect(self) -> "DialectSession":
        """Log in and limit what the session may do.

        Raises:
            DatabaseUnreachable: the server does not answer, or does not let us in.
        """
        try:
            connection = self._kind.log_in(self._engine)
            return self._kind.session(connection, self)
        except (SQLAlchemyError, *self._errors) as error:
            raise DatabaseUnreachable(f"{self._address.shown}: {self.message(error)}") from error

    def catalogue(self, read: Read) -> list[FoundTable]:
        """Tables and views.

        Raises:
            DatabaseError: they cannot be read.
        """
        if self._kind.catalogue is not None:
            return self._kind.catalogue(self._address, read)
        try:
            return found_tables(self._engine, self._kind.schema(self._address))
        except (SQLAlchemyError, *self._errors) as error:
            raise QueryFailed(f"The catalogue cannot be read: {self.message(error)}") from error

    def close(self) -> None:
        """Let go of the client."""
        self._engine.dispose()

    def _engine_by(self, engine_of: Callable[..., Engine], errors: Errors) -> Engine:
        url, arguments = self._kind.url(self._address), dict(self._kind.arguments)
        try:
            return engine_of(url, poolclass=NullPool, connect_args=arguments)
        except errors as error:  # some clients log in here
            raise DatabaseUnreachable(f"{self._address.shown}: {self.message(error)}") from error

    @property
    def engine(self) -> Engine:
        """What connects."""
        return self._engine

    @property
    def errors(self) -> Errors:
        """What the DB-API raises."""
        return self._errors

    def message(self, error: Exception) -> str:
        """What an error says, without the password."""
        cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
        said = str(cause.args[-1]) if cause.args else type(cause).__name__
        for secret in filter(None, (self._address.password, self._address.options.get("token"))):
            said = said.replace(secret, "***")
        return said

    def translated(
        self, error: Exception, connection: DBAPIConnection
    ) -> DatabaseError | QueryRefused:
        """The error of ours for one of the DB-API's."""
        known = self._kind.session.codes
        for code in (str(getattr(error, "errno", "")), *map(str, error.args[:1])):
            if code in known:
                ours = known[code]
                wordless = ours in (QueryTimedOut, QueryCancelled)
                return ours(None if wordless else self.message(error))
        dialect = self._engine.dialect
        api_error = cast("DBAPIModule.Error", error)
        is_api = isinstance(error, dialect.loaded_dbapi.Error)
        if is_api and dialect.is_disconnect(
            api_error, cast("PoolProxiedConnection", connection), None
        ):
            return DatabaseUnreachable(f"The connection was lost: {self.message(error)}")
        if not is_api and isinstance(error, OSError):
            return DatabaseUnreachable(f"The connection was lost: {self.message(error)}")
        return QueryFailed(self.message(error))


class DialectSession:
    """One connection; what it runs is never committed."""

    codes: ClassVar[Mapping[str, type[DatabaseError | QueryRefused]]] = {}
    """What errors of these codes mean; others are told by SQLAlchemy, or mean that the statement was rejected."""

    def __init__(self, connection: DBAPIConnection, driver: DialectDriver) -> None:
        self._connection = connection
        self._driver = driver
        self._cursor: DBAPICursor | None = None
        self._seconds = 0.0
        self.usable = True
        self.begin()

    @classmethod
    def errors(cls) -> Errors:
        """What the client raises beside the DB-API's errors."""
        return ()

    def read(self, sql: str, rows: int, seconds: float) -> FetchedRows:
        """Run one query and fetch its rows in batches; of a result that is longer the rest is never read."""
        try:
            if self._seconds != seconds:
                self.limit(int(seconds) + 1 + GRACE_SECONDS)
                self._seconds = seconds
            self._cursor = cursor = self._connection.cursor()
            self.execute(cursor, sql)

            def batch(most: int) -> list[RawRow]:
                return [tuple(row) for row in cursor.fetchmany(most)]

            columns = tuple(str(column[0]) for column in cursor.description or ())
            return FetchedRows(columns, self.fetched(batch, rows))
        except self._driver.errors as error:
            translated = self._driver.translated(error, self._connection)
            self.usable = self.usable and isinstance(translated, (QueryFailed, QueryRefused))
            raise translated from error
        finally:
            self._end()

    def interrupt(self) -> None:
        """Have the server cancel what runs."""
        self.usable = False
        if self._cursor is not None:
            with suppress(*self._driver.errors):
                self.cancel(self._cursor)

    def sever(self) -> None:
        """Close the connection under the statement."""
        self.close()

    def close(self) -> None:
        """Log out."""
        with suppress(*self._driver.errors):
            self._connection.close()

    def begin(self) -> None:
        """Set what holds for the whole session."""

    def limit(self, seconds: int) -> None:
        """Have the server, or its client, stop statements that run longer."""
        raise NotImplementedError

    def execute(self, cursor: DBAPICursor, sql: str) -> None:
        """Send one statement."""
        cursor.execute(sql)

    def fetched(self, fetch: Fetch, rows: int) -> list[RawRow]:
        """The rows, `rows` at most."""
        return fetch_weighed(fetch, rows)

    def cancel(self, cursor: DBAPICursor, /) -> None:
        """Stop what `cursor` runs; called from another thread."""
        raise NotImplementedError

    def tell(self, *statements: str) -> object:
        """Run statements of our own; the first value that the last one returns, if any."""
        cursor = self._connection.cursor()
        try:
            for statement in statements:
                cursor.execute(statement)
            row = cursor.fetchone() if cursor.description else None
            return row[0] if row else None
        finally:
            cursor.close()

    def _end(self) -> None:
        cursor, self._cursor = self._cursor, None
        try:
            if cursor is not None:
                cursor.close()
            self._connection.rollback()
        except self._driver.errors:
            self.usable = False
