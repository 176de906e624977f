"""A query over several databases, cut into pieces, gives the rows that one database holding all would give."""

from collections import Counter

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oldhand.agent.analyst.splitting.decompose import Piece, decompose
from sqlglot import exp, parse_one

from oldhand.agent.analyst.rendering.names import databases_of
from oldhand.query.compiling.render import render
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table

SQL_TYPES = {Kind.INTEGER: "INTEGER", Kind.TEXT: "VARCHAR", Kind.NUMBER: "DOUBLE"}
TABLES = {
    "crm": {
        "customers": {
            "id": Kind.INTEGER,
            "name": Kind.TEXT,
            "city": Kind.TEXT,
            "boss": Kind.INTEGER,
        },
        "regions": {"city": Kind.TEXT, "region": Kind.TEXT},
    },
    "shop": {
        "orders": {"id": Kind.INTEGER, "customer_id": Kind.INTEGER, "total": Kind.NUMBER},
        "lines": {"order_id": Kind.INTEGER, "product": Kind.TEXT, "name": Kind.TEXT},
    },
    "care": {"tickets": {"customer_id": Kind.INTEGER, "city": Kind.TEXT, "hours": Kind.INTEGER}},
}
ROWS = {
    "customers": [
        (1, "Ann", "Berlin", None),
        (2, "Bob", "Hamburg", 1),
        (3, "Cid", None, 1),
        (4, "Dan", "Berlin", 2),
        (5, "Dan", "Bremen", None),
    ],
    "regions": [("Berlin", "East"), ("Hamburg", "North"), ("Bremen", "North")],
    "orders": [(1, 1, 10.0), (2, 1, 5.5), (3, 2, 7.0), (4, None, 3.0), (5, 4, None), (6, 9, 1.0)],
    "lines": [(1, "pen", "a"), (1, "ink", "b"), (2, "pen", "c"), (3, "cup", None), (6, "pen", "d")],
    "tickets": [(1, "Berlin", 2), (2, "Bremen", 3), (2, None, 5), (None, "Berlin", 1)],
}


def _schemas() -> tuple[DatabaseSchema, ...]:
    return tuple(
        DatabaseSchema(
            name=name,
            dialect="duckdb",
            tables=tuple(
                Table(
                    name=table,
                    schema_name="main",
                    columns=tuple(
                        Column(name=c, type=SQL_TYPES[k], kind=k) for c, k in columns.items()
                    ),
                )
                for table, columns in tables.items()
            ),
        )
        for name, tables in TABLES.items()
    )


SCHEMAS = _schemas()


def _fill(connection: duckdb.DuckDBPyConnection, database: str, prefix: str) -> None:
    for table, columns in TABLES[database].items():
        declared = ", ".join(f"{name} {SQL_TYPES[kind]}" for name, kind in columns.items())
        connection.execute(f"CREATE TABLE {prefix}{table} ({declared})")
        marks = ", ".join("?" for _ in columns)
        connection.executemany(f"INSERT INTO {prefix}{table} VALUES ({marks})", ROWS[table])


@pytest.fixture(scope="module")
def together() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for database in TABLES:
        connection.execute(f"ATTACH ':memory:' AS {database}")
        _fill(connection, database, f"{database}.main.")
    return connection


@pytest.fixture(scope="module")
def apart() -> dict[str, duckdb.DuckDBPyConnection]:
    connections = {name: duckdb.connect() for name in TABLES}
    for name, connection in connections.items():
        _fill(connection, name, "")
    return connections


def _run(pieces: tuple[Piece, ...], apart: dict[str, duckdb.DuckDBPyConnection]) -> list[tuple]:
    workspace = duckdb.connect()
    rows: list[tuple] = []
    for piece in pieces:
        place = workspace if piece.database == WORKSPACE else apart[piece.database]
        sql = render(piece.query, "duckdb")
        rows = place.sql(sql).fetchall()
        workspace.register(piece.table, place.sql(sql).to_arrow_table())
    return rows


