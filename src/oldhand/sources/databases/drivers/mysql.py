"""MySQL and MariaDB through pymysql: each query runs in a read-only transaction, unbuffered.

A read-only transaction alone could be ended from within: MariaDB runs whole blocks (`BEGIN NOT ATOMIC … END`) as one
statement, and a stored procedure may commit. So a statement must also begin like a query: in MySQL's grammar what
begins with SELECT can only read, apart from `INTO OUTFILE`, which is refused by its name.
"""

import contextlib
import re
import socket
from typing import Any, ClassVar, cast

from pymysql.constants import CR, ER, FIELD_TYPE
from pymysql.converters import conversions
from pymysql.cursors import SSCursor
from sqlalchemy import URL, Engine
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlglot import exp

from oldhand.errors import (
    DatabaseUnreachable,
    InvalidDatabaseUrl,
    QueryCancelled,
    QueryFailed,
    QueryTimedOut,
    StatementRefused,
    WriteRefused,
)
from oldhand.sources.databases.address import Address
from oldhand.sources.databases.catalogue import Catalogue
from oldhand.sources.databases.drivers.by_dialect import DialectKind, DialectSession, Errors
from oldhand.sources.databases.session import FoundTable, Read
from oldhand.sources.workers.reading import Fetch, FetchedRows, RawRow, fetch_weighed

_CONNECT_SECONDS = 10
_KILL_SECONDS = 2
_LOST = (CR.CR_SERVER_GONE_ERROR, CR.CR_SERVER_LOST, CR.CR_CONN_HOST_ERROR, ER.SERVER_SHUTDOWN, 0)
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


class MysqlSession(DialectSession):
    """One connection to a MySQL or MariaDB server."""

    codes: ClassVar = {
        **dict.fromkeys(map(str, _LOST), DatabaseUnreachable),
        **dict.fromkeys(("3024", "1969"), QueryTimedOut),  # of MySQL, and of MariaDB
        **dict.fromkeys(("1792", "1290", "1836"), WriteRefused),
        str(ER.QUERY_INTERRUPTED): QueryCancelled,
    }

    @classmethod
    def errors(cls) -> Errors:
        """Of texts that are none, and of values that Python has no room for."""
        return (ValueError,)

    def begin(self) -> None:
        """Only reads, and its strings are as the guard reads them: in double quotes, too, with a backslash as escape."""
        self._line = cast("Any", self._connection)
        self.tell(
            "SET SESSION TRANSACTION READ ONLY",
            "SET SESSION sql_mode = REPLACE(REPLACE(REPLACE(@@sql_mode, 'ANSI_QUOTES', ''), "
            "'NO_BACKSLASH_ESCAPES', ''), 'ANSI', '')",
        )
        # From here on, how long an answer takes is decided by whoever asks.
        self._line._read_timeout = self._line._write_timeout = None

    def read(self, sql: str, rows: int, seconds: float) -> FetchedRows:
        """Run one query; of a result that is longer the rest is never read."""
        if not _QUERY.match(sql):
            raise StatementRefused
        if _WRITES_FILE.search(sql):
            raise WriteRefused(
                "A query that names OUTFILE or DUMPFILE could write a file on the server."
            )
        return super().read(sql, rows, seconds)

    def limit(self, seconds: int) -> None:
        """The server stops by itself then; MariaDB counts seconds, MySQL milliseconds."""
        is_mariadb = "mariadb" in self._line.get_server_info().lower()
        limit = (
            f"max_statement_time = {seconds}"
            if is_mariadb
            else f"max_execution_time = {seconds}000"
        )
        self.tell(f"SET SESSION {limit}")

    def execute(self, cursor: DBAPICursor, sql: str) -> None:
        """In a transaction of its own, which is rolled back."""
        self.tell("START TRANSACTION READ ONLY")
        cursor.execute(sql)

    def fetched(self, fetch: Fetch, rows: int) -> list[RawRow]:
        """One after the other; what is left is stopped, for closing the cursor would read it to its end."""
        try:
            found = fetch_weighed(lambda _: fetch(1), rows)
        except QueryFailed:
            self.interrupt()
            raise
        if len(found) == rows:
            self.interrupt()
        return found

    def cancel(self, _: DBAPICursor) -> None:
        """Kill the query over a second connection; a KILL that comes late hits nothing, for this one is not used again."""
        other = _log_in(self._driver.engine, _KILL_SECONDS)
        with contextlib.closing(other), contextlib.closing(other.cursor()) as cursor:
            cursor.execute(f"KILL QUERY {self._line.thread_id()}")

    def sever(self) -> None:
        """Shut down the socket under the connection."""
        with contextlib.suppress(OSError):
            self._line._sock.shutdown(socket.SHUT_RDWR)


def _log_in(engine: Engine, most: int = 3600) -> DBAPIConnection:
    """Connect without asking anything; its patience counts until the session has begun."""
    parts, named = engine.dialect.create_connect_args(engine.url)
    patience = min(most, named["connect_timeout"])
    waits = dict.fromkeys(("connect_timeout", "read_timeout", "write_timeout"), patience)
    own = {"cursorclass": SSCursor, "conv": _CONVERSIONS, "local_infile": False}
    return engine.dialect.connect(*parts, **{**named, **waits, **own})


def _url(address: Address) -> URL:
    given = address.options.get("connect_timeout", str(_CONNECT_SECONDS))
    if not given.isdecimal() or not 1 <= int(given) <= 3600:
        raise InvalidDatabaseUrl(f"{address.shown}: connect_timeout is a number of seconds.")
    return URL.create(
        "mysql+pymysql",
        address.user,
        address.password,
        address.host or "localhost",
        address.port or 3306,
        address.database or None,
        {"charset": "utf8mb4", **address.options, "connect_timeout": given},
    )


def _catalogue(address: Address, read: Read) -> list[FoundTable]:
    """Tables and views of the URL's database; of all but the system's when it names none."""
    schema = exp.column("TABLE_SCHEMA")
    wanted = schema.eq(address.database) if address.database else schema.isin(*_SYSTEM).not_()

    def limited(query: str) -> str:
        tree = cast("exp.Expr", exp.maybe_parse(query, dialect="mysql"))
        for part in list(tree.find_all(exp.Select)):
            part.where(wanted, copy=False)
        return tree.sql("mysql")

    return Catalogue(*map(limited, _CATALOGUE)).read(read)


def _bit(raw: bytes) -> int:
    return int.from_bytes(raw, "big")


_CONVERSIONS = {**conversions, FIELD_TYPE.BIT: _bit}

MYSQL = DialectKind(
    title="MySQL (pymysql)",
    extra="mysql",
    dialect="mysql",
    options=frozenset(
        {
            "unix_socket",
            "ssl_ca",
            "ssl_cert",
            "ssl_key",
            "ssl_check_hostname",
            "charset",
            "connect_timeout",
        }
    ),
    url=_url,
    session=MysqlSession,
    arguments={},
    schema=lambda address: address.database,
    own_functions="SELECT DISTINCT ROUTINE_NAME FROM information_schema.ROUTINES "
    "WHERE ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_SCHEMA <> 'sys'",
    log_in=_log_in,
    catalogue=_catalogue,
)
