"""MySQL and MariaDB through pymysql: each query runs in a read-only transaction, unbuffered.

A read-only transaction alone could be ended from within: MariaDB runs whole blocks (`BEGIN NOT ATOMIC … END`) as one
statement, and a stored procedure may commit. So a statement must also begin like a query: in MySQL's grammar what
begins with SELECT can only read, apart from `INTO OUTFILE`, which is refused by its name.
"""

import contextlib
import re
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import pymysql
from pymysql.constants import CR, ER, FIELD_TYPE
from pymysql.converters import conversions
from pymysql.cursors import SSCursor
from sqlglot import exp

from oldhand.errors import (
    DatabaseError,
    DatabaseUnreachable,
    InvalidDatabaseUrl,
    QueryCancelled,
    QueryFailed,
    QueryRefused,
    QueryTimedOut,
    StatementRefused,
    WriteRefused,
)
from oldhand.sources.databases.address import Address
from oldhand.sources.databases.catalogue import Catalogue
from oldhand.sources.databases.session import FoundTable, Read
from oldhand.sources.workers.reading import FetchedRows, RawRow, fetch_weighed

if TYPE_CHECKING:
    _Connection = pymysql.Connection[SSCursor]
else:
    _Connection = pymysql.Connection

_CONNECT_SECONDS = 10
_KILL_SECONDS = 2
_OPTIONS = ("unix_socket", "ssl_ca", "ssl_cert", "ssl_key", "charset", "connect_timeout")
_LOST = {CR.CR_SERVER_GONE_ERROR, CR.CR_SERVER_LOST, CR.CR_CONN_HOST_ERROR, ER.SERVER_SHUTDOWN, 0}
_TIMED_OUT = {3024, 1969}
"""Stopped by the server's own limit, in MySQL and in MariaDB."""
_GRACE_SECONDS = 1
_READ_ONLY = {1792, 1290, 1836}
_QUERY = re.compile(
    r"(?:\s|\(|/\*(?![!M]).*?\*/|--(?:\s.*?)?(?:\n|$)|\#.*?(?:\n|$))*(select|with|values|table|show|describe|desc|explain)\b",
    re.IGNORECASE | re.DOTALL,
)


_WRITES_FILE = re.compile(r"\b(outfile|dumpfile)\b", re.IGNORECASE)
_CATALOGUE = Catalogue(
    tables="""
SELECT TABLE_SCHEMA, TABLE_NAME, CASE WHEN TABLE_TYPE <> 'VIEW' THEN TABLE_COMMENT END, TABLE_ROWS
FROM information_schema.TABLES ORDER BY TABLE_SCHEMA, CREATE_TIME IS NULL, TABLE_NAME
""",
    columns="""
SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE = 'YES', COLUMN_COMMENT, NULL
FROM information_schema.COLUMNS ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION
""",
    keys="""
SELECT TABLE_SCHEMA, TABLE_NAME, CASE INDEX_NAME WHEN 'PRIMARY' THEN 'p' ELSE 'u' END, INDEX_NAME, COLUMN_NAME,
       NULL, NULL, NULL, SEQ_IN_INDEX
FROM information_schema.STATISTICS WHERE NON_UNIQUE = 0
UNION ALL
SELECT TABLE_SCHEMA, TABLE_NAME, 'f', CONSTRAINT_NAME, COLUMN_NAME,
       REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME, ORDINAL_POSITION
FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL
ORDER BY 1, 2, 4, 9
""",
)
_SYSTEM = ("information_schema", "mysql", "performance_schema", "sys")


