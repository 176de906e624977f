"""Statements that used to run on, or to fill the memory: how long each takes under a limit, and what it costs in memory."""

import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import duckdb

from oldhand.errors import DatabaseError, QueryRefused
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import Database, open_database

SECONDS = 3.0
STATEMENTS = (
    (
        "sqlite",
        "`instr` of long texts",
        "SELECT instr(hex(zeroblob(7900000)), hex(zeroblob(3900000)) || 'b')",
    ),
    (
        "sqlite",
        "`replace` of long texts",
        "SELECT replace(hex(zeroblob(7900000)), hex(zeroblob(3000000)) || 'b', 'x')",
    ),
    ("sqlite", "`GLOB` of many stars", "SELECT hex(zeroblob(4000000)) GLOB '*0*0*0*0*0*0*0*0*b'"),
    ("sqlite", "`printf` of a huge precision", "SELECT printf('%.1000000000c', 'x')"),
    (
        "sqlite",
        "endless recursion",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
    ),
    (
        "sqlite",
        "a sorted cross join",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
        "SELECT a.i, b.i, c.i FROM n a, n b, n c ORDER BY a.i * b.i % 77, c.i DESC",
    ),
    (
        "duckdb",
        "`levenshtein` of long texts",
        "SELECT levenshtein(repeat('ab', 300000), repeat('ba', 300000))",
    ),
    ("duckdb", "`repeat`", "SELECT max(length(repeat('x', 90000000) || i)) FROM range(1000) r(i)"),
    ("duckdb", "`lpad`", "SELECT lpad('x', 2000000000, 'y') || lpad('x', 2000000000, 'y')"),
    ("duckdb", "`list_transform`", "SELECT list_transform(range(300000000), lambda x: x * x)"),
    (
        "duckdb",
        "`string_agg`",
        "SELECT string_agg(repeat('x', 100000) || i, ',') FROM range(1000000) r(i)",
    ),
    ("duckdb", "`list`", "SELECT list(md5(i::VARCHAR)) FROM range(1000000000) r(i)"),
)


def tried(database: Database, sql: str) -> tuple[str, float]:
    """How a statement ended, and after how many seconds."""
    began = time.perf_counter()
    try:
        database.fetch(sql, rows=100, seconds=SECONDS)
        ended = "answered"
    except (DatabaseError, QueryRefused) as error:
        ended = type(error).__name__
    return ended, time.perf_counter() - began


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print a row for each statement, with how soon the next one was answered."""
    print(
        f"Each under a limit of {SECONDS:g} s and 2 GB; after it, the same database is asked for `SELECT 1`.\n"
    )
    print(
        "| database | statement | ended as | after, s | then `SELECT 1`, ms |\n|---|---|---|---:|---:|"
    )
    with tempfile.TemporaryDirectory() as folder:
        with closing(sqlite3.connect(f"{folder}/shop.sqlite")) as connection:
            connection.execute("CREATE TABLE shop (id INTEGER)")
        duckdb.connect(f"{folder}/shop.duckdb").close()
        for kind, name, sql in STATEMENTS:
            entry = DatabaseEntry(name="shop", url=f"{kind}:///{folder}/shop.{kind}")
            with open_database(entry) as database:
                ended, seconds = tried(database, sql)
                _, again = tried(database, "SELECT 1")
            print(f"| {kind} | {name} | {ended} | {seconds:.1f} | {again * 1000:.0f} |")
