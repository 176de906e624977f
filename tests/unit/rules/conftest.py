"""A bicycle hire, generated: its words are none of those that the analyst was built with."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from oldhand import Oldhand

_TABLES = """
    CREATE TABLE clients (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, closed INTEGER NOT NULL, email TEXT);
    CREATE TABLE bikes (id INTEGER PRIMARY KEY, model TEXT NOT NULL, cost REAL NOT NULL, price REAL NOT NULL);
    CREATE TABLE rentals (
        id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (id),
        bike_id INTEGER NOT NULL REFERENCES bikes (id), booked_on DATE NOT NULL, paid_on DATE, returned_on DATE,
        status TEXT, fee REAL NOT NULL, expenses REAL NOT NULL, days INTEGER NOT NULL);
"""


def _hire(path: Path) -> Path:
    random = Random(7)
    with closing(sqlite3.connect(path)) as made, made:
        made.executescript(_TABLES)
        for number in range(1, 21):
            row = (number, f"Client {number:02}", random.choice(["Berlin", "Rome"]), int(number % 4 == 0), None if number % 5 == 0 else f"c{number}@x.org")  # fmt: skip
            made.execute("INSERT INTO clients VALUES (?, ?, ?, ?, ?)", row)
        for number, model in enumerate(("Roadster", "Trekker", "Cargo"), 1):
            made.execute("INSERT INTO bikes VALUES (?, ?, ?, ?)", (number, model, 200 * number, 300 * number))  # fmt: skip
        for number in range(1, 201):
            month = random.randint(1, 11)
            row = (
                number, random.randint(1, 20), random.randint(1, 3), f"2024-{month:02}-05",
                f"2024-{month + 1:02}-05", None if number % 9 == 0 else f"2024-{month + 1:02}-20",
                random.choice(["done", "done", "cancelled", None]), random.randint(20, 200),
                random.randint(1, 20), random.randint(1, 14),
            )  # fmt: skip
            made.execute("INSERT INTO rentals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The hire's SQLite file."""
    return _hire(tmp_path / "hire.db")


@pytest.fixture(scope="module")
def unruled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oldhand]:
    """An assistant over the hire for tests that change nothing."""
    folder = tmp_path_factory.mktemp("unruled")
    with Oldhand(folder / "home") as old:
        old.databases.add(f"sqlite:///{_hire(folder / 'hire.db')}", name="hire")
        yield old


@pytest.fixture
def old(tmp_path: Path, file: Path) -> Iterator[Oldhand]:
    """An assistant over the hire."""
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(f"sqlite:///{file}", name="hire")
        yield old


@pytest.fixture
def rows(file: Path):
    """The rows of a statement, straight from the file."""

    def fetched(sql: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(file)) as connection:
            return connection.execute(sql).fetchall()

    return fetched
