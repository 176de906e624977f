"""What every kind of database promises, tried on a real one of each kind."""

import asyncio
import contextlib
import gc
import resource
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from oldhand.errors import (
    DatabaseUnreachable,
    QueryCancelled,
    QueryFailed,
    QueryRefused,
    QueryTimedOut,
    WriteRefused,
)
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import ForeignKey, Kind
from oldhand.sources.databases.address import KINDS
from oldhand.sources.databases.opening import open_database

SHOPS = ("sqlite", "postgres", "mysql", "duckdb")
ENDLESS = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
    "postgres": "SELECT count(*) FROM generate_series(1, 200000) AS a (i), generate_series(1, 200000) AS b (i) "
    "WHERE a.i % 7 > b.i + 9",
    "mysql": "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) "
    "SELECT count(*) FROM n a, n b, n c, n d WHERE a.i * b.i + c.i = d.i * 10007",
    "duckdb": "SELECT count(*) FROM range(3000000000) a, range(1000) b WHERE a.range % 7 = b.range + 9",
}
MILLIONS = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000) "
    "SELECT i, 'some text ' || i FROM n",
    "postgres": "SELECT i, 'some text ' || i FROM generate_series(1, 10000000) AS a (i)",
    "mysql": "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) "
    "SELECT a.i, concat('some text ', b.i) FROM n a, n b, n c",
    "duckdb": "SELECT i, 'some text ' || i FROM range(10000000) AS a (i)",
}
WRITES = (
    "INSERT INTO customers (id, name) VALUES (99, 'Eve')",
    "UPDATE customers SET name = 'Eve'",
    "DELETE FROM shipments",
    "DROP TABLE shipments",
    "CREATE TABLE loot (i INTEGER)",
    "ALTER TABLE customers ADD COLUMN loot INTEGER",
    "SELECT 1; DELETE FROM shipments",
    "SELECT 1; COMMIT; DELETE FROM shipments",
    "COMMIT; DELETE FROM shipments",
    "CREATE INDEX loot ON customers (name)",
)
WRITES_OF = {
    "sqlite": (
        "PRAGMA query_only = OFF",
        "PRAGMA user_version = 7",
        "PRAGMA writable_schema = ON",
        "PRAGMA journal_mode = DELETE",
        "UPDATE sqlite_master SET sql = ''",
        "ATTACH DATABASE ':memory:' AS other",
        "CREATE TEMP TABLE loot (i INTEGER)",
        "VACUUM INTO 'loot.db'",
        "REINDEX",
    ),
    "postgres": (
        "SET transaction_read_only = off",
        "SET TRANSACTION READ WRITE",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "SELECT set_config('transaction_read_only', 'off', true)",
        "WITH gone AS (DELETE FROM shipments RETURNING *) SELECT * FROM gone",
        "SELECT set_config('default_transaction_read_only', 'off', false)",
        "SELECT lo_from_bytea(0, 'loot')",
        "SELECT writing()",
        "SELECT query_to_xml('DELETE FROM shipments', true, true, '')",
        "SELECT 1; ROLLBACK; SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
        "DO $$ BEGIN COMMIT; DELETE FROM shipments; END $$",
        "COPY shipments FROM PROGRAM 'echo 1'",
        "SELECT * INTO loot FROM customers",
        "SELECT nextval('tickets')",
        "TRUNCATE shipments",
    ),
    "mysql": (
        "SET SESSION TRANSACTION READ WRITE",
        "SET @@session.tx_read_only = 0",
        "START TRANSACTION READ WRITE",
        "BEGIN NOT ATOMIC COMMIT; START TRANSACTION READ WRITE; DELETE FROM shipments; COMMIT; END",
        "/*!50000 BEGIN NOT ATOMIC COMMIT; START TRANSACTION READ WRITE; DELETE FROM shipments; COMMIT; END */",
        "/* SELECT */ CALL writing()",
        "CALL writing()",
        "SELECT * FROM notes FOR UPDATE",
        "DELETE FROM notes",
        "SELECT writing_function()",
        "SET GLOBAL max_connections = 99",
        "TRUNCATE TABLE notes",
        "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE notes",
    ),
    "duckdb": (
        "SET lock_configuration = false",
        "SET enable_external_access = true",
        "ATTACH 'loot.db'",
        "COPY customers TO 'loot.csv'",
        "EXPORT DATABASE 'loot'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "CREATE TEMP TABLE loot (i INTEGER)",
        "CHECKPOINT",
    ),
}
TRAPS: dict[str, tuple[str, ...]] = {
    "sqlite": (),
    "duckdb": (),
    "postgres": (
        "CREATE SEQUENCE tickets",
        "CREATE FUNCTION writing() RETURNS int LANGUAGE plpgsql AS $$ BEGIN "
        "PERFORM set_config('transaction_read_only', 'off', false); DELETE FROM shipments; RETURN 1; END $$",
    ),
    "mysql": (
        "CREATE TABLE notes (t VARCHAR(50)) ENGINE = MyISAM",
        "INSERT INTO notes VALUES ('keep me')",
        "CREATE PROCEDURE writing() BEGIN COMMIT; START TRANSACTION READ WRITE; DELETE FROM shipments; COMMIT; END",
        "CREATE FUNCTION writing_function() RETURNS INT BEGIN DELETE FROM notes; RETURN 1; END",
    ),
}


