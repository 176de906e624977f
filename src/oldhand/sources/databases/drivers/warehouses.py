"""What SQL Server, Snowflake and BigQuery do in their own ways: logging in, limits, and how statements are stopped.

None has a read-only transaction, so each does what it can beside the guard. SQL Server is told that we only read, and every
statement is rolled back; Snowflake's session keeps to the login's own role and commits nothing; BigQuery is asked what kind
of statement it sees before it runs.
"""

from importlib import import_module
from typing import ClassVar, Protocol, cast
from uuid import uuid4

from sqlalchemy import URL
from sqlalchemy.engine.interfaces import DBAPICursor

from oldhand.errors import InvalidDatabaseUrl, QueryTimedOut, WriteRefused
from oldhand.sources.databases.address import Address
from oldhand.sources.databases.drivers.by_dialect import (
    DialectKind,
    DialectSession,
    Errors,
)

_LOGIN_SECONDS = 10
_LOCK_SECONDS = 10
_BYTES_BILLED = 100_000_000_000
"""What one statement on BigQuery may read unless the URL says otherwise."""


class SqlServerSession(DialectSession):
    """Microsoft SQL Server through pyodbc."""

    codes: ClassVar = {"HYT00": QueryTimedOut}

    def begin(self) -> None:
        """Locks are waited for briefly; double quotes hold names, as the guard reads them."""
        self.tell(
            f"SET LOCK_TIMEOUT {_LOCK_SECONDS * 1000}",
            "SET QUOTED_IDENTIFIER ON",
            "SET XACT_ABORT ON",
        )

    def limit(self, seconds: int) -> None:
        """The client asks the server to stop then."""
        self._connection.timeout = seconds  # pyright: ignore[reportAttributeAccessIssue]

    def cancel(self, cursor: DBAPICursor) -> None:
        """ODBC lets another thread do this."""
        cursor.cancel()


class SnowflakeSession(DialectSession):
    """Snowflake through its connector."""

    codes: ClassVar = {"630": QueryTimedOut}

    def begin(self) -> None:
        """One statement at a time, of the one role, marked as ours, and over when we are gone."""
        self._session = self.tell(
            "ALTER SESSION SET QUERY_TAG = 'oldhand', ABORT_DETACHED_QUERY = TRUE, AUTOCOMMIT = FALSE, "
            f"MULTI_STATEMENT_COUNT = 1, LOCK_TIMEOUT = {_LOCK_SECONDS}",
            "USE SECONDARY ROLES NONE",
            "SELECT CURRENT_SESSION()",
        )

    def limit(self, seconds: int) -> None:
        """The server stops then."""
        self.tell(f"ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = {seconds}")

    def cancel(self, _: DBAPICursor) -> None:
        """A login may cancel what its own sessions run."""
        self.tell(f"SELECT SYSTEM$CANCEL_ALL_QUERIES({int(str(self._session))})")


class _Job(Protocol):
    statement_type: str | None


class _Client(Protocol):
    def query(self, query: str, job_config: object) -> _Job: ...
    def cancel_job(self, job_id: str) -> object: ...


class _Connection(Protocol):
    _client: _Client


class _JobCursor(Protocol):
    def execute(self, operation: str, *, job_id: str, job_config: object) -> object: ...


class BigQuerySession(DialectSession):
    """BigQuery through Google's client: each statement is a job."""

    _job = ""
    _limit = 0

    @classmethod
    def errors(cls) -> Errors:
        """The client's own."""
        api, auth = (
            import_module("google.api_core.exceptions"),
            import_module("google.auth.exceptions"),
        )
        return (api.GoogleAPIError, auth.GoogleAuthError)

    def begin(self) -> None:
        """A session is nothing but a client."""
        self._client = cast("_Connection", self._connection)._client  # pyright: ignore[reportPrivateUsage]

    def limit(self, seconds: int) -> None:
        """The server stops the job then."""
        self._limit = seconds

    def execute(self, cursor: DBAPICursor, sql: str) -> None:
        """Ask what kind of statement it is, which costs nothing, and run a SELECT.

        Raises:
            WriteRefused: BigQuery takes it for another statement.
        """
        config_of = import_module("google.cloud.bigquery").QueryJobConfig
        kind = self._client.query(sql, job_config=config_of(dry_run=True)).statement_type
        if kind != "SELECT":
            raise WriteRefused(f"BigQuery takes this for {kind}. Only a SELECT may run.")
        self._job = f"oldhand_{uuid4().hex}"
        config = config_of(job_timeout_ms=self._limit * 1000, labels={"source": "oldhand"})
        # The client makes one % of two.
        cast("_JobCursor", cursor).execute(
            sql.replace("%", "%%"), job_id=self._job, job_config=config
        )

    def cancel(self, _: DBAPICursor) -> None:
        """Cancel the job."""
        if self._job:
            self._client.cancel_job(self._job)


def _sql_server_url(address: Address) -> URL:
    fixed = {"driver": "ODBC Driver 18 for SQL Server", "ApplicationIntent": "ReadOnly"}
    return _url("mssql+pyodbc", address, fixed | dict(address.options))


def _snowflake_url(address: Address) -> URL:
    if not address.database:
        raise InvalidDatabaseUrl(
            f"{address.shown} names no database: write snowflake://user@account/database."
        )
    return _url("snowflake", address, dict(address.options))


def _bigquery_url(address: Address) -> URL:
    limit = {"maximum_bytes_billed": str(_BYTES_BILLED)}
    return _url("bigquery", address, limit | dict(address.options))


def _url(scheme: str, address: Address, options: dict[str, str]) -> URL:
    return URL.create(
        scheme,
        address.user,
        address.password,
        address.host,
        address.port,
        address.database or None,
        options,
    )


KINDS = {
    "mssql": DialectKind(
        title="SQL Server (pyodbc)",
        extra="mssql",
        dialect="tsql",
        options=frozenset(
            {"driver", "Encrypt", "TrustServerCertificate", "Authentication", "MultiSubnetFailover"}
        ),
        url=_sql_server_url,
        session=SqlServerSession,
        arguments={"timeout": _LOGIN_SECONDS, "readonly": True},
        schema=lambda _: "",
        own_functions="SELECT name FROM sys.objects WHERE type IN ('FN', 'FS', 'FT', 'IF', 'TF', 'AF')",
    ),
    "snowflake": DialectKind(
        title="Snowflake (snowflake-sqlalchemy)",
        extra="snowflake",
        dialect="snowflake",
        options=frozenset(
            {
                "warehouse",
                "role",
                "authenticator",
                "token",
                "private_key_file",
                "private_key_file_pwd",
            }
        ),
        url=_snowflake_url,
        session=SnowflakeSession,
        arguments={"login_timeout": _LOGIN_SECONDS},
        schema=lambda address: address.database.partition("/")[2],
        own_functions="SELECT DISTINCT FUNCTION_NAME FROM INFORMATION_SCHEMA.FUNCTIONS",
    ),
    "bigquery": DialectKind(
        title="BigQuery (sqlalchemy-bigquery)",
        extra="bigquery",
        dialect="bigquery",
        options=frozenset(
            {"location", "credentials_path", "credentials_base64", "maximum_bytes_billed"}
        ),
        url=_bigquery_url,
        session=BigQuerySession,
        arguments={},
        schema=lambda address: address.database,
    ),
}
"""By the kind of an address."""
