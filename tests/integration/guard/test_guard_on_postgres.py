"""The fixtures of the guard, judged by a real Postgres."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from oldhand.sources.databases.guard import checked_text

FIXTURES = Path(__file__).parents[2] / "unit" / "guard" / "fixtures"
CHANGING = ("random", "now()", "BERNOULLI")
"""Reads that give other rows each time."""

Run = Callable[[str], list[tuple[object, ...]]]


@pytest.fixture
def run(postgres_url: str) -> Iterator[Run]:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute((FIXTURES / "postgres_tables.sql").read_bytes())
        connection.execute('ALTER TABLE shop ADD COLUMN "openingHours" text')
        yield lambda sql: connection.execute(sql.encode()).fetchall()


def blocks(name: str) -> list[str]:
    return (FIXTURES / name).read_text("utf-8").strip().split("\n\n")


def test_reads_that_the_guard_allows_run_and_give_the_same_rows_without_comments(run: Run) -> None:
    for block in blocks("postgres_allowed.sql"):
        sql = block.partition("\n")[2]
        rows, again = run(sql), run(checked_text(sql, "postgres"))
        assert rows == again or any(word in sql for word in CHANGING), sql


def test_what_the_rules_reject_and_accept_is_what_postgres_rejects_and_accepts(run: Run) -> None:
    pairs = blocks("issues/postgres.sql")
    assert len(pairs) > 30
    for block in pairs:
        match = re.search(r"-- rejected: \w+\n(.*)\n-- accepted\n(.*)", block, re.DOTALL)
        assert match, block
        with pytest.raises(psycopg.Error):
            run(match[1])
        run(match[2])
