"""SQL that language models really wrote: how much of what SQLite rejects is seen before it runs, and what is seen wrongly.

The truth is SQLite: each recorded query is run on its database. The rules were developed on half of the databases (by a
hash of the name) and on queries made here; the other half is reported apart and was not looked at.

`python -m benchmarks.guard DIR` lists what was missed and what was flagged wrongly on the developing half, too.
"""

import csv
import json
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from statistics import median, quantiles

from benchmarks._data import text2sql
from oldhand.errors import QueryRefused
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases.guard import check_sql
from oldhand.sources.databases.opening import open_database
from oldhand.sources.databases.sql_issues import Severity, find_issues

MAX_STEPS = 20_000_000
"""Virtual machine steps after which a query counts as running: what SQLite rejects, it rejects sooner."""

SELF_MADE = (
    "SELECT name, count(*) FROM shop GROUP BY name ORDER BY count(*) DESC LIMIT 5",
    "SELECT s.name, sum(a.amount) FROM shop AS s JOIN sale AS a ON a.shop_id = s.id WHERE a.day > '2024' GROUP BY s.id",
    "SELECT name FROM shop WHERE id IN (SELECT shop_id FROM sale WHERE amount > (SELECT avg(amount) FROM sale))",
    "WITH t AS (SELECT shop_id, max(amount) AS m FROM sale GROUP BY shop_id) SELECT name, m FROM t JOIN shop ON id = shop_id",
    "SELECT nmae FROM shop WHERE count(*) > 1",
)


@dataclass
class Tally:
    """Counts of one set of queries."""

    valid: int = 0
    invalid: int = 0
    caught: int = 0
    false_alarms: int = 0
    seconds: list[float] = field(default_factory=list[float])

    def add(self, rejected: bool, flagged: bool, seconds: float) -> None:
        """Count one query."""
        self.seconds.append(seconds)
        if rejected:
            self.invalid += 1
            self.caught += flagged
        else:
            self.valid += 1
            self.false_alarms += flagged

    def row(self, name: str) -> str:
        """One line of the table."""
        share = f"{self.caught / self.invalid:.1%}" if self.invalid else "-"
        middle, p95 = _times(self.seconds)
        return (
            f"| {name} | {self.valid + self.invalid} | {self.invalid} | {self.caught} | {share} "
            f"| {self.false_alarms} of {self.valid} | {middle:.2f} | {p95:.2f} |"
        )


@dataclass(frozen=True)
class Recorded:
    """One query with the file that it was recorded in."""

    file: str
    database: str
    sql: str


def is_developing_half(database: str) -> bool:
    """The split by name: an even first byte of its SHA-256."""
    return sha256(database.encode()).digest()[0] % 2 == 0


def run(data: Path | None) -> None:
    """Print what the rules catch and how long they and the guard take."""
    print("Time of the guard and of the rules on five queries made here, in milliseconds:\n")
    _print_times(own_schema(), SELF_MADE)
    recordings, dev = text2sql(data, "recorded_llm_spider_dev"), text2sql(data, "spider_dev")
    if recordings is None or dev is None:
        print("\nThe recorded queries need `--data DIR`.")
        return
    recorded = list(_recorded(recordings, dev))
    names = sorted({query.database for query in recorded})
    print(f"\nDeveloped on: {', '.join(filter(is_developing_half, names))}.")
    print(f"Held out: {', '.join(n for n in names if not is_developing_half(n))}.\n")
    _print_recorded(recorded, dev)
    _print_gold(dev)