class MysqlDriver:
    """A MySQL or MariaDB server, or one database of it."""

    dialect = "mysql"
    sessions = 4
    own_functions = """
SELECT DISTINCT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_SCHEMA <> 'sys'
"""

    def __init__(self, address: Address) -> None:
        self._address = address
        if unknown := set(address.options) - set(_OPTIONS):
            raise InvalidDatabaseUrl(
                f"{address.shown}: unknown option {min(unknown)!r}; known are {', '.join(_OPTIONS)}."
            )
        self._patience = _seconds(address)

    def connect(self) -> "MysqlSession":
        """Log in and make the session read-only.

        Raises:
            DatabaseUnreachable: the server does not answer, or does not let us in.
        """
        connection = self._log_in(self._patience)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET SESSION TRANSACTION READ ONLY")
                # The guard reads double quotes as strings, and a backslash in them as an escape.
                cursor.execute(
                    "SET SESSION sql_mode = REPLACE(REPLACE(REPLACE(@@sql_mode, 'ANSI_QUOTES', ''), "
                    "'NO_BACKSLASH_ESCAPES', ''), 'ANSI', '')"
                )
        except pymysql.Error as error:
            connection.close()
            raise self._unreachable(error) from error
        connection.wait_for_queries()
        return MysqlSession(connection, self)

    def kill_query(self, thread: int) -> None:
        """Stop what another connection of ours runs; nothing happens when it is over."""
        with contextlib.suppress(DatabaseUnreachable, pymysql.Error):
            connection = self._log_in(min(_KILL_SECONDS, self._patience))
            with contextlib.closing(connection), connection.cursor() as cursor:
                cursor.execute("KILL QUERY %s", (thread,))

    def catalogue(self, read: Read) -> list[FoundTable]:
        """Tables and views of the URL's database; of all but the system's when it names none."""
        schema = exp.column("TABLE_SCHEMA")
        database = self._address.database
        wanted = schema.eq(database) if database else schema.isin(*_SYSTEM).not_()

        def limited(query: str) -> str:
            tree = cast("exp.Expr", exp.maybe_parse(query, dialect="mysql"))
            for part in list(tree.find_all(exp.Select)):
                part.where(wanted, copy=False)
            return tree.sql("mysql")

        return Catalogue(*map(limited, _CATALOGUE)).read(read)

    def close(self) -> None:
        """Sessions share nothing."""

    def _log_in(self, patience: int) -> "_Line":
        address = self._address
        options = address.options
        try:
            return _Line(
                host=address.host or "localhost",
                port=address.port or 3306,
                user=address.user,
                password=address.password or "",
                database=address.database or "",
                unix_socket=options.get("unix_socket"),
                ssl_ca=options.get("ssl_ca"),
                ssl_cert=options.get("ssl_cert"),
                ssl_key=options.get("ssl_key"),
                charset=options.get("charset", "utf8mb4"),
                cursorclass=SSCursor,
                conv=_CONVERSIONS,
                connect_timeout=patience,
                read_timeout=patience,
                write_timeout=patience,
                local_infile=False,
            )
        except (pymysql.Error, OSError, UnicodeError) as error:
            raise self._unreachable(error) from error

    def _unreachable(self, error: Exception) -> DatabaseUnreachable:
        message = _message(error)
        if self._address.password:
            message = message.replace(self._address.password, "***")
        return DatabaseUnreachable(f"{self._address.shown}: {message}")


def _seconds(address: Address) -> int:
    """How long to wait for the server when logging in."""
    given = address.options.get("connect_timeout", str(_CONNECT_SECONDS))
    if not given.isdecimal() or not 1 <= int(given) <= 3600:
        raise InvalidDatabaseUrl(f"{address.shown}: connect_timeout is a number of seconds.")
    return int(given)


