"""SQL Server, Snowflake and BigQuery without a server: the driver on a DB-API of ours that keeps its rows in SQLite."""

import sqlite3
import sys
import threading
from types import ModuleType, SimpleNamespace

import pytest
from sqlalchemy import create_engine
from tests.patience import PATIENCE

from oldhand.errors import (
    DatabaseUnreachable,
    InvalidDatabaseUrl,
    MissingExtra,
    QueryFailed,
    QueryTimedOut,
    WriteRefused,
)
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases.address import parse_address, shown_url
from oldhand.sources.databases.database import Database
from oldhand.sources.databases.drivers.by_dialect import DialectDriver
from oldhand.sources.databases.drivers.warehouses import KINDS
from oldhand.sources.databases.opening import open_database

URLS = {
    "mssql": "mssql://ana:secret@db:1433/shop",
    "snowflake": "snowflake://ana:secret@account/shop",
    "bigquery": "bigquery://project/main",
}
SETUP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(20));
CREATE UNIQUE INDEX names ON customers (name);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), total NUMERIC);
INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO orders SELECT i, 1, i FROM n;
"""
OURS = ("SET ", "ALTER SESSION", "USE ", "SELECT CURRENT_SESSION", "SELECT SYSTEM$")
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"


class FakeCursor(sqlite3.Cursor):
    """Answers our own settings, keeps what was asked, and runs the rest on SQLite."""

    def execute(self, sql, parameters=(), **job):
        self.connection.asked.append(sql)
        self.connection.jobs.append(job)
        if sql.startswith(OURS):
            if "CANCEL_ALL" in sql:
                self.connection.interrupt()
            return super().execute("SELECT 7")
        return super().execute(sql.replace("%%", "%") if job else sql, parameters)

    def fetchmany(self, size=1):
        self.connection.batches.append(size)
        return super().fetchmany(size)

    def cancel(self):
        self.connection.interrupt()


class FakeConnection(sqlite3.Connection):
    """One that SQLAlchemy takes for SQLite's and the driver for a warehouse's."""

    def __init__(self, path, **options):
        super().__init__(path, check_same_thread=False, **options)
        self.asked, self.batches, self.jobs, self.rollbacks = [], [], [], 0
        self.timeout = 0
        self.kind = "SELECT"
        self._client = SimpleNamespace(query=self.dry, cancel_job=lambda _: self.interrupt())

    def dry(self, sql, job_config):
        assert job_config.settings == {"dry_run": True}
        return SimpleNamespace(statement_type=self.kind)

    def cursor(self, factory=FakeCursor):
        return super().cursor(factory)

    def rollback(self):
        self.rollbacks += 1
        super().rollback()


class Config:
    def __init__(self, **settings):
        self.settings = settings


@pytest.fixture
def google(monkeypatch):
    """As much of Google's packages as the driver names."""
    names = ("google", "google.cloud", "google.cloud.bigquery", "google.api_core", "google.auth")
    for name in (*names, "google.api_core.exceptions", "google.auth.exceptions"):
        module = ModuleType(name)
        module.QueryJobConfig, module.GoogleAPIError, module.GoogleAuthError = (
            Config,
            BrokenPipeError,
            BrokenPipeError,
        )
        monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture(params=list(URLS))
def kind(request, google):
    return request.param


@pytest.fixture
def opened(kind, tmp_path):
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(SETUP)
    made: list[FakeConnection] = []

    def connect():
        made.append(FakeConnection(path))
        return made[-1]

    def engine_of(url, *, poolclass, connect_args):
        return create_engine("sqlite://", creator=connect, poolclass=poolclass)

    driver = DialectDriver(parse_address(URLS[kind]), KINDS[kind], engine_of)
    driver.own_functions = None
    with Database("shop", driver) as database:
        yield database, made, driver


async def test_rows_come_in_batches_and_are_cut(opened):
    database, made, _ = opened
    found = await database.execute("SELECT id FROM orders ORDER BY id", rows=20, seconds=PATIENCE)
    assert [row[0] for row in found.values] == list(range(1, 21))
    assert found.truncated
    assert made[-1].batches == [16, 5]


