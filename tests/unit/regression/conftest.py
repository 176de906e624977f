"""A small company whose assistant has answered wrongly."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import Oldhand

VIPS = "How many VIPs live in Berlin?"
RIGHT = "SELECT COUNT(*) FROM customers WHERE tier = 'A1' AND city = 'Berlin'"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, tier TEXT);
            INSERT INTO customers (name, city, tier) VALUES
                ('Ana', 'Berlin', 'A1'), ('Bo', 'Oslo', 'B2'), ('Cy', 'Berlin', 'B2'), ('Ed', 'Berlin', 'A1');
            """
        )
    return path


@pytest.fixture
def old(tmp_path: Path, shop: Path) -> Iterator[Oldhand]:
    with Oldhand(tmp_path / "home") as made:
        made.databases.add(f"sqlite:///{shop}", name="shop")
        yield made