def _same(query: exp.Expr, together: duckdb.DuckDBPyConnection, apart) -> None:
    pieces = decompose(query, SCHEMAS)
    expected = together.execute(query.sql("duckdb")).fetchall()
    found = _run(pieces, apart)
    assert Counter(found) == Counter(expected), "\n".join(p.query.sql("duckdb") for p in pieces)
    if query.args.get("order"):
        assert found == expected


QUERIES = """
SELECT c.name, SUM(o.total) FROM crm.main.customers AS c JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE c.city = 'Berlin' GROUP BY c.name
SELECT name, city FROM crm.main.customers WHERE id NOT IN (SELECT customer_id FROM shop.main.orders)
SELECT name FROM crm.main.customers WHERE id NOT IN (SELECT customer_id FROM shop.main.orders WHERE NOT customer_id IS NULL)
SELECT c.name FROM crm.main.customers AS c WHERE NOT EXISTS(SELECT 1 FROM shop.main.orders AS o WHERE o.customer_id = c.id AND o.total > 6)
SELECT c.name FROM crm.main.customers AS c WHERE EXISTS(SELECT 1 FROM shop.main.orders AS o WHERE o.total > 9)
SELECT id FROM crm.main.customers UNION SELECT customer_id FROM shop.main.orders
SELECT id FROM crm.main.customers EXCEPT SELECT customer_id FROM shop.main.orders ORDER BY id
SELECT id FROM crm.main.customers INTERSECT SELECT customer_id FROM shop.main.orders INTERSECT SELECT customer_id FROM care.main.tickets
SELECT c.name, b.name FROM crm.main.customers AS c JOIN crm.main.customers AS b ON c.boss = b.id JOIN shop.main.orders AS o ON o.customer_id = b.id
SELECT c.name, o.id FROM crm.main.customers AS c LEFT JOIN shop.main.orders AS o ON o.customer_id = c.id AND o.total > 6 WHERE c.city = 'Berlin'
SELECT c.name FROM crm.main.customers AS c LEFT JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE o.id IS NULL
SELECT c.name, o.id FROM crm.main.customers AS c RIGHT JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE c.city = 'Berlin' OR c.id IS NULL
SELECT c.name, o.id FROM crm.main.customers AS c FULL JOIN shop.main.orders AS o ON o.customer_id = c.id AND c.city = 'Berlin'
SELECT c.city, COUNT(DISTINCT l.product) AS n FROM crm.main.customers AS c JOIN shop.main.orders AS o ON o.customer_id = c.id JOIN shop.main.lines AS l ON l.order_id = o.id GROUP BY c.city HAVING COUNT(*) > 1 ORDER BY n DESC, c.city
SELECT c.name, l.name FROM crm.main.customers AS c, shop.main.orders AS o, shop.main.lines AS l WHERE c.id = o.customer_id AND l.order_id = o.id AND l.product = 'pen' AND c.city <> l.product
SELECT COUNT(*) FROM crm.main.customers AS c CROSS JOIN shop.main.orders AS o
SELECT r.region, AVG(o.total) FROM crm.main.regions AS r JOIN crm.main.customers AS c ON c.city = r.city JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE o.total > (SELECT AVG(total) FROM shop.main.orders) GROUP BY r.region
SELECT c.name FROM crm.main.customers AS c JOIN (SELECT customer_id, SUM(total) AS s FROM shop.main.orders GROUP BY customer_id) AS t ON t.customer_id = c.id WHERE t.s > 6
SELECT t.city, t.n FROM (SELECT c.city, COUNT(*) AS n FROM crm.main.customers AS c JOIN shop.main.orders AS o ON c.id = o.customer_id GROUP BY c.city) AS t WHERE t.n = (SELECT MAX(hours) FROM care.main.tickets) OR t.n = 1
SELECT c.name FROM crm.main.customers AS c WHERE (SELECT COUNT(*) FROM shop.main.orders AS o WHERE o.customer_id = c.id) > 1
SELECT c.name FROM crm.main.customers AS c WHERE c.id IN (SELECT o.customer_id FROM shop.main.orders AS o WHERE o.id IN (SELECT t.customer_id FROM care.main.tickets AS t WHERE t.city = c.city))
WITH big AS (SELECT customer_id, SUM(total) AS s FROM shop.main.orders GROUP BY customer_id), top AS (SELECT * FROM big WHERE s > 5) SELECT c.name, top.s FROM crm.main.customers AS c JOIN top ON top.customer_id = c.id
SELECT DISTINCT c.city FROM crm.main.customers AS c JOIN care.main.tickets AS t ON t.customer_id = c.id ORDER BY c.city LIMIT 1
SELECT * FROM crm.main.customers AS c JOIN care.main.tickets AS t ON t.customer_id = c.id
SELECT c.name, t.hours, RANK() OVER (PARTITION BY c.city ORDER BY t.hours DESC) AS r FROM crm.main.customers AS c JOIN care.main.tickets AS t ON t.customer_id = c.id
SELECT COUNT(*) FROM crm.main.customers AS c JOIN care.main.tickets AS t ON t.city = c.city AND t.customer_id = c.id OR t.hours > 4
SELECT c.name, l.name FROM crm.main.customers AS c LEFT JOIN shop.main.orders AS o ON o.customer_id = c.id LEFT JOIN shop.main.lines AS l ON l.order_id = o.id WHERE l.product = 'pen' AND c.id < 3
SELECT c.name FROM crm.main.customers AS c WHERE c.city IN (SELECT t.city FROM care.main.tickets AS t UNION SELECT r.city FROM crm.main.regions AS r WHERE r.region = 'North')
SELECT CASE WHEN o.total > 6 THEN c.name ELSE 'small' END AS who FROM crm.main.customers AS c JOIN shop.main.orders AS o ON c.id = o.customer_id WHERE c.name LIKE 'A%' OR o.total < 8
""".strip().splitlines()


