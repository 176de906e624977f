"""A rule about rows changes a query as though the other rows were not there."""

import sqlite3

import pytest
from sqlglot import exp, parse_one

from oldhand.agent.analyst.effects.filtering import filtered, unfiltered
from oldhand.query.compiling.render import render
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import (
    Aggregate,
    Comparison,
    OwnGroup,
    Query,
    Relation,
    Rows,
)
from oldhand.query.form import (
    ColumnRef as Attribute,
)
from oldhand.query.lifting import lift_tree
from oldhand.query.splitting.split import split
from oldhand.record.effect import DefaultFilter
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases import check_sql


def column(name: str, kind: Kind = Kind.INTEGER) -> Column:
    return Column(name=name, type=kind.value, kind=kind, primary_key=name == "id")


def table(name: str, *columns: Column) -> Table:
    return Table(name=name, schema_name="main", columns=(column("id"), *columns))


CUSTOMERS = table("customers", column("name", Kind.TEXT), column("active", Kind.BOOLEAN))
ORDERS = table(
    "orders",
    column("customer_id"),
    column("status", Kind.TEXT),
    column("amount", Kind.NUMBER),
    column("placed", Kind.DATE),
)
SHOP = DatabaseSchema(name="shop", dialect="sqlite", tables=(CUSTOMERS, ORDERS))
TICKETS = table("tickets", column("order_id"), column("topic", Kind.TEXT))
DESK = DatabaseSchema(name="desk", dialect="sqlite", tables=(TICKETS,))
SCHEMAS = (SHOP, DESK)
CANCELLED = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")
BIG = DefaultFilter(database="shop", table="orders", condition="amount >= 20")

_ROWS = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, active INTEGER);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, amount REAL, placed TEXT);
    INSERT INTO customers VALUES (1, 'Ana', 1), (2, 'Bo', 1), (3, 'Cy', 0), (4, 'Di', 1);
    INSERT INTO orders VALUES
        (1, 1, 'paid', 10, '2026-01-01'), (2, 1, 'cancelled', 90, '2026-01-02'), (3, 2, 'open', 30, '2026-02-01'),
        (4, 2, 'paid', 40, '2026-02-02'), (5, 3, 'cancelled', 50, '2026-03-01'), (6, 1, 'paid', 60, '2026-03-02');
