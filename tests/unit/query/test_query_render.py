"""Neutral queries mean the same in every dialect: they are run on real databases."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

import duckdb
import psycopg
import pytest
from sqlglot import exp, parse_one

from oldhand.lexicon.entries import words
from oldhand.query.compiling.render import needs_quotes, render

SETUP = (
    'CREATE TABLE t (id INTEGER, d DATE, ts TIMESTAMP, a INTEGER, b INTEGER, s VARCHAR(20), "order" INTEGER, "Unit price" INTEGER)',
    "INSERT INTO t VALUES (1, '2024-03-15', '2024-03-15 13:14:15', 7, 2, 'O''Neil', 1, 2), (2, '2023-12-31', '2023-12-31 23:00:00', 5, 0, 'xyz', 3, 4), (3, NULL, NULL, NULL, 1, NULL, NULL, NULL)",
)
DAY = exp.column("d", "t")
EXPRESSIONS: dict[str, tuple[str | exp.Expr, list[object]]] = {
    "year": ("YEAR(t.d)", [2024, 2023, None]),
    "month": ("MONTH(t.d)", [3, 12, None]),
    "day": ("DAY(t.d)", [15, 31, None]),
    "quarter": ("QUARTER(t.d)", [1, 4, None]),
    "hour": ("EXTRACT(HOUR FROM t.ts)", [13, 23, None]),
    "day of the week from Monday = 1": (exp.DayOfWeekIso(this=DAY), [5, 7, None]),
    "day of the week from Sunday = 0": (exp.DayOfWeek(this=DAY), [5, 0, None]),
    "day of the year": (exp.DayOfYear(this=DAY), [75, 365, None]),
    "text of a date": (exp.TimeToStr(this=DAY, format=exp.Literal.string("%Y-%m")), ["2024-03", "2023-12", None]),
    "first of the month": ("CAST(CAST(DATE_TRUNC('MONTH', t.d) AS DATE) AS TEXT)", ["2024-03-01", "2023-12-01", None]),
    "thirty days before": (
        exp.cast(exp.cast(exp.DateSub(this=DAY, expression=exp.Literal.number(30), unit=exp.var("DAY")), "date"), "text"),
        ["2024-02-14", "2023-12-01", None],
    ),
    "an interval later": ("CAST(CAST(t.d + INTERVAL '2' MONTH AS DATE) AS TEXT)", ["2024-05-15", "2024-02-29", None]),
    "days between": (
        exp.DateDiff(this=DAY, expression=exp.cast(exp.Literal.string("2024-01-01"), "date"), unit=exp.var("DAY")),
        [74, -1, None],
    ),
    "division is not cut, and by zero is nothing": ("t.a / t.b", [3.5, None, None]),
    "remainder by zero is nothing": ("t.a % t.b", [1, None, None]),
    "rounding": ("ROUND(t.a / 3, 2)", [2.33, 1.67, None]),
    "length": ("LENGTH(t.s)", [6, 3, None]),
    "texts put together": ("t.s || '-' || t.s", ["O'Neil-O'Neil", "xyz-xyz", None]),
    "letter case does not matter": ("CASE WHEN t.s ILIKE 'o''n%' THEN 1 ELSE 0 END", [1, 0, 0]),
    "a day as text": ("CASE WHEN t.d >= '2024-02-01' THEN 1 ELSE 0 END", [1, 0, 0]),
    "a word of SQL as a name": ('t."order"', [1, 3, None]),
    "a name with a blank": ('t."Unit price"', [2, 4, None]),
}  # fmt: skip

Run = Callable[[str], list[tuple[object, ...]]]


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def dialect_and_run(request: pytest.FixtureRequest):
    if request.param == "sqlite":
        opened = sqlite3.connect(":memory:")
    elif request.param == "duckdb":
        opened = duckdb.connect()
    else:
        opened = psycopg.connect(request.getfixturevalue("postgres_url"))
    with closing(opened) as connection:
        for statement in SETUP:
            connection.execute(statement)
        yield request.param, lambda sql: connection.execute(sql).fetchall()


@pytest.mark.parametrize("case", EXPRESSIONS)
def test_it_means_the_same_everywhere(case: str, dialect_and_run: tuple[str, Run]) -> None:
    dialect, run = dialect_and_run
    wanted, values = EXPRESSIONS[case]
    query = parse_one("SELECT 1 AS v FROM db.main.t AS t ORDER BY t.id")
    query.selects[0].set("this", parse_one(wanted) if isinstance(wanted, str) else wanted.copy())
    found = [row[0] for row in run(render(query, dialect))]
    assert [v if isinstance(v, str | None) else float(v) for v in found] == values  # type: ignore[arg-type]


def test_the_spread_of_values_is_the_sample_s(dialect_and_run: tuple[str, Run]) -> None:
    dialect, run = dialect_and_run
    ((deviation, variance),) = run(
        render(parse_one("SELECT STDDEV(t.a), VARIANCE(t.a) FROM db.main.t AS t"), dialect)
    )
    assert float(deviation) == pytest.approx(1.41421356)  # type: ignore[arg-type]
    assert float(variance) == pytest.approx(2.0)  # type: ignore[arg-type]


def test_every_reserved_word_can_be_a_column() -> None:
    reserved = sorted(words("sql.reserved"))
    columns = ", ".join(f'"{word}" INTEGER DEFAULT 1' for word in reserved)
    with closing(sqlite3.connect(":memory:")) as lite, closing(duckdb.connect()) as duck:
        for connection, dialect in ((lite, "sqlite"), (duck, "duckdb")):
            connection.execute(f"CREATE TABLE words ({columns})")
            connection.execute("INSERT INTO words DEFAULT VALUES")
            for word in reserved:
                query = exp.select(exp.column(word, "w")).from_(
                    exp.alias_(exp.to_table("db.main.words"), "w", table=True)
                )
                assert connection.execute(render(query, dialect)).fetchall() == [(1,)], word


@pytest.mark.parametrize(
    ("dialect", "home", "table"),
    [
        ("sqlite", "main", "orders"),
        ("postgres", "public", "orders"),
        ("postgres", "sales", "orders"),
        ("mysql", "shopdb", "orders"),
        ("duckdb", "main", "orders"),
    ],
)
def test_the_home_schema_is_not_named(dialect: str, home: str, table: str) -> None:
    query = parse_one(f"SELECT o.id FROM db.{home}.orders AS o")
    assert f"FROM {table} AS o" in render(query, dialect, home)


def test_another_schema_is_named() -> None:
    query = parse_one("SELECT o.id FROM db.sales.orders AS o")
    assert "FROM sales.orders AS o" in render(query, "postgres", "public")


def test_names_in_capitals_are_quoted_since_postgres_would_fold_them() -> None:
    assert needs_quotes("CustomerID")
    assert '"CustomerID"' in render(
        parse_one('SELECT t."CustomerID" FROM db.public.t AS t'), "postgres"
    )


def test_the_query_is_not_changed() -> None:
    query = parse_one("SELECT YEAR(t.d) / t.a FROM db.main.t AS t")
    before = query.copy()
    render(query, "sqlite")
    assert query == before
