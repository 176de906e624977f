"""Postgres through psycopg: each query is a server-side cursor in a read-only transaction.

Three things keep it from writing. The statement stands behind `DECLARE … CURSOR FOR`, where the grammar admits nothing
but queries; it is sent by the extended protocol, which takes one statement only; and the transaction is read-only with
its snapshot already taken, after which Postgres does not let `transaction_read_only` be switched off.
"""

import contextlib
import os
import socket
from collections.abc import Sequence
from typing import cast

import psycopg
from psycopg import errors, postgres
from psycopg.conninfo import make_conninfo
from psycopg.types.string import TextLoader

from oldhand.errors import (
    DatabaseError,
    DatabaseUnreachable,
    InvalidDatabaseUrl,
    QueryCancelled,
    QueryFailed,
    QueryRefused,
    QueryTimedOut,
    WriteRefused,
)
from oldhand.sources.databases.address import Address
from oldhand.sources.databases.catalogue import Catalogue
from oldhand.sources.workers.reading import (
    MAX_MEGABYTES,
    FetchedRows,
    RawRow,
    fetch_weighed,
    too_wide,
)

_CANCEL_SECONDS = 2.0
_DEFAULTS: dict[str, str | int] = {
    "connect_timeout": 10,
    "application_name": "oldhand",
    "client_encoding": "utf8",
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}
_SEAL = (
    b"SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY; SET cursor_tuple_fraction = 1.0; "
    # The guard reads a backslash in a string as itself.
    b"SET standard_conforming_strings = on"
)
_BEGIN = b"BEGIN TRANSACTION READ ONLY; SELECT set_config('statement_timeout', '%d', true)"
"""The first query fixes the snapshot, and with it that the transaction only reads."""
_GRACE_SECONDS = 1
"""So much later the server stops a statement by itself, if we are no longer there to cancel it."""
_MAX_BYTES = MAX_MEGABYTES * 1_000_000
_SHORT = """
bool int2 int4 int8 float4 float8 numeric date time timetz timestamp timestamptz interval uuid oid name money inet cidr
"""
_NARROW = frozenset(postgres.types[name].oid for name in _SHORT.split())
"""Types whose values are short: a result of nothing else needs no weighing."""
_CAST = {postgres.types["bytea"].oid: "bytea"}
_AS_TEXT = ("json", "jsonb", "interval")
_CALENDAR = ("date", "timestamp", "timestamptz", "time", "timetz")
CATALOGUE = Catalogue(
    tables="""
SELECT n.nspname, c.relname, obj_description(c.oid, 'pg_class'),
       CASE WHEN c.relkind IN ('r', 'm', 'p') AND c.reltuples >= 0 THEN c.reltuples::bigint END
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND NOT c.relispartition
  AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
  AND n.nspname NOT LIKE 'pg\\_temp\\_%'
  AND has_schema_privilege(n.oid, 'USAGE')
  AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT'))
  AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d
                  WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY n.nspname = 'public' DESC, n.nspname, c.oid
""",
    columns="""
SELECT n.nspname, c.relname, a.attname, s.declared, NOT a.attnotnull, col_description(a.attrelid, a.attnum),
       CASE WHEN b.typtype = 'e' THEN 'text'
            WHEN b.typtype = 'b' AND s.declared <> s.base AND strpos(s.declared, '(') = 0 THEN s.base END
FROM pg_catalog.pg_attribute AS a
JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema')
JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
JOIN pg_catalog.pg_type AS b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
CROSS JOIN LATERAL (SELECT format_type(a.atttypid, a.atttypmod), format_type(b.oid, NULL)) AS s (declared, base)
WHERE a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attrelid, a.attnum
""",
    keys="""
SELECT n.nspname, c.relname, k.contype::text, k.oid::bigint, a.attname, tn.nspname, t.relname, f.attname, p.place
FROM pg_catalog.pg_constraint AS k
JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema')
CROSS JOIN LATERAL unnest(k.conkey, coalesce(k.confkey, k.conkey)) WITH ORDINALITY AS p (here, there, place)
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = p.here
LEFT JOIN pg_catalog.pg_class AS t ON t.oid = k.confrelid
LEFT JOIN pg_catalog.pg_namespace AS tn ON tn.oid = t.relnamespace
LEFT JOIN pg_catalog.pg_attribute AS f ON f.attrelid = k.confrelid AND f.attnum = p.there
WHERE k.contype IN ('p', 'f')
UNION ALL
SELECT n.nspname, c.relname, 'u', i.indexrelid::bigint, a.attname, NULL, NULL, NULL, 1
FROM pg_catalog.pg_index AS i
JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
WHERE i.indisunique AND i.indnkeyatts = 1 AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indrelid >= 16384
ORDER BY 1, 2, 4, 9
""",
)
"""Of all schemas but the system's, what may be read, `public` first; partitions only by their parent."""


