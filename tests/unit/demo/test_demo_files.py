import sqlite3
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

import duckdb
import psycopg
import pytest
import sqlalchemy as sa

from oldhand.demo.company import Company, make_company
from oldhand.demo.home import places, write_company
from oldhand.demo.objects import Thing
from oldhand.sources.databases.embedded import embedded_url, live_url


@pytest.fixture(scope="module")
def company() -> Company:
    return make_company(11)


def values(things: tuple[Thing, ...]) -> list[tuple[object, ...]]:
    return [tuple(thing) for thing in things]


def as_sqlite(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat(" ")
    return value.isoformat() if isinstance(value, date) else value


def test_three_databases_of_different_kinds_hold_just_what_the_company_knows(
    company: Company, tmp_path: Path, cluster: Path
) -> None:
    shop, warehouse, support = write_company(company, tmp_path, embedded_url(cluster, "demo_files"))

    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        for name, things in company.databases["shop"].items():
            found = connection.execute(str(sa.select(sa.text("*")).select_from(sa.table(name))))
            assert found.fetchall() == [tuple(map(as_sqlite, it)) for it in values(things)]
    with duckdb.connect(tmp_path / "warehouse.duckdb", read_only=True) as connection:
        for name, things in company.databases["warehouse"].items():
            found = connection.table(name).fetchall()
            assert [tuple(map(float_of, it)) for it in found] == [
                tuple(map(float_of, it)) for it in values(things)
            ]
    engine = sa.create_engine(live_url(support.url))
    with engine.connect() as connection:
        for name, things in company.databases["support"].items():
            found = connection.execute(sa.select(sa.text("*")).select_from(sa.table(name)))
            assert [tuple(it) for it in found] == values(things)
    engine.dispose()
    assert [it.kind for it in (shop, warehouse, support)] == ["SQLite", "DuckDB", "Postgres"]
    assert shop.rows + warehouse.rows + support.rows == company.row_count


def float_of(value: object) -> object:
    return float(value) if not isinstance(value, str | date | bool | None) else value  # type: ignore[arg-type]


def test_postgres_refuses_to_average_the_cost_of_tickets(
    company: Company, tmp_path: Path, cluster: Path
) -> None:
    url = embedded_url(cluster, "demo_text")
    write_company(company, tmp_path, url)
    engine = sa.create_engine(live_url(url))
    cost, tickets = sa.column("cost"), sa.table("tickets")
    with engine.connect() as connection, pytest.raises(sa.exc.ProgrammingError) as refused:
        connection.execute(sa.select(sa.func.avg(cost)).select_from(tickets))
    engine.dispose()
    assert isinstance(refused.value.orig, psycopg.errors.UndefinedFunction)


def test_writing_again_replaces_what_was_there(tmp_path: Path, cluster: Path) -> None:
    url = embedded_url(cluster, "demo_again")
    write_company(make_company(1), tmp_path, url)
    second = make_company(2)
    write_company(second, tmp_path, url)
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        (number,) = connection.execute("SELECT COUNT(*) FROM customers").fetchone()
    assert number == len(second.customers)


def test_without_postgres_a_second_sqlite_file_holds_the_support_database(
    company: Company, tmp_path: Path
) -> None:
    written = write_company(company, tmp_path, None)
    assert [it.kind for it in written] == ["SQLite", "DuckDB", "SQLite"]
    with closing(sqlite3.connect(tmp_path / "support.db")) as connection:
        (number,) = connection.execute("SELECT COUNT(*) FROM tickets").fetchone()
    assert number == len(company.tickets)
    assert written == places(company, tmp_path, None)
