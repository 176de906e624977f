"""A generated company in three databases, all in memory, for questions as people ask them at work."""

import random
import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from tests.unit.analyst.worlds import World

from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases.value_files import indexed_columns
from oldhand.sources.databases.values import AllValues, ValueIndex

TODAY = date(2024, 6, 15)
KINDS = {
    "INT": Kind.INTEGER,
    "TEXT": Kind.TEXT,
    "NUM": Kind.NUMBER,
    "DATE": Kind.DATE,
    "TIME": Kind.DATETIME,
    "BOOL": Kind.BOOLEAN,
}
DIALECTS = {
    "crm": ("sqlite", "main"),
    "sales": ("postgres", "public"),
    "places": ("duckdb", "main"),
}
TABLES = {
    "crm.customers": "id INT*, name TEXT, email TEXT?, city TEXT, country TEXT, segment TEXT, signup_date DATE",
    "crm.tickets": "id INT*, customer_id INT>crm.customers.id, subject TEXT, status TEXT, priority TEXT, opened_at TIME, agent_id INT>places.employees.id",
    "sales.categories": "id INT*, name TEXT",
    "sales.products": "id INT*, name TEXT, category_id INT>sales.categories.id, price NUM, weight_kg NUM?, discontinued BOOL",
    "sales.orders": "id INT*, customer_id INT>crm.customers.id, store_id INT?>places.stores.id, order_date DATE, status TEXT, total_amount NUM",
    "sales.order_items": "id INT*, order_id INT>sales.orders.id, product_id INT>sales.products.id, quantity INT, line_total NUM",
    "places.stores": "id INT*, name TEXT, city TEXT, country TEXT, latitude NUM, longitude NUM, opened_on DATE, floor_area INT",
    "places.employees": "id INT*, first_name TEXT, last_name TEXT, job_title TEXT, salary INT, store_id INT>places.stores.id, hired_on DATE",
}
"""Columns of each table; `*` marks the key, `?` what may be empty, `>` what a column refers to."""

CITIES = {
    "Berlin": "Germany", "Hamburg": "Germany", "Paris": "France", "Lyon": "France",
    "Rome": "Italy", "Vienna": "Austria", "New York": "USA",
}  # fmt: skip
FIRST = ("Anna", "Boris", "Carla", "David", "Elena", "Felix", "Greta", "Hugo", "Irma", "Jonas")
LAST = ("Abel", "Bauer", "Costa", "Dubois", "Eder", "Fischer", "Gallo", "Huber", "Ivanov", "Jensen")


def _schema(name: str) -> DatabaseSchema:
    dialect, schema_name = DIALECTS[name]
    tables: list[Table] = []
    for full, columns in TABLES.items():
        database, table = full.split(".")
        if database != name:
            continue
        made: list[Column] = []
        keys: list[ForeignKey] = []
        for entry in columns.split(", "):
            column, kind = entry.split(" ")
            plain, _, target = kind.partition(">")
            declared = plain.rstrip("*?")
            made.append(
                Column(
                    name=column,
                    type=declared,
                    kind=KINDS[declared],
                    primary_key=plain.endswith("*"),
                    nullable=plain.endswith("?"),
                )
            )
            if target:
                other, goal, goal_column = target.split(".")
                keys.append(
                    ForeignKey(
                        columns=(column,),
                        database=other,
                        schema_name=DIALECTS[other][1],
                        table=goal,
                        target_columns=(goal_column,),
                    )
                )
        tables.append(
            Table(
                name=table, schema_name=schema_name, columns=tuple(made), foreign_keys=tuple(keys)
            )
        )
    return DatabaseSchema(name=name, dialect=dialect, tables=tuple(tables))


def _rows() -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    rng = random.Random(7)
    day = date(2022, 1, 1)

    def some_day() -> str:
        return (day + timedelta(days=rng.randrange(890))).isoformat()

    names = [f"{first} {last}" for first in FIRST for last in LAST][:80]
    cities = list(CITIES)
    customers = []
    for i, name in enumerate(names, 1):
        city = rng.choice(cities)
        email = None if i % 9 == 0 else f"{name.split()[0].lower()}{i}@example.org"
        segment = rng.choice(("Private", "Business", "Public"))
        customers.append((i, name, email, city, CITIES[city], segment, some_day()))
    yield "crm.customers", customers
    stores = []
    for i in range(1, 13):
        city = cities[i % 3] if i < 9 else cities[i % 7]
        stores.append(
            (
                i,
                f"Store {chr(64 + i)}",
                city,
                CITIES[city],
                48 + i / 7,
                9 + i / 5,
                some_day(),
                100 + 37 * i,
            )
        )
    yield "places.stores", stores
    employees = [
        (
            i,
            FIRST[i % 10],
            LAST[i * 7 % 10],
            ("Clerk", "Manager", "Technician")[i % 3],
            30000 + 613 * (i * 17 % 40),
            1 + i % 11,
            some_day(),
        )
        for i in range(1, 41)
    ]
    yield "places.employees", employees
    yield (
        "crm.tickets",
        [
            (
                i,
                rng.randint(1, 50),
                f"Request {i}",
                rng.choice(("open", "closed", "pending")),
                rng.choice(("low", "high", "urgent")),
                some_day() + " 10:00:00",
                rng.randint(1, 40),
            )
            for i in range(1, 121)
        ],
    )
    yield "sales.categories", [(1, "Chairs"), (2, "Tables"), (3, "Lamps"), (4, "Shelves")]
    yield (
        "sales.products",
        [
            (
                i,
                f"{('Oak', 'Steel', 'Glass', 'Pine', 'Linen')[i % 5]} {('Chair', 'Table', 'Lamp')[i % 3]} {i}",
                1 + i % 3,
                15.0 + 7 * (i * 11 % 23),
                None if i % 7 == 0 else i / 2,
                int(i % 8 == 0),
            )
            for i in range(1, 24)
        ],
    )
    orders = [
        (
            i,
            rng.randint(1, 60),
            rng.randint(1, 12) if i % 5 else None,
            some_day(),
            rng.choice(("shipped", "cancelled", "new")),
            20 + i * 37 % 900 + i / 1000,
        )
        for i in range(1, 301)
    ]
    yield "sales.orders", orders
    yield (
        "sales.order_items",
        [
            (i, 1 + i * 7 % 300, 1 + i * 5 % 20, 1 + i % 4, 10 + i * 13 % 400 + i / 1000)
            for i in range(1, 701)
        ],
    )


@pytest.fixture(scope="session")
def company() -> World:
    connection = sqlite3.connect(":memory:")
    schemas = tuple(_schema(name) for name in DIALECTS)
    for name in DIALECTS:
        connection.execute(f"ATTACH ':memory:' AS {name}")
    for full, rows in _rows():
        columns = [entry.split(" ")[0] for entry in TABLES[full].split(", ")]
        connection.execute(f"CREATE TABLE {full} ({', '.join(columns)})")
        connection.executemany(f"INSERT INTO {full} VALUES ({', '.join('?' * len(columns))})", rows)
    indices = []
    for schema in schemas:
        entries = []
        for schema_name, table, column in indexed_columns(schema):
            found = connection.execute(f"SELECT DISTINCT {column.name} FROM {schema.name}.{table}")
            entries.append((schema_name, table, column.name, [value for (value,) in found]))
        indices.append(ValueIndex.in_memory(schema.name, entries))
    return World(schemas, AllValues(indices), connection, TODAY)
