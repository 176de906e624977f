"""Queries of the form as SQL that runs: right where text holds numbers, and in the words of each dialect."""

import sqlite3
from contextlib import closing

import pytest

from oldhand.query.compiling.compile import compile_query, ready
from oldhand.query.compiling.numbers import notes_on_numbers
from oldhand.query.form import (
    Aggregate,
    ColumnRef,
    Comparison,
    Count,
    Expression,
    Order,
    Predicate,
    Query,
    Relation,
    Rows,
)
from oldhand.query.lifting import lift
from oldhand.query.opaque import Opaque
from oldhand.record.schema import Column as KnownColumn
from oldhand.record.schema import DatabaseSchema, Kind, Table

OFFERS = Relation("shop", "main", "offers")
ID, PRICE, RATE = ColumnRef(OFFERS, "id"), ColumnRef(OFFERS, "price"), ColumnRef(OFFERS, "rate")
PRICES = ("$1,200", "$7.50", None)
RATES = ("7.25", "12.5", "100")


def shop(dialect: str) -> DatabaseSchema:
    columns = (
        KnownColumn(name="id", type="INTEGER", kind=Kind.INTEGER),
        KnownColumn(name="price", type="TEXT", kind=Kind.TEXT, samples=PRICES),
        KnownColumn(name="rate", type="TEXT", kind=Kind.TEXT, samples=RATES),
    )
    table = Table(name="offers", schema_name="main", columns=columns)
    return DatabaseSchema(name="shop", dialect=dialect, tables=(table,))


def query(select: Expression, *where: Predicate) -> Query:
    return Query(Rows((OFFERS,)), (select,), where)


def sql(asked: Query, dialect: str) -> str:
    schema = shop(dialect)
    return " ".join(compile_query(ready(asked, schema), (schema,), dialect).split())


def rows(asked: Query) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE offers (id INTEGER, price TEXT, rate TEXT)")
        offers = zip((1, 2, 3), PRICES, RATES, strict=True)
        connection.executemany("INSERT INTO offers VALUES (?, ?, ?)", offers)
        return connection.execute(sql(asked, "sqlite")).fetchall()


NUMBERS: list[tuple[Query, list[tuple[object, ...]]]] = [
    (query(Aggregate("avg", PRICE)), [(603.75,)]),
    (query(Aggregate("sum", PRICE, distinct=True)), [(1207.5,)]),
    (query(ID, Comparison(RATE, ">", (10,))), [(2,), (3,)]),
    (query(ID, Comparison(RATE, "not between", (7, 13))), [(3,)]),
    (query(ID, Comparison(RATE, "within", (7.25, 12.5))), [(1,)]),
    (query(ID, Comparison(ID, "<", RATE)), [(1,), (2,), (3,)]),
    (query(ID, Comparison(PRICE, ">", query(Aggregate("avg", PRICE)))), [(1,)]),
]


@pytest.mark.parametrize(("asked", "found"), NUMBERS)
def test_text_that_holds_numbers_is_taken_for_numbers_where_sqlite_would_be_wrong(
    asked: Query, found: list[tuple[object, ...]]
) -> None:
    assert rows(asked) == found
    converted = ready(asked, shop("sqlite"))
    assert isinstance(converted, Query)
    assert notes_on_numbers(converted)


def test_text_is_compared_with_text_as_it_stands() -> None:
    asked = query(ID, Comparison(RATE, ">", ("10",)))
    assert ready(asked, shop("sqlite")) == asked


def test_mysql_takes_numbers_out_of_text_in_its_own_words() -> None:
    assert sql(query(Aggregate("sum", PRICE)), "mysql") == (
        "SELECT SUM( CAST(NULLIF(REGEXP_SUBSTR(REPLACE(t1.price, ',', ''), '-?[0-9]+([.][0-9]+)?'), '')"
        " AS DECIMAL(30, 6)) ) FROM offers AS t1"
    )


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
def test_where_the_database_complains_itself_nothing_is_converted(dialect: str) -> None:
    assert sql(query(Aggregate("sum", PRICE)), dialect) == "SELECT SUM(t1.price) FROM offers AS t1"


@pytest.mark.parametrize(
    ("dialect", "order"),
    [
        ("sqlite", "t1.rate DESC"),
        ("mysql", "t1.rate DESC, t1.id"),
        ("postgres", "t1.rate DESC NULLS LAST, t1.id"),
        ("duckdb", "t1.rate DESC, t1.id"),
    ],
)
def test_rows_that_tie_are_sorted_where_the_database_would_not_keep_them(
    dialect: str, order: str
) -> None:
    best = Query(Rows((OFFERS,)), (ID,), order=(Order(RATE, descending=True),), limit=2)
    assert sql(best, dialect) == f"SELECT t1.id FROM offers AS t1 ORDER BY {order} LIMIT 2"


def test_none_of_no_values_is_met() -> None:
    assert rows(query(Count(), Comparison(ID, "in", ()))) == [(0,)]


def test_what_the_form_cannot_hold_runs_as_it_stands() -> None:
    window = "SELECT ROW_NUMBER() OVER (ORDER BY o.id) FROM offers AS o"
    asked = lift(window, shop("sqlite"))
    assert isinstance(asked, Opaque)
    assert asked.database == "shop"
    assert ready(asked, shop("sqlite")) == asked
    assert compile_query(asked, (), "sqlite") == window


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "mysql", "duckdb"])
def test_a_cut_in_each_group_says_where_rows_without_a_value_come(dialect: str) -> None:
    order = (Order(PRICE, descending=True, nulls="first"),)
    first = Query(Rows((OFFERS,)), (ID, RATE), order=order, limit=1, each=(RATE,))
    sql = compile_query(first, (shop(dialect),), dialect)
    assert lift(sql, shop(dialect)) == first
