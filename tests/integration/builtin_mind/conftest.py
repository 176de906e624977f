"""A generated shop in three databases of different kinds, with keys that are written differently in each."""

import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import duckdb
import psycopg
import pytest

from oldhand.agent.analysis import Analysis, EarlierTurn, Inquiry, analyse
from oldhand.agent.analyst import BuiltinMind, Indexes
from oldhand.record.schema import DatabaseSchema, ForeignKey, Table
from oldhand.settings import Settings
from oldhand.sources.databases import Catalog
from oldhand.testing.clock import FixedClock

TODAY = date(2026, 3, 15)
CITIES = ("Berlin", "Hamburg", "Bremen", "Leipzig")
CATEGORIES = ("Tools", "Paint", "Garden")
STATUSES = ("paid", "open", "cancelled")


@dataclass(frozen=True)
class Customer:
    id: int
    name: str
    city: str
    age: int


@dataclass(frozen=True)
class Ticket:
    id: int
    customer_id: int
    cost: str | None
    priority: str

    @property
    def money(self) -> float:
        return float((self.cost or "0").strip("$").replace(",", ""))


@dataclass(frozen=True)
class Product:
    sku: str
    title: str
    category: str
    price: float


@dataclass(frozen=True)
class Order:
    id: int
    customer_no: str
    sku: str
    quantity: int
    status: str
    placed: date


@dataclass(frozen=True)
class Shop:
    customers: list[Customer]
    tickets: list[Ticket]
    products: list[Product]
    orders: list[Order]

    def customer(self, order: Order) -> Customer:
        return self.customers[int(order.customer_no) - 1]

    def product(self, order: Order) -> Product:
        return next(p for p in self.products if p.sku.lower() == order.sku)


def make_shop(seed: int = 3) -> Shop:
    rng = random.Random(seed)
    customers = [
        Customer(i, f"{first} {last}", rng.choice(CITIES), rng.randint(18, 80))
        for i, (first, last) in enumerate(
            ((f, n) for f in ("Ann", "Bob", "Cleo", "Dana", "Eli") for n in ("Abel", "Brandt", "Curie", "Dorn")), 1
        )
    ]  # fmt: skip
    tickets = [
        Ticket(
            i,
            rng.choice(customers).id,
            None if i == 3 else f"${rng.randint(5, 2500):,}.{rng.randint(0, 99):02}",
            rng.choice(("high", "low")),
        )
        for i in range(1, 61)
    ]
    products = [
        Product(f"AB-{i:03}", f"Article {i}", rng.choice(CATEGORIES), round(rng.uniform(2, 90), 2))
        for i in range(1, 26)
    ]
    orders = [
        Order(
            i,
            str(rng.choice(customers[:-3]).id),
            rng.choice(products).sku.lower(),
            rng.randint(1, 9),
            rng.choice(STATUSES),
            date(2024, 1, 1) + timedelta(days=rng.randint(0, 700)),
        )
        for i in range(1, 301)
    ]
    return Shop(customers, tickets, products, orders)


@pytest.fixture(scope="module")
def shop() -> Shop:
    return make_shop()


@pytest.fixture
def catalog(shop: Shop, tmp_path: Path, postgres_url: str) -> Iterator[Catalog]:
    _write_orders(tmp_path / "sales.db", shop)
    _write_products(tmp_path / "stock.duckdb", shop)
    _write_people(postgres_url, shop)
    made = Catalog(tmp_path / "home")
    made.add(f"sqlite:///{tmp_path / 'sales.db'}", name="sales")
    made.add(f"duckdb:///{tmp_path / 'stock.duckdb'}", name="stock")
    made.add(postgres_url, name="crm")
    yield made
    made.close()


def _write_orders(path: Path, shop: Shop) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_no TEXT, sku TEXT, quantity INTEGER,"
            " status TEXT, placed DATE)"
        )
        rows = [(*vars(o).values(),) for o in shop.orders]
        rows = [(*row[:-1], row[-1].isoformat()) for row in rows]
        connection.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.commit()


def _write_products(path: Path, shop: Shop) -> None:
    with closing(duckdb.connect(path)) as connection:
        connection.execute(
            "CREATE TABLE products (sku VARCHAR PRIMARY KEY, title VARCHAR, category VARCHAR, price DOUBLE)"
        )
        connection.executemany(
            "INSERT INTO products VALUES (?, ?, ?, ?)",
            [(*vars(p).values(),) for p in shop.products],
        )


def _write_people(url: str, shop: Shop) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER)"
        )
        connection.execute(
            "CREATE TABLE tickets (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),"
            " cost TEXT, priority TEXT)"
        )
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO customers VALUES (%s, %s, %s, %s)",
                [(*vars(c).values(),) for c in shop.customers],
            )
            cursor.executemany(
                "INSERT INTO tickets VALUES (%s, %s, %s, %s)",
                [(*vars(t).values(),) for t in shop.tickets],
            )


def _pointing(schema: DatabaseSchema, table: str, key: ForeignKey) -> DatabaseSchema:
    def changed(known: Table) -> Table:
        if known.name != table:
            return known
        return known.model_copy(update={"foreign_keys": (*known.foreign_keys, key)})

    return schema.model_copy(update={"tables": tuple(map(changed, schema.tables))})


Ask = Callable[..., Awaitable[Analysis]]


@pytest.fixture
def ask(catalog: Catalog, tmp_path: Path) -> Ask:
    """Asks the built-in mind over the three databases, after the exchanges of a conversation."""
    sales = _pointing(
        catalog.schema("sales"),
        "orders",
        ForeignKey(columns=("customer_no",), database="crm", schema_name="public", table="customers", target_columns=("id",)),
    )  # fmt: skip
    sales = _pointing(
        sales,
        "orders",
        ForeignKey(columns=("sku",), database="stock", schema_name="main", table="products", target_columns=("sku",)),
    )  # fmt: skip
    schemas = (sales, catalog.schema("stock"), catalog.schema("crm"))
    mind = BuiltinMind(Indexes(catalog, tmp_path / "index"))

    async def asked(question: str, *before: EarlierTurn) -> Analysis:
        return await analyse(
            Inquiry(question=question, schemas=schemas, today=TODAY, history=before),
            mind=mind,
            sources=catalog,
            observe=lambda _: None,
            settings=Settings(),
            clock=FixedClock(),
        )

    return asked