class _Line(_Connection):
    """A connection whose patience counts for logging in only, and that another thread can cut."""

    _sock: socket.socket

    @property
    def version(self) -> str:
        """What the server says that it is."""
        return str(self.get_server_info())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]

    def wait_for_queries(self) -> None:
        """From here on, how long an answer takes is decided by whoever asks."""
        self._read_timeout = self._write_timeout = None

    def sever(self) -> None:
        """Shut down the socket."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)


class MysqlSession:
    """One connection to a MySQL or MariaDB server."""

    def __init__(self, connection: _Line, driver: MysqlDriver) -> None:
        self._connection = connection
        self._driver = driver
        self._thread = cast("int", connection.thread_id())  # pyright: ignore[reportUnknownMemberType]
        self._seconds = 0.0
        self.usable = True

    def read(self, sql: str, rows: int, seconds: float) -> FetchedRows:
        """Run one query; of a result that is longer the rest is never read."""
        if not _QUERY.match(sql):
            raise StatementRefused
        if _WRITES_FILE.search(sql):
            raise WriteRefused(
                "A query that names OUTFILE or DUMPFILE could write a file on the server."
            )
        try:
            with self._connection.cursor() as cursor:
                self._limit(cursor, seconds + _GRACE_SECONDS)
                cursor.execute("START TRANSACTION READ ONLY")
            return self._stream(sql, rows)
        except (pymysql.Error, OSError, UnicodeError, ValueError) as error:
            translated = _translated(error)
            self.usable = self.usable and isinstance(translated, (QueryFailed, QueryRefused))
            raise translated from error
        finally:
            self._roll_back()

    def interrupt(self) -> None:
        """Kill the query over a second connection."""
        self.usable = False  # the KILL may arrive late and hit the next query
        self._driver.kill_query(self._thread)

    def sever(self) -> None:
        """Shut down the socket under the connection."""
        self._connection.sever()

    def close(self) -> None:
        """Log out."""
        with contextlib.suppress(pymysql.Error):
            self._connection.close()

    def _limit(self, cursor: SSCursor, seconds: float) -> None:
        """Have the server stop statements by itself, if we are no longer there to kill them."""
        if self._seconds != seconds:
            # MariaDB counts seconds, MySQL milliseconds.
            is_mariadb = "mariadb" in self._connection.version.lower()
            limit = (
                ("max_statement_time", seconds)
                if is_mariadb
                else ("max_execution_time", int(seconds * 1_000))
            )
            cursor.execute(f"SET SESSION {limit[0]} = %s", (limit[1],))
            self._seconds = seconds

    def _stream(self, sql: str, rows: int) -> FetchedRows:
        cursor = self._connection.cursor()
        try:
            cursor.execute(sql)
            columns = tuple(column[0] for column in cursor.description or ())
            try:
                fetched = fetch_weighed(
                    lambda _: cast("list[RawRow]", list(cursor.fetchmany(1))), rows
                )
            except QueryFailed:
                self.interrupt()  # closing the cursor would read the rest to its end
                raise
            if len(fetched) == rows:
                self.interrupt()
            return FetchedRows(columns, fetched)
        finally:
            with contextlib.suppress(pymysql.Error, OSError):
                cursor.close()

    def _roll_back(self) -> None:
        if self.usable:
            try:
                self._connection.rollback()
            except (pymysql.Error, OSError):
                self.usable = False


def _bit(raw: bytes) -> int:
    return int.from_bytes(raw, "big")


_CONVERSIONS = cast(
    "dict[int | type, Callable[[object], str]]", {**conversions, FIELD_TYPE.BIT: _bit}
)


def _translated(error: Exception) -> DatabaseError | QueryRefused:
    code = error.args[0] if error.args and isinstance(error.args[0], int) else None
    message = _message(error)
    if isinstance(error, OSError) or (isinstance(error, pymysql.Error) and code in _LOST):
        return DatabaseUnreachable(f"The connection was lost: {message}")
    if code in _TIMED_OUT:
        return QueryTimedOut()
    if code == ER.QUERY_INTERRUPTED:
        return QueryCancelled()
    if code in _READ_ONLY:
        return WriteRefused(message)
    return QueryFailed(message)


def _message(error: Exception) -> str:
    return str(error.args[-1]) if error.args else type(error).__name__
