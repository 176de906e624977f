"""Statements that real databases reject are repaired until they run, and then bring the right rows."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import psycopg
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from oldhand.agent.analyst.repair.repairing import repaired
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table

REJECTIONS: dict[str, dict[str, dict[str, str]]] = yaml.safe_load(
    (Path(__file__).parent / "rejections.yaml").read_text("utf-8")
)
SETUP = (
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(50), city VARCHAR(50), joined VARCHAR(20), credit VARCHAR(20))",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id VARCHAR(20), amount INTEGER, price VARCHAR(20), placed DATE, name VARCHAR(20))",
    "INSERT INTO customers VALUES (1, 'Ann', 'Berlin', '2024-01-02', '$1,200'), (2, 'Bob', 'Hamburg', '2023-05-06', '300')",
    "INSERT INTO orders VALUES (1, '1', 10, '12.50', '2024-01-02', 'a'), (2, '2', 0, '7.25', '2023-03-04', 'b')",
)
ATTEMPTS = 5


def shop(dialect: str) -> DatabaseSchema:
    place = {"postgres": "public", "mysql": "shopm"}.get(dialect, "main")

    def column(name: str, kind: Kind, *samples: str) -> Column:
        return Column(name=name, type="", kind=kind, samples=samples, primary_key=name == "id")

    customers = (
        column("id", Kind.INTEGER),
        column("name", Kind.TEXT, "Ann", "Bob"),
        column("city", Kind.TEXT, "Berlin", "Hamburg"),
        column("joined", Kind.TEXT, "2024-01-02"),
        column("credit", Kind.TEXT, "$1,200", "300"),
    )
    orders = (
        column("id", Kind.INTEGER),
        column("customer_id", Kind.TEXT, "1", "2"),
        column("amount", Kind.INTEGER),
        column("price", Kind.TEXT, "12.50", "7.25"),
        column("placed", Kind.DATE),
        column("name", Kind.TEXT),
    )
    key = ForeignKey(
        columns=("customer_id",),
        database="shop",
        schema_name=place,
        table="customers",
        target_columns=("id",),
    )
    return DatabaseSchema(
        name="shop",
        dialect=dialect,
        tables=(
            Table(name="customers", schema_name=place, columns=customers),
            Table(name="orders", schema_name=place, columns=orders, foreign_keys=(key,)),
        ),
    )


@dataclass(frozen=True)
class Place:
    dialect: str
    run: Callable[[str], list[tuple[object, ...]]]
    error: type[Exception]


@contextmanager
def in_sqlite() -> Iterator[Place]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in SETUP:
            connection.execute(statement)
        yield Place("sqlite", lambda sql: connection.execute(sql).fetchall(), sqlite3.Error)


@contextmanager
def in_duckdb() -> Iterator[Place]:
    with closing(duckdb.connect()) as connection:
        for statement in SETUP:
            connection.execute(statement)
        yield Place("duckdb", lambda sql: connection.execute(sql).fetchall(), duckdb.Error)


@contextmanager
def in_postgres(url: str) -> Iterator[Place]:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in SETUP:
            connection.execute(statement)  # type: ignore[arg-type]
        yield Place("postgres", lambda sql: connection.execute(sql).fetchall(), psycopg.Error)  # type: ignore[arg-type]


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    if request.param == "postgres":
        with in_postgres(request.getfixturevalue("postgres_url")) as opened:
            yield opened
    else:
        with in_sqlite() if request.param == "sqlite" else in_duckdb() as opened:
            yield opened


def rows_after_repair(place: Place, sql: str) -> list[tuple[object, ...]] | None:
    """The rows of the first statement that runs; None when repair gave up."""
    tried: list[str] = []
    for _ in range(ATTEMPTS):
        try:
            return place.run(sql)
        except place.error as error:
            again = repaired(sql, str(error), shop(place.dialect), tried[-1:])
        assert again is None or again.sql not in {sql, *tried}
        tried.append(sql)
        if again is None:
            return None
        sql = again.sql
    return None


def plain(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Rows with numbers as floats, in an order."""
    made = [
        tuple(float(c) if hasattr(c, "real") or hasattr(c, "quantize") else c for c in r)
        for r in rows
    ]  # type: ignore[arg-type]
    return sorted(made, key=str)


