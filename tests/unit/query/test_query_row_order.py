"""The same question shows the same rows in the same order."""

import pytest
from sqlglot import exp, parse_one

from oldhand.agent.analyst.conversation.ran import as_asked
from oldhand.query.compiling.compile import in_order
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Query
from oldhand.query.lifting import lift_tree
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table

DIALECTS = ["sqlite", "postgres", "mysql", "duckdb"]
UNSTEADY = ["postgres", "mysql", "duckdb"]
MOST = "SELECT s.name FROM stores AS s GROUP BY s.id, s.name ORDER BY COUNT(*) DESC"


def form(sql: str, *schemas: DatabaseSchema) -> Query:
    tree = parse_one(sql)
    assert isinstance(tree, exp.Query)
    found = lift_tree(tree, schemas)
    assert found is not None
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_groups_without_an_order_are_sorted_by_their_key(dialect: str) -> None:
    query = form("SELECT c.city, COUNT(*) FROM customers AS c GROUP BY c.city")
    written = to_tree(in_order(query, dialect)).sql(dialect)
    assert written.endswith("GROUP BY t1.city ORDER BY t1.city")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT c.city FROM customers AS c GROUP BY c.city ORDER BY COUNT(*) DESC LIMIT 1",
        "SELECT c.city FROM customers AS c",
    ],
)
def test_sqlite_keeps_rows_that_tie_in_the_order_of_the_table(sql: str) -> None:
    assert in_order(form(sql), "sqlite") == form(sql)


@pytest.mark.parametrize("dialect", UNSTEADY)
@pytest.mark.parametrize(
    ("sql", "ties"),
    [
        (f"{MOST} LIMIT 3", "t1.name"),
        (MOST.replace("s.name FROM", "s.name, AVG(s.age) FROM"), "t1.name, t1.id"),
        ("SELECT DISTINCT s.name, s.age FROM stores AS s ORDER BY s.age DESC", "t1.name"),
    ],
)
def test_rows_that_tie_come_in_the_order_of_what_is_shown(
    sql: str, ties: str, dialect: str
) -> None:
    query = form(sql)
    ordered = in_order(query, dialect)
    written = to_tree(ordered).args["order"].expressions
    assert ", ".join(one.this.sql() for one in written[1:]) == ties
    assert as_asked(ordered, dialect) == query


@pytest.mark.parametrize("dialect", UNSTEADY)
def test_rows_of_the_same_place_in_their_group_come_in_the_order_of_what_is_shown(
    dialect: str,
) -> None:
    query = form("SELECT s.name, s.city FROM stores AS s ORDER BY s.age DESC LIMIT 1")
    city = query.select[1]
    best = Query(query.rows, query.select, order=query.order, limit=1, each=(city,))
    written = to_tree(in_order(best, dialect))
    assert [o.this.name for o in written.args["order"].expressions] == ["c2", "place", "c1"]


@pytest.mark.parametrize("dialect", UNSTEADY)
def test_a_nested_query_that_is_cut_off_is_steady_too(dialect: str) -> None:
    oldest = "SELECT s.id FROM stores AS s ORDER BY s.age LIMIT 2"
    query = form(f"SELECT COUNT(*) FROM sales AS x WHERE x.store IN ({oldest})")
    nested = to_tree(in_order(query, dialect)).find(exp.Order)
    assert nested is not None
    assert [term.this.name for term in nested.expressions] == ["age", "id"]


def test_rows_of_several_databases_are_always_sorted() -> None:
    query = form("SELECT a.name, b.city FROM step_1 AS a JOIN step_2 AS b ON a.id = b.id")
    ordered = to_tree(in_order(query, "duckdb", joined=True)).sql("duckdb")
    assert ordered.endswith("ORDER BY t1.name, t2.city")
    assert in_order(query, "duckdb") == query
    both = form("SELECT a.name FROM step_1 AS a INTERSECT SELECT b.name FROM step_2 AS b")
    written = to_tree(in_order(both, "duckdb", joined=True)).sql("duckdb")
    assert written.endswith("ORDER BY 1")


def test_one_row_needs_no_order() -> None:
    query = form("SELECT COUNT(*), MAX(a.age) FROM step_1 AS a")
    assert in_order(query, "duckdb", joined=True) == query


def test_a_column_that_cannot_be_sorted_by_breaks_no_tie() -> None:
    columns = (
        Column(name="age", type="INT", kind=Kind.INTEGER),
        Column(name="details", type="JSON", kind=Kind.JSON),
    )
    table = Table(name="people", schema_name="public", columns=columns)
    schema = DatabaseSchema(name="hr", dialect="postgres", tables=(table,))
    query = form("SELECT p.details FROM hr.public.people AS p ORDER BY p.age LIMIT 1", schema)
    assert in_order(query, "postgres", (schema,)) == query