def test_the_suite_runs_over_every_kind_that_can_be_opened():
    # `pgserver` is a Postgres, `files` end in DuckDB; warehouses run on no server of ours.
    kinds = set(KINDS.values()) - {"pgserver", "files", "mssql", "snowflake", "bigquery"}
    assert kinds == set(SHOPS) == set(ENDLESS) == set(MILLIONS) == set(WRITES_OF)


@pytest.fixture(params=SHOPS)
def shop(request):
    """The shop, once for each kind of database."""
    return request.getfixturevalue(f"{request.param}_shop")


def test_rows_come_as_plain_cells(shop):
    result = shop.database.fetch("SELECT * FROM customers ORDER BY id", rows=10, seconds=60)
    assert result.columns[:3] == ("id", "name", "email")
    assert result.rows[0][:5] == (1, "Ada", "ada@example.org", "1990-12-10", 12.5)
    assert result.rows[0][5] in (True, 1)
    assert result.rows[0][6] == "2024-01-31 10:20:30"
    assert result.rows[1][2:5] == (None, None, 7.0)
    assert result.rows[2][1] == "Chloé"
    assert not result.truncated


async def test_a_checked_query_runs(shop):
    result = await shop.database.execute(
        "SELECT name FROM customers WHERE name = 'Ada' -- only her", rows=10, seconds=60
    )
    assert result.rows == (("Ada",),)


async def test_the_guard_stands_before_a_query(shop):
    with pytest.raises(WriteRefused):
        await shop.database.execute("DELETE FROM customers", rows=10, seconds=60)


def test_even_past_the_guard_nothing_is_written(shop):
    for statement in TRAPS[shop.kind]:
        shop.write(statement)
    before = shop.contents()
    for statement in (*WRITES, *WRITES_OF[shop.kind]):
        with contextlib.suppress(QueryFailed, QueryRefused):
            shop.database.fetch(statement, rows=10, seconds=60)
        assert shop.contents() == before, statement
        # Nothing sticks to the connection: the next one is refused as well.
        with pytest.raises((QueryFailed, QueryRefused)):
            shop.database.fetch("DELETE FROM shipments", rows=10, seconds=60)
    assert shop.contents() == before
    assert shop.database.fetch("SELECT count(*) FROM shipments", rows=1, seconds=60).rows == ((1,),)


def test_the_row_limit_cuts_and_says_so(shop):
    result = shop.database.fetch("SELECT id FROM customers ORDER BY id", rows=2, seconds=60)
    assert result.rows == ((1,), (2,))
    assert result.truncated
    assert not shop.database.fetch("SELECT id FROM customers", rows=3, seconds=60).truncated


def test_ten_million_rows_take_no_memory_and_no_time(shop):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = shop.database.fetch(MILLIONS[shop.kind], rows=1000, seconds=60)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert len(result.rows) == 1000
    assert result.truncated
    assert grown < 60_000  # KiB
    assert shop.database.fetch("SELECT count(*) FROM customers", rows=1, seconds=60).rows == ((3,),)


def test_a_query_that_runs_too_long_is_stopped(shop):
    with pytest.raises(QueryTimedOut, match=r"0\.3 seconds"):
        shop.database.fetch(ENDLESS[shop.kind], rows=10, seconds=0.3)
    assert shop.database.fetch("SELECT 1", rows=1, seconds=60).rows == ((1,),)
    assert not still_running(shop)


async def test_cancelling_the_task_stops_the_query_in_the_database(shop):
    task = asyncio.create_task(shop.database.execute(ENDLESS[shop.kind], rows=10, seconds=600))
    await until(lambda: bool(shop.database._runs) and started(shop))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not shop.database._runs
    assert not still_running(shop)


async def test_cancelling_leaves_no_complaint_of_asyncio(shop):
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, said: complaints.append(said))

    async def ask_and_cancel() -> None:
        task = asyncio.create_task(shop.database.execute(ENDLESS[shop.kind], rows=10, seconds=600))
        await until(lambda: bool(shop.database._runs) and started(shop))
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    await ask_and_cancel()
    for _ in range(10):
        await asyncio.sleep(0)
    gc.collect()  # futures complain when they are thrown away
    await asyncio.sleep(0)
    assert complaints == []


async def test_cancelling_at_once_leaves_nothing_running(shop):
    task = asyncio.create_task(shop.database.execute(ENDLESS[shop.kind], rows=10, seconds=600))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not still_running(shop)


async def test_many_tasks_may_ask_at_once(shop):
    results = await asyncio.gather(
        *(
            shop.database.execute(
                f"SELECT name, {n} FROM customers WHERE id = 1", rows=5, seconds=60
            )
            for n in range(40)
        )
    )
    assert [result.rows for result in results] == [(("Ada", n),) for n in range(40)]