"""

QUERIES = (
    "SELECT COUNT(*) FROM shop.main.orders AS o",
    "SELECT id FROM shop.main.orders AS o WHERE amount > 20 OR amount < 15",
    "SELECT c.name, COUNT(*) FROM shop.main.customers AS c JOIN shop.main.orders AS o ON o.customer_id = c.id GROUP BY c.name",
    "SELECT c.name, COUNT(o.id) FROM shop.main.customers AS c LEFT JOIN shop.main.orders AS o ON o.customer_id = c.id GROUP BY c.name",
    "SELECT c.name FROM shop.main.customers AS c LEFT JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE o.id IS NULL",
    "SELECT o.id, c.name FROM shop.main.orders AS o LEFT JOIN shop.main.customers AS c ON o.customer_id = c.id",
    "SELECT o.id, c.name FROM shop.main.customers AS c RIGHT JOIN shop.main.orders AS o ON o.customer_id = c.id",
    "SELECT c.name FROM shop.main.customers AS c WHERE NOT EXISTS (SELECT 1 FROM shop.main.orders AS o WHERE o.customer_id = c.id)",
    "SELECT c.name FROM shop.main.customers AS c WHERE EXISTS (SELECT 1 FROM shop.main.orders AS o WHERE o.customer_id = c.id AND (o.amount > 80 OR o.amount < 20))",
    "SELECT c.name FROM shop.main.customers AS c WHERE c.id NOT IN (SELECT o.customer_id FROM shop.main.orders AS o)",
    "SELECT o.id FROM shop.main.orders AS o WHERE o.amount = (SELECT MAX(m.amount) FROM shop.main.orders AS m)",
    "SELECT o.id FROM shop.main.orders AS o WHERE o.amount > (SELECT AVG(m.amount) FROM shop.main.orders AS m)",
    "SELECT c.id FROM shop.main.customers AS c EXCEPT SELECT o.customer_id FROM shop.main.orders AS o",
    "SELECT o.customer_id FROM shop.main.orders AS o WHERE o.amount > 55 UNION SELECT o.customer_id FROM shop.main.orders AS o WHERE o.amount < 15",
    "SELECT o.customer_id FROM shop.main.orders AS o INTERSECT SELECT c.id FROM shop.main.customers AS c",
    "SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM shop.main.orders AS o GROUP BY o.customer_id) AS per",
    "WITH best AS (SELECT o.customer_id, SUM(o.amount) AS total FROM shop.main.orders AS o GROUP BY o.customer_id) SELECT c.name, b.total FROM best AS b JOIN shop.main.customers AS c ON c.id = b.customer_id",
    "SELECT a.id, b.id FROM shop.main.orders AS a JOIN shop.main.orders AS b ON a.customer_id = b.customer_id AND a.id < b.id",
    "SELECT COUNT(*) FROM shop.main.orders AS o, shop.main.customers AS c WHERE o.customer_id = c.id",
)


@pytest.fixture
def shop():
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(_ROWS)
        yield connection
    connection.close()


def asked(connection: sqlite3.Connection, query: Query) -> list[tuple[object, ...]]:
    sql = render(to_tree(query), "sqlite")
    assert check_sql(sql, "sqlite")
    return sorted(connection.execute(sql), key=repr)


def query_of(sql: str) -> Query:
    tree = parse_one(sql)
    assert isinstance(tree, exp.Query)
    found = lift_tree(tree, SCHEMAS)
    assert found is not None
    return found


@pytest.mark.parametrize("sql", QUERIES)
@pytest.mark.parametrize(
    ("rules", "gone"),
    [
        ((CANCELLED,), "status = 'cancelled'"),
        ((CANCELLED, DefaultFilter(database="shop", table="orders", condition="placed < '2026-03-02'")), "status = 'cancelled' OR placed >= '2026-03-02'"),
        ((DefaultFilter(database="shop", table="orders", condition="status = 'paid' OR status = 'open'"),), "status = 'cancelled'"),
    ],
)  # fmt: skip
def test_the_rows_are_those_of_a_database_without_the_rows_left_out(
    shop, sql: str, rules: tuple[DefaultFilter, ...], gone: str
) -> None:
    query = query_of(sql)
    changed = filtered(query, rules, SCHEMAS)
    assert changed.rules == rules
    found = asked(shop, changed.query)
    shop.execute(f"DELETE FROM orders WHERE {gone}")
    assert found == asked(shop, query)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM shop.main.customers AS c",
        "SELECT COUNT(*) FROM shop.main.orders AS o WHERE o.status = 'cancelled'",
        "SELECT COUNT(*) FROM shop.main.orders AS o WHERE NOT o.status IN ('open', 'paid')",
        "SELECT o.status, COUNT(*) FROM shop.main.orders AS o GROUP BY o.status",
        "SELECT SUM(CASE WHEN o.status = 'cancelled' THEN 1 ELSE 0 END) FROM shop.main.orders AS o",
        "SELECT c.name FROM shop.main.customers AS c WHERE EXISTS (SELECT 1 FROM shop.main.orders AS o WHERE o.status = 'open')",
    ],
)
def test_a_query_that_decides_itself_is_left_as_it_is(sql: str) -> None:
    query = query_of(sql)
    assert filtered(query, [CANCELLED], SCHEMAS) == (query, ())


def test_an_amount_is_bounded_unless_the_query_bounds_it() -> None:
    total = query_of("SELECT SUM(o.amount) FROM shop.main.orders AS o")
    assert [one.operator for one in filtered(total, [BIG], SCHEMAS).query.where] == [">="]
    small = query_of("SELECT COUNT(*) FROM shop.main.orders AS o WHERE o.amount < 15")
    assert filtered(small, [BIG], SCHEMAS).rules == ()


@pytest.mark.parametrize(
    "condition",
    ["gone = 1", "status > 3", "amount = 'much'", "amount LIKE '1%'", "placed = 3", "id = TRUE"],
)
def test_a_rule_that_no_longer_fits_the_table_does_nothing(condition: str) -> None:
    rule = DefaultFilter(database="shop", table="orders", condition=condition)
    query = query_of(QUERIES[0])
    assert filtered(query, [rule], SCHEMAS) == (query, ())


def test_a_rule_about_a_table_or_database_that_is_gone_does_nothing() -> None:
    query = query_of(QUERIES[0])
    for where in ({"table": "sales"}, {"database": "crm"}, {"schema_name": "archive"}):
        rule = CANCELLED.model_copy(update=where)
        assert filtered(query, [rule], SCHEMAS).rules == ()


def test_two_rules_that_say_the_same_are_carried_out_once() -> None:
    twin = DefaultFilter(database="shop", table="Orders", condition="Status != 'cancelled'")
    changed = filtered(query_of(QUERIES[0]), [CANCELLED, twin], SCHEMAS)
    assert changed.rules == (CANCELLED,)
    assert len(changed.query.where) == 1


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "mysql", "duckdb"])
def test_a_flag_is_compared_as_each_database_wants_it(dialect: str) -> None:
    rule = DefaultFilter(database="shop", table="customers", condition="active = 1")
    changed = filtered(query_of("SELECT COUNT(*) FROM shop.main.customers AS c"), [rule], SCHEMAS)
    sql = render(to_tree(changed.query), dialect)
    assert ".active = TRUE" in " ".join(sql.split())
    assert check_sql(sql, dialect)


def test_a_rule_holds_in_the_part_of_a_query_that_its_database_answers() -> None:
    query = query_of(
        "SELECT t.topic, COUNT(*) FROM desk.main.tickets AS t "
        "JOIN shop.main.orders AS o ON t.order_id = o.id GROUP BY t.topic"
    )
    pieces = split(filtered(query, [CANCELLED], SCHEMAS).query, SCHEMAS)
    by_database = {piece.database: to_tree(piece.query).sql() for piece in pieces}
    assert ".status <> 'cancelled'" in by_database["shop"]
    assert "cancelled" not in by_database["desk"] + by_database["workspace"]


@pytest.mark.parametrize("sql", QUERIES[:3])
def test_what_a_rule_has_added_can_be_taken_away(shop, sql: str) -> None:
    query = query_of(sql)
    changed = filtered(query, [CANCELLED], SCHEMAS).query
    assert asked(shop, unfiltered(changed, CANCELLED, SCHEMAS)) == asked(shop, query)
    assert unfiltered(query, CANCELLED, SCHEMAS) == query


def test_a_rule_holds_for_what_a_row_is_compared_with_in_its_own_group(shop) -> None:
    orders = Relation("shop", "main", "orders")
    amount, customer = Attribute(orders, "amount"), Attribute(orders, "customer_id")
    above = Comparison(amount, ">", OwnGroup(Aggregate("avg", amount), (customer,)))
    query = Query(Rows((orders,)), (Attribute(orders, "id"),), (above,))
    found = asked(shop, filtered(query, [CANCELLED], SCHEMAS).query)
    shop.execute("DELETE FROM orders WHERE status = 'cancelled'")
    assert found == asked(shop, query) == [(4,), (6,)]