@pytest.mark.parametrize("sql", QUERIES, ids=range(len(QUERIES)))
def test_cut_queries_give_the_rows_of_the_whole_query(sql, together, apart):
    query = parse_one(sql)
    _same(query, together, apart)
    for piece in decompose(query, SCHEMAS):
        assert len(databases_of(piece.query)) <= 1


PATHS = {
    ("customers", "orders"): "customers.id = orders.customer_id",
    ("customers", "tickets"): "customers.id = tickets.customer_id",
    ("customers", "regions"): "customers.city = regions.city",
    ("orders", "lines"): "orders.id = lines.order_id",
    ("orders", "tickets"): "orders.customer_id = tickets.customer_id",
    ("regions", "tickets"): "regions.city = tickets.city",
}
HOMES = {table: database for database, tables in TABLES.items() for table in tables}
COLUMNS = [
    (t, c, k) for tables in TABLES.values() for t, cs in tables.items() for c, k in cs.items()
]
LITERALS = {
    Kind.INTEGER: ("1", "2", "3"),
    Kind.NUMBER: ("5.5", "7.0"),
    Kind.TEXT: ("'Berlin'", "'pen'", "'Dan'"),
}


@st.composite
def conditions(draw, tables: list[str]) -> str:
    table, column, kind = draw(st.sampled_from([c for c in COLUMNS if c[0] in tables]))
    literal = draw(st.sampled_from(LITERALS[kind]))
    other_table, other, _ = draw(st.sampled_from([c for c in COLUMNS if c[2] is kind]))
    outside = f"SELECT i.{other} FROM {HOMES[other_table]}.main.{other_table} AS i"
    template = draw(
        st.sampled_from(
            [
                "{c} = {v}",
                "{c} <> {v}",
                "{c} IS NULL",
                "NOT {c} IN ({inside})",
                "{c} IN ({inside} WHERE i.{o} <> {v})",
                "{c} > (SELECT MIN(i.{o}) FROM {home}.main.{t} AS i)",
                "EXISTS(SELECT 1 FROM {home}.main.{t} AS i WHERE i.{o} = {c})",
                "NOT EXISTS(SELECT 1 FROM {home}.main.{t} AS i WHERE i.{o} = {c} AND {c} <> {v})",
                "({c} = {v} OR {c} IN ({inside}))",
            ]
        )
    )
    filled = {"c": f"{table}.{column}", "v": literal, "inside": outside, "o": other}
    return template.format(**filled, home=HOMES[other_table], t=other_table)


