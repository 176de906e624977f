"""What the guard lets through: each read stands in a fixture, and gives the same rows with and without its comments."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from oldhand.sources.databases.guard import check_sql, checked_text

FIXTURES = Path(__file__).parent / "fixtures"
SERVERS = ("postgres", "mysql", "tsql", "snowflake", "bigquery")


def reads(dialect: str) -> list[str]:
    text = (FIXTURES / f"{dialect}_allowed.sql").read_text("utf-8")
    return [block.partition("\n")[2] for block in text.strip().split("\n\n")]


@pytest.fixture(scope="module")
def run_sqlite() -> Callable[[str], list[tuple[object, ...]]]:
    connection = sqlite3.connect(":memory:")
    connection.executescript((FIXTURES / "sqlite_tables.sql").read_text("utf-8"))
    return lambda sql: sorted(connection.execute(sql).fetchall(), key=repr)


@pytest.fixture(scope="module")
def run_duckdb() -> Callable[[str], list[tuple[object, ...]]]:
    connection = duckdb.connect(":memory:")
    connection.execute((FIXTURES / "duckdb_tables.sql").read_text("utf-8"))
    return lambda sql: sorted(connection.sql(sql).fetchall(), key=repr)


@pytest.mark.parametrize("sql", reads("sqlite"))
def test_sqlite_gives_the_same_rows_for_what_the_guard_lets_run(
    sql: str, run_sqlite: Callable[[str], list[tuple[object, ...]]]
) -> None:
    assert run_sqlite(checked_text(sql, "sqlite")) == run_sqlite(sql)


@pytest.mark.parametrize("sql", reads("duckdb"))
def test_duckdb_gives_the_same_rows_for_what_the_guard_lets_run(
    sql: str, run_duckdb: Callable[[str], list[tuple[object, ...]]]
) -> None:
    assert run_duckdb(checked_text(sql, "duckdb")) == run_duckdb(sql)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [(dialect, sql) for dialect in SERVERS for sql in reads(dialect)],
)
def test_a_read_of_a_server_passes(dialect: str, sql: str) -> None:
    assert check_sql(sql, dialect) is not None


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", *SERVERS])
def test_what_may_run_passes_again_unchanged(dialect: str) -> None:
    for sql in reads(dialect):
        once = checked_text(sql, dialect)
        assert checked_text(once, dialect) == once


def test_casts_are_not_rewritten() -> None:
    assert (
        checked_text("SELECT CAST(5 AS DECIMAL) / 2", "sqlite") == "SELECT CAST(5 AS DECIMAL) / 2"
    )
