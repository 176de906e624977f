"""A shop in SQLite and its support desk in another file, asked through the whole loop with lessons in the store."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from oldhand import Oldhand
from oldhand.record.answer import Answer
from oldhand.record.effect import DefaultFilter, Effect
from oldhand.record.memory import Memory, MemoryType
from oldhand.sources.databases import Catalog
from oldhand.store import Store
from oldhand.testing import FixedClock
from oldhand.testing.records import example_memory

_SHOP = """
    CREATE TABLE addresses (id INTEGER PRIMARY KEY, city TEXT NOT NULL);
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, segment TEXT NOT NULL);
    CREATE TABLE orders (
        id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id),
        shipping_id INTEGER NOT NULL REFERENCES addresses (id),
        billing_id INTEGER NOT NULL REFERENCES addresses (id),
        status TEXT, amount REAL NOT NULL, is_test INTEGER NOT NULL);
    INSERT INTO addresses VALUES (1, 'Berlin'), (2, 'Rome'), (3, 'Lyon');
    INSERT INTO customers VALUES (1, 'Ana', 'private'), (2, 'Bo', 'business'), (3, 'Cy', 'private'), (4, 'Di', 'private');
    INSERT INTO orders VALUES
        (1, 1, 1, 2, 'paid', 10, 0), (2, 1, 1, 1, 'cancelled', 20, 0), (3, 2, 2, 1, 'open', 30, 0),
        (4, 2, 2, 2, 'paid', 40, 1), (5, 3, 3, 3, 'cancelled', 50, 0), (6, 1, 3, 1, 'paid', 60, 0);
"""
_DESK = """
    CREATE TABLE tickets (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, topic TEXT NOT NULL);
    INSERT INTO tickets VALUES (1, 2, 'delay'), (2, 3, 'delay'), (3, 5, 'refund'), (4, 6, 'refund');
"""
CANCELLED = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")


def _filled(path: Path, script: str) -> str:
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()
    return f"sqlite:///{path}"


def rule(effect: Effect, memory_id: str = "rule-1", **changes: object) -> Memory:
    """A pinned rule of the owner's: it is always shown."""
    said: dict[str, object] = {
        "payload": {"rule": effect.says},
        "tags": ("pinned",),
        "user_id": "default",
    }
    return example_memory(memory_id, MemoryType.SEMANTIC, effect=effect, **{**said, **changes})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the shop."""
    path = tmp_path / "home"
    with Oldhand(path) as old:
        old.databases.add(_filled(tmp_path / "shop.db", _SHOP), name="shop")
    return path


@pytest.fixture
def with_desk(home: Path, tmp_path: Path) -> Path:
    """The home with the support desk as well, whose tickets point to orders of the shop."""
    with Oldhand(home) as old:
        old.databases.add(_filled(tmp_path / "desk.db", _DESK), name="desk")
    catalog = Catalog(home)
    catalog.link_keys(write=True)
    catalog.close()
    return home


Asking = Callable[..., Answer]


@pytest.fixture
def ask(home: Path) -> Asking:
    """Ask a question with some lessons in the store."""

    def asked(question: str, *lessons: Memory | Effect, session_id: str | None = None) -> Answer:
        with Store.open(f"sqlite:///{home / 'store.db'}", clock=FixedClock()) as store:
            for number, one in enumerate(lessons, 1):
                store.save_memory(one if isinstance(one, Memory) else rule(one, f"rule-{number}"))
        with Oldhand(home) as old:
            return old.ask(question, session_id=session_id)

    return asked