@st.composite
def queries(draw) -> str:
    tables = [draw(st.sampled_from(sorted(HOMES)))]
    sql = f" FROM {HOMES[tables[0]]}.main.{tables[0]} AS {tables[0]}"
    for _ in range(draw(st.integers(0, 3))):
        steps = [(pair, on) for pair, on in PATHS.items() if len(set(pair) & set(tables)) == 1]
        pair, on = draw(st.sampled_from(steps))
        new = next(table for table in pair if table not in tables)
        tables.append(new)
        side = draw(st.sampled_from(["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]))
        extra = draw(st.none() | conditions(tables)) if side == "JOIN" else None
        sql += f" {side} {HOMES[new]}.main.{new} AS {new} ON {on}"
        sql += f" AND {extra}" if extra else ""
    where = draw(st.lists(conditions(tables), max_size=3))
    sql += " WHERE " + " AND ".join(where) if where else ""
    table, column, _ = draw(st.sampled_from([c for c in COLUMNS if c[0] in tables]))
    shape = draw(
        st.sampled_from(
            [
                "SELECT {c}, {all}{rest}",
                "SELECT DISTINCT {c}{rest}",
                "SELECT {c}, COUNT(*), COUNT(DISTINCT {first}){rest} GROUP BY {c}",
                "SELECT COUNT(*), MAX({c}){rest}",
                "SELECT {c}{rest} GROUP BY {c} HAVING COUNT(*) > 1",
                "SELECT {c}{rest} EXCEPT SELECT {c}{rest} AND {first} IS NULL",
            ]
        )
    )
    if not where:
        shape = shape.replace(" AND {first}", " WHERE {first}")
    every = ", ".join(f"{t}.{c} AS {t}_{c}" for t, c, _ in COLUMNS if t in tables)
    first = f"{tables[0]}.{next(iter(TABLES[HOMES[tables[0]]][tables[0]]))}"
    return shape.format(c=f"{table}.{column}", all=every, rest=sql, first=first)


@settings(max_examples=80)
@given(sql=queries())
def test_any_query_gives_the_same_rows_apart_as_together(sql, together, apart):
    _same(parse_one(sql), together, apart)


def test_one_database_is_one_step():
    query = parse_one("SELECT c.name FROM crm.main.customers AS c")
    (piece,) = decompose(query, SCHEMAS)
    assert (piece.number, piece.database, piece.query) == (1, "crm", query)


def test_filters_and_joins_are_left_to_the_database():
    query = parse_one(
        "SELECT c.name FROM crm.main.customers AS c JOIN crm.main.regions AS r ON r.city = c.city"
        " JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE r.region = 'North' AND o.total > 3"
    )
    first, second, last = decompose(query, SCHEMAS)
    assert first.query.sql() == (
        "SELECT c.name, c.id FROM crm.main.customers AS c JOIN crm.main.regions AS r"
        " ON r.city = c.city WHERE r.region = 'North'"
    )
    assert second.query.sql() == (
        "SELECT o.customer_id FROM shop.main.orders AS o WHERE o.total > 3"
    )
    assert second.links[0].step == 1
    assert last.query.sql() == (
        "SELECT step_1.name FROM step_1 JOIN step_2 AS o ON o.customer_id = step_1.id"
    )