RIGHT_ROWS = {
    "SELECT c.nme FROM customers AS c": [("Ann",), ("Bob",)],
    "SELECT nme FROM customers": [("Ann",), ("Bob",)],
    "SELECT custmer.name FROM customers AS customer": [("Ann",), ("Bob",)],
    "SELECT city FROM custmers": [("Berlin",), ("Hamburg",)],
    "SELECT c.name FROM client AS c WHERE c.credit = '300' AND c.joined > '2'": [("Bob",)],
    "SELECT c.amount FROM customers AS c": [(0.0,), (10.0,)],
    "SELECT c.amount FROM customers AS c JOIN orders AS o ON o.customer_id = c.id": [(0.0,), (10.0,)],
    "SELECT x.city FROM customers AS c": [("Berlin",), ("Hamburg",)],
    "SELECT orders.amount FROM customers AS c": [(0.0,), (10.0,)],
    "SELECT orders.amount FROM orders AS o": [(0.0,), (10.0,)],
    'SELECT c."Name" FROM customers AS c': [("Ann",), ("Bob",)],
    "SELECT city FROM customers AS c JOIN orders AS o ON c.id = o.id WHERE name = 'Ann'": [("Berlin",)],
    "SELECT AVG(o.price) FROM orders AS o": [(9.875,)],
    "SELECT o.price * 2 FROM orders AS o": [(14.5,), (25.0,)],
    "SELECT c.name FROM customers AS c JOIN orders AS o ON c.id = o.customer_id WHERE o.amount = 10": [("Ann",)],
    "SELECT c.name FROM customers AS c WHERE c.id IN (SELECT o.customer_id FROM orders AS o)": [("Ann",), ("Bob",)],
    "SELECT EXTRACT(YEAR FROM c.joined) FROM customers AS c": [(2023.0,), (2024.0,)],
    "SELECT YEAR(o.placed) FROM orders AS o": [(2023.0,), (2024.0,)],
    "SELECT STRFTIME('%Y', o.placed) FROM orders AS o": [("2023",), ("2024",)],
    "SELECT IFNULL(o.amount, 0) FROM orders AS o": [(0.0,), (10.0,)],
    "SELECT GROUP_CONCAT(c.name) FROM customers AS c WHERE c.id = 1": [("Ann",)],
    "SELECT ROUND(CAST(o.amount AS REAL), 2) FROM orders AS o": [(0.0,), (10.0,)],
    "SELECT o.id FROM orders AS o WHERE o.placed LIKE '2024%'": [(1.0,)],
    "SELECT o.id FROM orders AS o WHERE o.amount LIKE '1%'": [(1.0,)],
    "SELECT c.city, COUNT(*) FROM customers AS c GROUP BY c.city ORDER BY c.name": [("Berlin", 1.0), ("Hamburg", 1.0)],
    "SELECT c.name, c.city, COUNT(*) FROM customers AS c GROUP BY c.city": [("Ann", "Berlin", 1.0), ("Bob", "Hamburg", 1.0)],
    "SELECT DISTINCT c.city FROM customers AS c ORDER BY c.name": [("Berlin",), ("Hamburg",)],
    "SELECT c.city FROM customers AS c WHERE COUNT(*) > 0 AND c.id = 1 GROUP BY c.city": [("Berlin",)],
    "SELECT MAX(COUNT(*)) FROM customers AS c GROUP BY c.city": [(1.0,)],
    "SELECT c.city AS town FROM customers AS c WHERE town = 'Berlin'": [("Berlin",)],
    "SELECT c.city, COUNT(*) AS n FROM customers AS c GROUP BY c.city HAVING n > 0": [("Berlin", 1.0), ("Hamburg", 1.0)],
    "SELECT 10 % o.amount FROM orders AS o": [(0.0,), (None,)],
    "SELECT UPPER(o.amount) FROM orders AS o": [("0",), ("10",)],
    "SELECT id FROM customers WHERE name = \"Ann\"": [(1.0,)],
    "SELECT id FROM customers UNION SELECT id FROM orders ORDER BY customers.id": [(1.0,), (2.0,)],
}  # fmt: skip
"""Only loud databases reject each of them; the rows are right wherever it runs at last."""


@pytest.mark.parametrize("sql", RIGHT_ROWS, ids=range(len(RIGHT_ROWS)))
def test_the_repaired_statement_brings_the_right_rows(sql: str, place: Place) -> None:
    rows = rows_after_repair(place, sql)
    assert rows is not None
    assert plain(rows) == sorted(RIGHT_ROWS[sql], key=str)


LOUD = {
    "SELECT SUM(c.credit) FROM customers AS c": [(1500.0,)],
    "SELECT o.id FROM orders AS o WHERE o.placed > 2023 AND o.placed < 2025": [(1.0,)],
    "SELECT c.id FROM customers AS c WHERE c.joined > CAST('2024-01-01' AS DATE)": [(1.0,)],
    "SELECT o.id FROM orders AS o WHERE o.price > 10": [(1.0,)],
    "SELECT CAST(c.credit AS DECIMAL(10, 2)) FROM customers AS c": [(1200.0,), (300.0,)],
    "SELECT c.name + c.city FROM customers AS c": [("AnnBerlin",), ("BobHamburg",)],
}
"""SQLite takes these as they are, and is wrong; there they are repaired before they run."""