async def test_each_statement_is_rolled_back_on_a_limited_session(opened, kind):
    database, made, _ = opened
    await database.execute("SELECT name FROM customers WHERE name LIKE '%d%'", rows=5, seconds=5)
    (session,) = made[-1:]
    assert session.rollbacks >= 1
    said = " ".join(session.asked)
    limits = {
        "mssql": ("LOCK_TIMEOUT", "QUOTED_IDENTIFIER ON"),
        "snowflake": (
            "STATEMENT_TIMEOUT_IN_SECONDS = 7",
            "QUERY_TAG = 'oldhand'",
            "SECONDARY ROLES NONE",
        ),
        "bigquery": ("LIKE '%%d%%'",),
    }
    assert all(limit in said for limit in limits[kind])
    if kind == "mssql":
        assert session.timeout == 7
    if kind == "bigquery":
        assert session.jobs[-1]["job_config"].settings["job_timeout_ms"] == 7000


async def test_what_takes_too_long_is_cancelled(opened):
    database, _, _ = opened
    with pytest.raises(QueryTimedOut, match=r"stopped after 0\.3 seconds"):
        database.fetch(ENDLESS, rows=5, seconds=0.3)
    assert (await database.execute("SELECT 1", rows=5, seconds=PATIENCE)).values == ((1,),)


def test_closing_ends_what_runs(opened):
    database, _, _ = opened
    ended = threading.Event()

    def read():
        with pytest.raises(Exception, match="closed"):
            database.fetch(ENDLESS, rows=5, seconds=600)
        ended.set()

    thread = threading.Thread(target=read)
    thread.start()
    while not database._runs:
        pass
    database.close()
    assert ended.wait(PATIENCE)
    thread.join()


def test_tables_columns_and_keys_are_found(opened):
    driver = opened[2]
    tables = {table.name: table for table in driver.catalogue(lambda _: [])}
    assert [column.name for column in tables["orders"].columns] == ["id", "customer_id", "total"]
    assert tables["orders"].primary_key == ("id",)
    assert tables["orders"].foreign_keys[0].table == "customers"
    assert "name" in tables["customers"].unique
    assert not tables["orders"].columns[1].nullable


async def test_a_broken_statement_is_named_and_the_session_kept(opened):
    database, made, _ = opened
    with pytest.raises(QueryFailed, match="no such column"):
        await database.execute("SELECT missing FROM orders", rows=5, seconds=PATIENCE)
    before = len(made)
    await database.execute("SELECT 1", rows=5, seconds=PATIENCE)
    assert len(made) == before


async def test_bigquery_refuses_what_it_takes_for_another_statement(opened, kind):
    database, made, _ = opened
    if kind != "bigquery":
        pytest.skip("asked of BigQuery only")
    database.reach()
    made[-1].kind = "CREATE_TABLE_AS_SELECT"
    with pytest.raises(WriteRefused, match="CREATE_TABLE_AS_SELECT"):
        await database.execute("SELECT 1", rows=5, seconds=PATIENCE)


def test_a_login_that_fails_does_not_show_the_password(kind):
    def connect():
        raise sqlite3.OperationalError("login of ana with secret failed")

    def engine_of(url, *, poolclass, connect_args):
        return create_engine("sqlite://", creator=connect, poolclass=poolclass)

    url = URLS[kind] if kind != "bigquery" else "bigquery://ana:secret@project/main"
    driver = DialectDriver(parse_address(url), KINDS[kind], engine_of)
    with pytest.raises(DatabaseUnreachable) as caught:
        driver.connect()
    assert "secret" not in str(caught.value)
    assert "***" in str(caught.value)


@pytest.mark.parametrize("kind", list(URLS))
def test_a_missing_extra_names_its_command(kind, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyodbc", None)
    monkeypatch.setitem(sys.modules, "google.api_core.exceptions", None)
    monkeypatch.setitem(sys.modules, "snowflake.sqlalchemy", None)
    with pytest.raises((MissingExtra, DatabaseUnreachable)) as caught:
        open_database(DatabaseEntry(name="shop", url=URLS[kind]))
    assert f"pip install 'oldhand[{kind}]'" in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "bigquery://project/main?destination=a.b",
        "mssql://db/shop?odbc_connect=x",
        "snowflake://account/shop?session_parameters=x",
    ],
)
def test_options_that_could_steer_the_client_are_refused(url, google):
    address = parse_address(url)
    with pytest.raises(InvalidDatabaseUrl, match="unknown option"):
        DialectDriver(address, KINDS[address.kind])


def test_secrets_among_the_options_are_hidden():
    url = "snowflake://ana:pw@account/shop?private_key_file_pwd=k3y&role=reader&token=t0k"
    assert (
        shown_url(url)
        == "snowflake://ana:***@account/shop?private_key_file_pwd=***&role=reader&token=***"
    )