class PostgresDriver:
    """A database of a Postgres server."""

    dialect = "postgres"
    sessions = 4
    catalogue = CATALOGUE.read
    own_functions = """
SELECT DISTINCT p.proname FROM pg_catalog.pg_proc AS p
JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema')
WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d
                  WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
"""

    def __init__(self, address: Address) -> None:
        self._shown = address.shown
        self._password = address.password
        self._conninfo = _conninfo(address)

    def connect(self) -> "PostgresSession":
        """Log in and make the session read-only.

        Raises:
            DatabaseUnreachable: the server does not answer, or does not let us in.
        """
        try:
            connection = psycopg.connect(self._conninfo, autocommit=True, prepare_threshold=None)
            connection.execute(_SEAL)
        except (psycopg.Error, UnicodeError) as error:
            message = _one_line(error)
            if self._password:
                message = message.replace(self._password, "***")
            raise DatabaseUnreachable(f"{self._shown}: {message}") from error
        return PostgresSession(connection)

    def close(self) -> None:
        """Sessions share nothing."""


class PostgresSession:
    """One connection to a Postgres server."""

    def __init__(self, connection: "psycopg.Connection[RawRow]") -> None:
        self._connection = connection
        self._interrupted = False

    @property
    def usable(self) -> bool:
        """False after an interrupt: the cancel request may arrive late and hit the next query."""
        return not self._interrupted and not self._connection.closed

    def read(self, sql: str, rows: int, seconds: float) -> FetchedRows:
        """Run one query; dates that Python does not know, such as `infinity`, come as text."""
        try:
            try:
                return self._read(sql.encode(), rows, seconds, _AS_TEXT)
            except psycopg.DataError as error:
                if error.sqlstate is not None:
                    raise
            return self._read(sql.encode(), rows, seconds, _AS_TEXT + _CALENDAR)
        except (psycopg.Error, UnicodeError) as error:
            raise self._translated(error) from error

    def interrupt(self) -> None:
        """Ask the server, over a second connection, to cancel the query."""
        self._interrupted = True
        try:
            self._connection.cancel_safe(timeout=_CANCEL_SECONDS)
        except psycopg.Error:
            return  # the server is gone, and the query with it

    def sever(self) -> None:
        """Shut down the socket under the connection."""
        with (
            contextlib.suppress(psycopg.Error, OSError),
            socket.socket(fileno=os.dup(self._connection.fileno())) as line,
        ):
            line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Log out."""
        self._connection.close()

    def _read(self, sql: bytes, rows: int, seconds: float, as_text: tuple[str, ...]) -> FetchedRows:
        limit = int((seconds + _GRACE_SECONDS) * 1_000)
        try:
            self._connection.execute(_BEGIN % limit)
            with self._connection.cursor(name="oldhand") as cursor:
                for name in as_text:
                    cursor.adapters.register_loader(name, TextLoader)
                cursor.execute(sql)
                described = cursor.description or ()
                columns = tuple(column.name for column in described)
                types = [column.type_code for column in described]
                if _NARROW.issuperset(types):
                    return FetchedRows(columns, fetch_weighed(cursor.fetchmany, rows))
                cursor.execute(_weighed(sql, types))
                found = fetch_weighed(lambda size: _light(cursor.fetchmany(size)), rows)
                return FetchedRows(columns, found)
        finally:
            if not self._connection.closed:
                self._connection.execute(b"ROLLBACK")

    def _translated(self, error: Exception) -> DatabaseError | QueryRefused:
        if self._connection.closed:
            return DatabaseUnreachable(f"The connection was lost: {_one_line(error)}")
        match error:
            case errors.ReadOnlySqlTransaction():
                return WriteRefused(_one_line(error))
            case errors.QueryCanceled():
                return QueryCancelled() if self._interrupted else QueryTimedOut()
            case _:
                return QueryFailed(_one_line(error))


def _weighed(sql: bytes, types: list[int]) -> bytes:
    """The same query, its last column the bytes of all long values so far; past the limit the server sends none of them."""
    names = [f"c{place}" for place in range(len(types))]
    long = [name for name, type_ in zip(names, types, strict=True) if type_ not in _NARROW]
    weight = " + ".join(
        f"coalesce(octet_length({name}::{_CAST.get(types[int(name[1:])], 'text')}), 0)"
        for name in long
    )
    shown = [
        f"CASE WHEN w <= {_MAX_BYTES} THEN {name} END" if name in long else name for name in names
    ]
    weighed = f"SELECT q.*, sum({weight}) OVER (ROWS UNBOUNDED PRECEDING) AS w FROM (\n"  # noqa: S608 - our own names
    before = f"SELECT {', '.join(shown)}, w FROM ({weighed}"  # noqa: S608
    return before.encode() + sql.rstrip(b"; \n") + f"\n) AS q ({', '.join(names)})) AS r".encode()


def _light(rows: Sequence[RawRow]) -> Sequence[RawRow]:
    if rows and cast("int", rows[-1][-1]) > _MAX_BYTES:
        raise too_wide(len(rows))
    return [row[:-1] for row in rows]


def _conninfo(address: Address) -> str:
    given = {
        "host": address.host,
        "port": address.port,
        "user": address.user,
        "password": address.password,
        "dbname": address.database,
    }
    chosen = {name: value for name, value in given.items() if value}
    try:
        return make_conninfo("", **{**_DEFAULTS, **address.options, **chosen})
    except psycopg.ProgrammingError as error:
        raise InvalidDatabaseUrl(f"{address.shown}: {_one_line(error)}") from error


def _one_line(error: Exception) -> str:
    if not isinstance(error, psycopg.Error) or not error.diag.message_primary:
        return " ".join(str(error).split())
    parts = [error.diag.message_primary, error.diag.message_detail, error.diag.message_hint]
    return " ".join(part for part in parts if part)