@pytest.mark.parametrize("sql", LOUD)
def test_text_that_holds_numbers_is_cleaned_where_the_database_complains(
    sql: str, place: Place
) -> None:
    if place.dialect == "sqlite":
        pytest.skip("SQLite does not complain")
    rows = rows_after_repair(place, sql)
    assert rows is not None
    assert plain(rows) == sorted(LOUD[sql], key=str)


HOPELESS = (
    "SELECT FOOBAR(c.name) FROM customers AS c",
    "SELECT FROM WHERE customers",
    "SELECT * FROM zebras AS z WHERE z.stripes > 3",
    "SELECT id FROM customers UNION SELECT id, name FROM orders",
)


@pytest.mark.parametrize("sql", HOPELESS)
def test_it_gives_up_where_no_rule_helps(sql: str, place: Place) -> None:
    assert rows_after_repair(place, sql) is None


MARIADB = {
    "limit_sub": "SELECT * FROM customers WHERE id IN ( SELECT * FROM ( SELECT id FROM orders LIMIT 1 ) AS few )",
    "group_by": "SELECT c.name, c.city, COUNT(*) FROM customers AS c GROUP BY c.city, c.name",
    "no_group_by": "SELECT c.name, COUNT(*) FROM customers AS c GROUP BY c.name",
    "agg_in_where": "SELECT c.city FROM customers AS c GROUP BY c.city HAVING COUNT(*) > 1",
    "where_alias": "SELECT c.city AS town FROM customers AS c WHERE ( c.city ) = 'Berlin'",
    "strftime_fn": "SELECT DATE_FORMAT(o.placed, '%Y') FROM orders AS o",
    "round_fn": "SELECT ROUND(CAST(o.amount AS FLOAT), 2) FROM orders AS o",
    "union_order": "SELECT id FROM customers UNION SELECT id FROM orders ORDER BY id",
    "unknown_table": "SELECT * FROM customers AS custmers",
    "ambiguous": "SELECT c.name FROM customers AS c JOIN orders AS o ON c.id = o.id",
}
"""What MariaDB ran in place of what it had rejected, when these were collected."""


@pytest.mark.parametrize("case", MARIADB)
def test_what_mariadb_rejected_is_repaired(case: str) -> None:
    said = REJECTIONS["mysql"][case]
    again = repaired(said["sql"], said["error"], shop("mysql"))
    assert again is not None
    assert " ".join(again.sql.split()) == MARIADB[case]


def test_a_statement_that_failed_is_not_tried_again() -> None:
    error = "no such column: c.nme"
    first = repaired("SELECT c.nme FROM customers AS c", error, shop("sqlite"))
    assert first is not None
    again = repaired("SELECT c.nme FROM customers AS c", error, shop("sqlite"), [first.sql])
    assert again is None or again.sql != first.sql


def test_a_note_says_what_was_changed() -> None:
    again = repaired("SELECT c.nme FROM customers AS c", "no such column: c.nme", shop("sqlite"))
    assert again is not None
    assert again.note == "There is no column nme; name was taken instead."


def test_a_slow_listing_fetches_fewer_rows_but_a_slow_count_is_given_up() -> None:
    slow = "shop: stopped after 30 seconds."
    listing = repaired("SELECT name FROM customers", slow, shop("sqlite"))
    assert listing is not None
    assert listing.sql.endswith("LIMIT 1000")
    assert repaired("SELECT COUNT(*) FROM customers", slow, shop("sqlite")) is None


def test_numbers_with_a_decimal_comma_are_read_as_such(postgres_url: str) -> None:
    prices = Column(name="price", type="TEXT", kind=Kind.TEXT, samples=("1.200,50 €", "7,25 €"))
    table = Table(name="offers", schema_name="public", columns=(prices,))
    schema = DatabaseSchema(name="shop", dialect="postgres", tables=(table,))
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE offers (price TEXT)")
        connection.execute("INSERT INTO offers VALUES ('1.200,50 €'), ('7,25 €'), ('n/a'), (NULL)")
        connection.commit()
        sql = "SELECT SUM(o.price) FROM offers AS o"
        with pytest.raises(psycopg.Error) as rejected:
            connection.execute(sql)
        connection.rollback()
        again = repaired(sql, str(rejected.value), schema)
        assert again is not None
        assert connection.execute(again.sql).fetchone() == (pytest.approx(1207.75),)  # type: ignore[arg-type]


@given(error=st.text(max_size=200), sql=st.text(max_size=80))
def test_no_error_text_and_no_statement_makes_it_fail(error: str, sql: str) -> None:
    repaired(sql, error, shop("sqlite"))
