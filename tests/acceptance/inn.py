"""An inn: stays of guests in hotels, with two ways from a stay to a region and two to a clerk."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

from oldhand import Oldhand
from oldhand.record.base import Row

_TABLES = """
CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT, tier TEXT, region_id INTEGER REFERENCES regions (id));
CREATE TABLE hotels (id INTEGER PRIMARY KEY, name TEXT, stars INTEGER, region_id INTEGER REFERENCES regions (id));
CREATE TABLE clerks (id INTEGER PRIMARY KEY, name TEXT, hotel_id INTEGER REFERENCES hotels (id));
CREATE TABLE stays (id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests (id),
    hotel_id INTEGER REFERENCES hotels (id), arrived_on TEXT, nights INTEGER, price REAL, state TEXT,
    booked_by INTEGER REFERENCES clerks (id), checked_in_by INTEGER REFERENCES clerks (id));
"""
REGIONS = ("Alps", "Coast", "Lakes", "Plains")


def make_inn(path: Path) -> None:
    """Write the database; the same rows each time."""
    drawn = random.Random(3)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(_TABLES)
        rows: dict[str, list[Row]] = {
            "regions": list(enumerate(REGIONS, 1)),
            "hotels": [
                (n, f"Hotel {n}", drawn.randint(2, 5), drawn.randint(1, 4)) for n in range(1, 13)
            ],
            "clerks": [(n, f"Clerk {n}", drawn.randint(1, 12)) for n in range(1, 21)],
            "guests": [
                (n, f"Guest {n}", drawn.choice(("G1", "S2", "B3")), drawn.randint(1, 4))
                for n in range(1, 81)
            ],
            "stays": [_stay(n, drawn) for n in range(1, 401)],
        }
        for table, some in rows.items():
            places = ", ".join("?" * len(some[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({places})", some)


def _stay(number: int, drawn: random.Random) -> Row:
    day = f"202{drawn.randint(2, 4)}-{drawn.randint(1, 12):02}-{drawn.randint(1, 28):02}"
    state = drawn.choice(("done", "done", "done", "annulled", "no show"))
    money = drawn.randint(1, 14), drawn.randint(60, 900), state
    who = drawn.randint(1, 20), drawn.randint(1, 20)
    return number, drawn.randint(1, 80), drawn.randint(1, 12), day, *money, *who


def right(old: Oldhand, path: Path, question: str, sql: str) -> bool:
    """Whether a question is answered by the rows of a statement, in any order."""
    with closing(sqlite3.connect(path)) as connection:
        wanted = connection.execute(sql).fetchall()
    found = old.ask(question).rows or ()
    return sorted(map(str, map(tuple, found))) == sorted(map(str, wanted))
