"""What one correction is worth for other questions that rest on what it says, as a user of a new home meets it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import yaml

from benchmarks._spider_data import Rows, same_answer
from oldhand import Oldhand

RULE = """A ferry line whose words are those of no example here. Each lesson in a home of its own: one question, its correction in SQL by
the owner, then other questions that rest on what it says. Right means answered, and with the rows of the right SQL."""
_FOLDER = Path(__file__).parent / "_teaching"
_TOWNS = ("Oslo", "Bergen", "Kiel", "Aarhus", "Turku")
_PORTS = (("Kiel", "Germany"), ("Turku", "Finland"), ("Larvik", "Norway"), ("Moss", "Norway"), ("Frederikshavn", "Denmark"))  # fmt: skip


def run(_: Path | None) -> None:
    """Print the table, and the questions that are still wrong."""
    print(RULE + "\n")
    print("| taught | questions | right before | right after |")
    print("|---|---|---|---|")
    missed: list[str] = []
    lessons = yaml.safe_load((_FOLDER / "lessons.yaml").read_text("utf-8"))
    with TemporaryDirectory() as folder:
        file = ferries(Path(folder) / "ferries.db")
        for number, (name, lesson) in enumerate(lessons.items()):
            asked: dict[str, str] = lesson["then"]
            right = {text: fetched(file, sql) for text, sql in asked.items()}
            with Oldhand(Path(folder) / f"home-{number}") as old:
                old.databases.add(f"sqlite:///{file}", name="ferries")
                before = [text for text in asked if is_right(old, text, asked[text], right[text])]
                wrong = old.ask(lesson["question"])
                old.feedback(wrong, correction=lesson["correction"])
                after = [text for text in asked if is_right(old, text, asked[text], right[text])]
            print(f"| {name} | {len(asked)} | {len(before)} | {len(after)} |", flush=True)
            missed += [f"- {name}: {text}" for text in asked if text not in after]
    print("\nStill wrong, or not answered:\n" if missed else "\nNone is wrong.")
    print("\n".join(missed))


def is_right(old: Oldhand, question: str, sql: str, rows: Rows) -> bool:
    """Whether a question is answered with the right rows."""
    answer = old.ask(question)
    return answer.outcome == "answered" and same_answer(sql, rows, list(answer.rows))


def fetched(file: Path, sql: str) -> Rows:
    """The rows of a right query."""
    with closing(sqlite3.connect(file)) as database:
        return database.execute(sql).fetchall()


def ferries(path: Path) -> Path:
    """A ferry line, the same one each time."""
    random = Random(11)
    with closing(sqlite3.connect(path)) as made, made:
        made.executescript((_FOLDER / "ferries.sql").read_text("utf-8"))
        made.executemany("INSERT INTO ports VALUES (?, ?, ?)", [(n, *one) for n, one in enumerate(_PORTS, 1)])  # fmt: skip
        for number in range(1, 41):
            row = (number, f"Passenger {number:02}", random.choice(_TOWNS), random.choice(("T1", "T4", "T7")))  # fmt: skip
            made.execute("INSERT INTO passengers VALUES (?, ?, ?, ?)", row)
        for number in range(1, 91):
            start, end = random.sample(range(1, 6), 2)
            day = f"{random.choice((2023, 2024))}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"  # fmt: skip
            made.execute("INSERT INTO sailings VALUES (?, ?, ?, ?, ?)", (number, start, end, day, random.randint(4, 40) / 2))  # fmt: skip
        for number in range(1, 401):
            row = (
                number, random.randint(1, 37), random.randint(1, 90), f"2024-{random.randint(1, 12):02}-10",
                random.randint(20, 180), random.choice(("paid", "paid", "open", "annulled")),
            )  # fmt: skip
            made.execute("INSERT INTO bookings VALUES (?, ?, ?, ?, ?, ?)", row)
    return path