def _print_recorded(recorded: list[Recorded], dev: Path) -> None:
    print(
        "| queries | all | rejected by SQLite | caught | share | false alarms | median ms | p95 ms |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    tallies: dict[str, Tally] = {}
    for query in recorded:
        half = "developed on" if is_developing_half(query.database) else "held out"
        error = rejection(dev, query.database, query.sql)
        flagged, seconds = _judge(dev, query.database, query.sql)
        for name in (query.file, half, "**all**"):
            tallies.setdefault(name, Tally()).add(error is not None, flagged, seconds)
    for name in sorted(
        tallies, key=lambda name: (name in {"developed on", "held out"}, name == "**all**")
    ):
        print(tallies[name].row(name))


def _print_mistakes(recorded: list[Recorded], dev: Path) -> None:
    for query in filter(lambda query: is_developing_half(query.database), recorded):
        error = rejection(dev, query.database, query.sql)
        flagged, _ = _judge(dev, query.database, query.sql)
        if flagged != (error is not None):
            print(f"- {query.database}: `{query.sql}`: {error or 'wrongly flagged'}")


def _print_gold(dev: Path) -> None:
    tally = Tally()
    refused = 0
    for line in (dev / "questions.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)
        database, sql = question["db_id"], question["query"]
        flagged, seconds = _judge(dev, database, sql)
        tally.add(rejection(dev, database, sql) is not None, flagged, seconds)
        refused += _is_refused(sql)
    print(tally.row("gold queries"))
    print(f"\nOf the gold queries, the guard refused {refused}.")


def _recorded(folder: Path, dev: Path) -> Iterator[Recorded]:
    known = {entry.name for entry in (dev / "database").iterdir()}
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["DATABASE"] in known:
                    yield Recorded(path.stem, row["DATABASE"], row["PREDICTED SQL"])


@cache
def schema_of(dev: Path, database: str) -> DatabaseSchema:
    """What is known of a database, without examples of values."""
    with closing(open_database(DatabaseEntry(name=database, url=_url(dev, database)))) as opened:
        return opened.introspect(samples=0)


def file_of(dev: Path, database: str) -> Path:
    """Where a database of a data set lies."""
    return next((dev / "database" / database).glob("*.sqlite"))


def _url(dev: Path, database: str) -> str:
    return f"sqlite:///{file_of(dev, database)}"


@cache
def rejection(dev: Path, database: str, sql: str) -> str | None:
    """SQLite's message when it rejects the query; None when it runs, however long it would."""
    with closing(
        sqlite3.connect(f"{file_of(dev, database).as_uri()}?mode=ro", uri=True)
    ) as connection:
        connection.text_factory = bytes
        connection.set_progress_handler(lambda: 1, MAX_STEPS)
        try:
            connection.execute(sql).fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            return None if "interrupted" in str(error) else str(error)
    return None


def _judge(dev: Path, database: str, sql: str) -> tuple[bool, float]:
    """Whether the rules would reject the query, and how long they took."""
    schema = schema_of(dev, database)
    began = time.perf_counter()
    issues = find_issues(sql, schema)
    seconds = time.perf_counter() - began
    return any(issue.severity is Severity.ERROR for issue in issues), seconds


def _is_refused(sql: str) -> bool:
    try:
        check_sql(sql, "sqlite")
    except QueryRefused:
        return True
    return False


def _print_times(schema: DatabaseSchema, queries: tuple[str, ...]) -> None:
    print("| | median ms | p95 ms |\n|---|---:|---:|")
    steps: dict[str, Callable[[str], object]] = {
        "guard": lambda sql: check_sql(sql, "sqlite"),
        "rules": lambda sql: find_issues(sql, schema),
    }
    for name, step in steps.items():
        seconds: list[float] = []
        for sql in queries * 40:
            began = time.perf_counter()
            step(sql)
            seconds.append(time.perf_counter() - began)
        middle, p95 = _times(seconds)
        print(f"| {name} | {middle:.2f} | {p95:.2f} |")


def _times(seconds: list[float]) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds."""
    return median(seconds) * 1000, quantiles(seconds, n=20)[-1] * 1000


def own_schema() -> DatabaseSchema:
    """The tables of the queries made here."""

    def table(name: str, *columns: str) -> Table:
        made = [Column(name=column, type="TEXT", kind=Kind.TEXT) for column in columns]
        return Table(name=name, schema_name="main", columns=tuple(made))

    shop = table("shop", "id", "name", "city", "opened", "area")
    sale = table("sale", "id", "shop_id", "amount", "day", "customer")
    return DatabaseSchema(name="shops", dialect="sqlite", tables=(shop, sale))


if __name__ == "__main__":
    place = Path(sys.argv[1])
    run(place)
    recordings, dev = text2sql(place, "recorded_llm_spider_dev"), text2sql(place, "spider_dev")
    if recordings and dev:
        _print_mistakes(list(_recorded(recordings, dev)), dev)