def test_many_threads_may_ask_at_once(shop):
    def ask(number: int) -> object:
        return shop.database.fetch(f"SELECT {number}", rows=1, seconds=60).rows[0][0]

    with ThreadPoolExecutor(12) as threads:
        assert list(threads.map(ask, range(60))) == list(range(60))


def test_closing_stops_what_runs(shop):
    failed: list[Exception] = []

    def ask() -> None:
        try:
            shop.database.fetch(ENDLESS[shop.kind], rows=1, seconds=600)
        except QueryCancelled as error:
            failed.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while not shop.database._runs:
        thread.join(0.01)
    shop.database.close()
    thread.join()
    assert len(failed) == 1
    with pytest.raises(DatabaseUnreachable, match="closed"):
        shop.database.fetch("SELECT 1", rows=1, seconds=60)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT nothing FROM customers",
        "SELECT * FROM nowhere",
        "SELEKT 1",
        "SELECT '",
        "",
        "SELECT 1 \0",
    ],
)
def test_what_the_database_rejects_is_a_named_error(shop, sql):
    with pytest.raises((QueryFailed, QueryRefused)) as caught:
        shop.database.fetch(sql, rows=1, seconds=60)
    assert str(caught.value)
    assert shop.database.fetch("SELECT 1", rows=1, seconds=60).rows == ((1,),)


def test_introspection_finds_tables_columns_and_keys(shop):
    schema = shop.database.introspect()
    assert schema.dialect == shop.kind
    assert {table.name for table in schema.tables} == {
        "customers", "order_lines", "shipments", "active_customers",
    }  # fmt: skip
    customers = schema.table("customers")
    assert customers is not None
    columns = {column.name: column for column in customers.columns}
    assert customers.primary_key == ("id",)
    assert customers.row_count == 3
    assert columns["email"].unique
    assert not columns["name"].unique
    assert not columns["name"].nullable
    assert columns["born"].nullable
    assert not columns["id"].nullable
    assert "Ada" in columns["name"].samples
    assert columns["password_hash"].samples == ()
    kinds = {name: column.kind for name, column in columns.items()}
    assert kinds == {
        "id": Kind.INTEGER,
        "name": Kind.TEXT,
        "email": Kind.TEXT,
        "born": Kind.DATE,
        "balance": Kind.NUMBER,
        "active": Kind.BOOLEAN,
        "created": Kind.DATETIME,
        "password_hash": Kind.TEXT,
    }
    if shop.kind != "sqlite":
        assert (customers.description, columns["born"].description) == ("Who buys", "Birthday")


def test_introspection_finds_single_and_composite_foreign_keys(shop):
    schema = shop.database.introspect()
    lines, shipments = schema.table("order_lines"), schema.table("shipments")
    assert lines is not None
    assert shipments is not None
    assert lines.primary_key == ("order_id", "line")
    assert lines.foreign_keys == (
        ForeignKey(
            columns=("customer_id",),
            database="shop",
            schema_name=lines.schema_name,
            table="customers",
            target_columns=("id",),
        ),
    )
    assert shipments.foreign_keys[0].columns == ("order_id", "line")
    assert shipments.foreign_keys[0].target_columns == ("order_id", "line")


def test_distinct_values_are_read_up_to_the_limit(shop):
    values = set(shop.database.distinct_values("customers", "name", limit=10))
    assert values == {"Ada", "Björn", "Chloé"}
    assert len(list(shop.database.distinct_values("customers", "name", limit=2))) == 2
    assert set(shop.database.distinct_values("customers", "email", limit=9)) == {
        "ada@example.org",
        "chloe@example.org",
    }


def test_the_url_is_not_shown_by_errors_or_repr(shop):
    assert "root" not in repr(shop.database)
    assert repr(shop.database) == f"Database('shop', dialect={shop.kind!r})"


def test_a_second_database_may_be_opened_on_the_same_url(shop):
    with open_database(DatabaseEntry(name="again", url=shop.url)) as again:
        assert again.fetch("SELECT count(*) FROM customers", rows=1, seconds=60).rows == ((3,),)
    assert shop.database.fetch("SELECT count(*) FROM customers", rows=1, seconds=60).rows == ((3,),)


async def until(condition) -> None:
    while not condition():
        await asyncio.to_thread(threading.Event().wait, 0.01)


def started(shop) -> bool:
    return shop.kind in ("sqlite", "duckdb") or still_running(shop)


def still_running(shop) -> bool:
    """Whether a server still works on the endless query, as it says itself."""
    watch = {
        "postgres": "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'oldhand'"
        " AND state = 'active' AND pid <> pg_backend_pid() AND datname = current_database()",
        "mysql": "SELECT count(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE '%10007%' AND ID <> connection_id()",
    }
    if shop.kind not in watch:
        return bool(shop.database._runs)
    with open_database(DatabaseEntry(name="watcher", url=shop.url)) as watcher:
        return watcher.fetch(watch[shop.kind], rows=1, seconds=60).rows != ((0,),)
