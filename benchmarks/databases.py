"""What Oldhand adds to a query, and how fast schemas are read and rows move into the workspace."""

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import (
    Database,
    QueryResult,
    load_schema,
    open_database,
    open_workspace,
    save_schema,
)

REPETITIONS = 30
TABLES, COLUMNS, ROWS = 200, 12, 500
WORKSPACE_ROWS = 200_000
QUERIES = {
    "one row by key": "SELECT * FROM sales WHERE id = 4711",
    "group by over 100,000 rows": "SELECT city, count(*), sum(price) FROM sales GROUP BY city",
    "1,000 rows": "SELECT * FROM sales LIMIT 1000",
    "100,000 rows": "SELECT * FROM sales",
}


def run(data: Path | None) -> None:
    """Print the tables; with `data`, also the introspection of the public databases there."""
    with tempfile.TemporaryDirectory() as folder:
        _overhead(Path(folder))
        _introspection(Path(folder))
    _workspace()
    if data is not None:
        _public(data)


def _overhead(folder: Path) -> None:
    path = folder / "sales.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TABLE sales (id INTEGER PRIMARY KEY, city TEXT, price REAL, day TEXT)"
        )
        rows = ((i, f"city {i % 50}", i / 7, f"2024-01-{1 + i % 28:02}") for i in range(100_000))
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?)", rows)
        connection.commit()
    print(
        "One query on SQLite, median of",
        REPETITIONS,
        "runs; execute checks the SQL and hops to a thread.\n",
    )
    print("| query | bare driver | fetch | execute | execute : driver | added |")
    print("|---|---|---|---|---|---|")
    with closing(sqlite3.connect(path)) as bare, _open(path) as database:
        for name, sql in QUERIES.items():
            driver = _median(lambda sql=sql: bare.execute(sql).fetchall())
            fetch = _median(lambda sql=sql: database.fetch(sql, rows=200_000, seconds=60))
            execute = asyncio.run(_median_execute(database, sql))
            print(
                f"| {name} | {driver * 1e3:.2f} ms | {fetch * 1e3:.2f} ms | {execute * 1e3:.2f} ms "
                f"| {execute / driver:.1f} | {(execute - driver) * 1e3:.2f} ms |"
            )


def _introspection(folder: Path) -> None:
    path = folder / "wide.db"
    with closing(sqlite3.connect(path)) as connection:
        for n in range(TABLES):
            columns = ", ".join(
                f"column_{c} {'TEXT' if c % 2 else 'INTEGER'}" for c in range(1, COLUMNS)
            )
            parent = f", FOREIGN KEY (column_2) REFERENCES table_{n - 1} (id)" if n else ""
            connection.execute(
                f"CREATE TABLE table_{n} (id INTEGER PRIMARY KEY, {columns}{parent})"
            )
            places = ", ".join("?" * COLUMNS)
            rows = (
                [i, *(f"word {i % 9}" if c % 2 else i for c in range(1, COLUMNS))]
                for i in range(ROWS)
            )
            connection.executemany(f"INSERT INTO table_{n} VALUES ({places})", rows)
        connection.commit()
    file = folder / "wide.yaml"
    with _open(path) as database:
        began = time.perf_counter()
        schema = database.introspect()
        introspected = time.perf_counter()
        save_schema(schema, file)
        saved = time.perf_counter()
        load_schema(file)
        loaded = time.perf_counter()
    print(f"\nA schema of {TABLES} tables with {COLUMNS} columns and {ROWS} rows each (SQLite).\n")
    print("| introspect, samples and counts | write YAML | read YAML | size |")
    print("|---|---|---|---|")
    print(
        f"| {introspected - began:.2f} s | {saved - introspected:.2f} s | {loaded - saved:.2f} s "
        f"| {file.stat().st_size / 1e3:.0f} kB |"
    )


def _workspace() -> None:
    start = date(2020, 1, 1)
    rows = tuple(
        (i, f"name {i % 5000}", Decimal(i) / 100, i / 7, start + timedelta(i % 1500), i % 2 == 0)
        for i in range(WORKSPACE_ROWS)
    )
    result = QueryResult(("id", "name", "price", "share", "day", "active"), rows)
    with open_workspace() as workspace:
        began = time.perf_counter()
        workspace.add("step_1", result)
        loaded = time.perf_counter() - began
        began = time.perf_counter()
        workspace.fetch(
            "SELECT a.name, sum(b.price) FROM step_1 a JOIN step_1 b USING (id) GROUP BY 1",
            rows=10_000,
            seconds=60,
        )
        joined = time.perf_counter() - began
    print(f"\nThe workspace: {WORKSPACE_ROWS:,} rows of six types.\n")
    print("| load | rows/s | join with itself, group by |")
    print("|---|---|---|")
    print(f"| {loaded:.2f} s | {WORKSPACE_ROWS / loaded:,.0f} | {joined:.2f} s |")


def _public(data: Path) -> None:
    files = sorted(data.rglob("*.sqlite"))
    if not files:
        return
    tables = keys = 0
    began = time.perf_counter()
    for path in files:
        with _open(path) as database:
            schema = database.introspect()
        tables += len(schema.tables)
        keys += sum(len(table.foreign_keys) for table in schema.tables)
    seconds = time.perf_counter() - began
    print(
        f"\n{len(files)} public SQLite databases: {tables:,} tables, {keys:,} foreign keys in {seconds:.1f} s."
    )


def _open(path: Path) -> Database:
    return open_database(DatabaseEntry(name="bench", url=f"sqlite:///{path}"))


def _median(work: Callable[[], object]) -> float:
    seconds: list[float] = []
    for _ in range(REPETITIONS):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


async def _median_execute(database: Database, sql: str) -> float:
    seconds: list[float] = []
    for _ in range(REPETITIONS):
        began = time.perf_counter()
        await database.execute(sql, rows=200_000, seconds=60)
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)
