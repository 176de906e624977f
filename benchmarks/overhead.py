"""What Oldhand itself adds to a question: the turn, without the model's own time and without the query's."""

import sqlite3
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path

from oldhand import Oldhand
from oldhand.testing import ScriptedModel
from oldhand.testing.prompts import Prompt

QUESTIONS = 60
WARM_UP = 5
SQL = "SELECT count(*) AS customers FROM customers WHERE city = 'Berlin'"
REPLIES: dict[str, dict[str, object]] = {
    "validate": {"verdict": "answerable", "databases": ["shop"]},
    "plan": {"steps": [{"number": 1, "purpose": "count customers", "database": "shop"}]},
    "generate_sql": {"sql": SQL},
    "summarise": {"text": "There are 2,000 customers in Berlin."},
}


def make_shop(path: Path) -> None:
    """A table of 10,000 customers in five cities."""
    cities = ("Berlin", "Oslo", "Rome", "Graz", "Lyon")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT)")
        connection.executemany(
            "INSERT INTO customers (name, city) VALUES (?, ?)",
            [(f"Customer {n}", cities[n % 5]) for n in range(10_000)],
        )


def at_once(prompt: Prompt) -> dict[str, object]:
    """What a model that needs no time would answer."""
    return REPLIES[prompt.stage]


def bare_query(path: Path) -> float:
    """Median seconds of the same query on the driver alone, with a connection of its own."""
    spent: list[float] = []
    for _ in range(QUESTIONS):
        began = time.perf_counter()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(SQL).fetchall()
        spent.append(time.perf_counter() - began)
    return statistics.median(spent)


def asked(home: Path, url: str, model: ScriptedModel | None) -> list[float]:
    """Seconds of each question, on a home that stays open."""
    spent: list[float] = []
    with Oldhand(home, model=model) as old:
        old.databases.add(url, name="shop")
        for _ in range(QUESTIONS + WARM_UP):
            began = time.perf_counter()
            answer = old.ask("How many customers live in Berlin?")
            spent.append(time.perf_counter() - began)
            assert answer.rows == ((2000,),), answer.text
    return spent[WARM_UP:]


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print milliseconds per question, stored and journalled, for both minds."""
    with tempfile.TemporaryDirectory() as folder:
        shop = Path(folder) / "shop.db"
        make_shop(shop)
        reference = bare_query(shop)
        print(f"{QUESTIONS} questions over 10,000 rows; each is stored and journalled.\n")
        print("| | median, ms | p95, ms |\n|---|---:|---:|")
        print(f"| the query alone (reference) | {reference * 1000:.1f} | |")
        for name, model in (
            ("built-in analyst, understanding included", None),
            ("language model that answers at once", ScriptedModel(at_once)),
        ):
            spent = sorted(asked(Path(folder) / name.split()[0], f"sqlite:///{shop}", model))
            p95 = spent[int(len(spent) * 0.95)]
            print(f"| {name} | {statistics.median(spent) * 1000:.1f} | {p95 * 1000:.1f} |")
