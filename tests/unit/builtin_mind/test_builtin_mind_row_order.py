"""The same question shows the same rows in the same order."""

import pytest
from sqlglot import exp, parse_one

from oldhand.agent.analyst.rendering.row_order import as_asked, in_order
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table

DIALECTS = ["sqlite", "postgres", "mysql", "duckdb"]
UNSTEADY = ["postgres", "mysql", "duckdb"]
MOST = "SELECT s.name FROM stores AS s GROUP BY s.id, s.name ORDER BY COUNT(*) DESC"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_groups_without_an_order_are_sorted_by_their_key(dialect) -> None:
    query = parse_one("SELECT c.city, COUNT(*) FROM customers AS c GROUP BY c.city")
    assert in_order(query, dialect).sql(dialect).endswith("GROUP BY c.city ORDER BY c.city")


def test_sqlite_keeps_rows_that_tie_in_the_order_of_the_table() -> None:
    for sql in (
        "SELECT c.city FROM customers AS c GROUP BY c.city ORDER BY COUNT(*) DESC LIMIT 1",
        "SELECT c.city FROM customers AS c",
    ):
        assert in_order(parse_one(sql), "sqlite") == parse_one(sql)


@pytest.mark.parametrize("dialect", UNSTEADY)
@pytest.mark.parametrize(
    ("sql", "ties"),
    [
        (f"{MOST} LIMIT 3", "s.name"),
        (MOST.replace("s.name FROM", "s.name, AVG(s.age) FROM"), "s.name, s.id"),
        ("SELECT DISTINCT s.name, s.age FROM stores AS s ORDER BY s.age DESC", "s.name"),
    ],
)
def test_rows_that_tie_come_in_the_order_of_what_is_shown(sql, ties, dialect) -> None:
    query = parse_one(sql)
    written = in_order(query, dialect)
    assert ", ".join(o.this.sql() for o in written.args["order"].expressions[1:]) == ties
    assert as_asked(written, dialect) == query


@pytest.mark.parametrize("dialect", UNSTEADY)
def test_a_nested_query_that_is_cut_off_is_steady_too(dialect) -> None:
    oldest = "SELECT s.id FROM stores AS s ORDER BY s.age LIMIT 2"
    query = parse_one(f"SELECT COUNT(*) FROM sales AS x WHERE x.store IN ({oldest})")
    nested = in_order(query, dialect).find(exp.Order)
    assert nested is not None
    assert [term.this.sql() for term in nested.expressions] == ["s.age", "s.id"]


def test_rows_of_several_databases_are_always_sorted() -> None:
    query = parse_one("SELECT a.name, b.city FROM step_1 AS a JOIN step_2 AS b ON a.id = b.id")
    ordered = in_order(query, "duckdb", joined=True).sql("duckdb")
    assert ordered.endswith("ORDER BY a.name, b.city")
    assert in_order(query, "duckdb") == query
    both = parse_one("SELECT a.name FROM step_1 AS a INTERSECT SELECT b.name FROM step_2 AS b")
    assert in_order(both, "duckdb", joined=True).sql("duckdb").endswith("ORDER BY 1")


def test_one_row_needs_no_order() -> None:
    query = parse_one("SELECT COUNT(*), MAX(a.age) FROM step_1 AS a")
    assert in_order(query, "duckdb", joined=True) == query


def test_a_column_that_cannot_be_sorted_by_breaks_no_tie() -> None:
    columns = (
        Column(name="age", type="INT", kind=Kind.INTEGER),
        Column(name="details", type="JSON", kind=Kind.JSON),
    )
    table = Table(name="people", schema_name="public", columns=columns)
    schema = DatabaseSchema(name="hr", dialect="postgres", tables=(table,))
    query = parse_one("SELECT p.details FROM hr.public.people AS p ORDER BY p.age LIMIT 1")
    assert in_order(query, "postgres", (schema,)) == query
