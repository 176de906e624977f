"""A limit is a limit: whatever a statement does, it ends in time and within its memory, and the next one runs."""

import sqlite3
import threading
import time
from contextlib import closing

import duckdb
import pytest
from tests.patience import PATIENCE

from oldhand.errors import DatabaseError, QueryRefused, QueryTimedOut
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import QueryResult, open_database, open_workspace
from oldhand.sources.databases.guard import checked_text

SECONDS = 1.0

STUCK = {
    "sqlite": (
        "SELECT instr(hex(zeroblob(7900000)), hex(zeroblob(3900000)) || 'b')",
        "SELECT replace(hex(zeroblob(7900000)), hex(zeroblob(3000000)) || 'b', 'x')",
        "SELECT printf('%.1000000000c', 'x') || printf('%.*c', 1000000000, 'x')",
        "SELECT hex(zeroblob(7900000)) LIKE '%' || hex(zeroblob(20000)) || 'b%'",
        "SELECT hex(zeroblob(4000000)) GLOB '*0*0*0*0*0*0*0*0*b'",
        "SELECT json_extract('[' || replace(hex(zeroblob(3900000)), '0', '[') || ']', '$[0]')",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
        "WITH RECURSIVE n(t) AS (SELECT 'x' UNION ALL SELECT t || t FROM n WHERE length(t) < 9000000) "
        "SELECT group_concat(a.t, b.t) FROM n a, n b, n c ORDER BY 1",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
        "SELECT a.i, b.i, c.i FROM n a, n b, n c ORDER BY a.i * b.i % 77, c.i DESC",
    ),
    "duckdb": (
        "SELECT levenshtein(repeat('ab', 300000), repeat('ba', 300000))",
        "SELECT jaro_winkler_similarity(repeat('ab', 400000), repeat('ba', 400000))",
        "SELECT damerau_levenshtein(repeat('ab', 200000), repeat('ba', 200000))",
        "SELECT length(repeat('x', 3000000000) || repeat('y', 3000000000))",
        "SELECT max(length(repeat('x', 90000000) || i)) FROM range(1000) r(i)",
        "SELECT list_transform(range(300000000), lambda x: x * x)",
        "SELECT string_agg(repeat('x', 100000) || i, ',') FROM range(1000000) r(i)",
        "SELECT lpad('x', 2000000000, 'y') || lpad('x', 2000000000, 'y')",
        "SELECT regexp_replace(repeat('a', 50000000), '(a*)*b', 'x', 'g')",
        "SELECT count(*) FROM (SELECT * FROM range(100000) a, range(100000) b ORDER BY a.range * b.range % 977)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
        "SELECT bit_count(repeat('1', 900000000)::BIT | repeat('0', 900000000)::BIT)",
        "SELECT json_array_length('[' || repeat('[1],', 300000000) || '1]')",
        "SELECT list(md5(i::VARCHAR)) FROM range(1000000000) r(i)",
    ),
}


@pytest.fixture(scope="module")
def databases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("limits")
    with closing(sqlite3.connect(folder / "shop.db")) as connection:
        connection.execute("CREATE TABLE shop (id INTEGER)")
    duckdb.connect(str(folder / "shop.duckdb")).close()
    opened = {
        "sqlite": open_database(DatabaseEntry(name="shop", url=f"sqlite:///{folder}/shop.db")),
        "duckdb": open_database(DatabaseEntry(name="depot", url=f"duckdb:///{folder}/shop.duckdb")),
    }
    yield opened
    for database in opened.values():
        database.close()


@pytest.mark.parametrize(
    ("kind", "sql"), [(kind, sql) for kind, many in STUCK.items() for sql in many]
)
def test_a_statement_ends_in_time_and_memory_and_the_next_one_runs(databases, kind, sql):
    database = databases[kind]
    checked_text(sql, kind)  # the guard lets it pass: the limit must hold
    began = time.monotonic()
    try:
        database.fetch(sql, rows=100, seconds=SECONDS)
    except (DatabaseError, QueryRefused) as error:
        assert "seconds" in str(error) or len(str(error)) > 10  # noqa: PT017
    assert time.monotonic() - began < PATIENCE
    assert database.fetch("SELECT 1", rows=1, seconds=PATIENCE).rows == ((1,),)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_stuck_statements_never_block_another_one(databases, kind):
    database, sql = databases[kind], STUCK[kind][0]
    ended: list[str] = []

    def stuck():
        with pytest.raises(QueryTimedOut):
            database.fetch(sql, rows=1, seconds=600)
        ended.append(sql)

    threads = [threading.Thread(target=stuck) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert database.fetch("SELECT 1", rows=1, seconds=PATIENCE).rows == ((1,),)
    assert not ended
    for run in tuple(database._runs):
        run.stop(QueryTimedOut())
    for thread in threads:
        thread.join(PATIENCE)
    assert len(ended) == 4


def test_the_workspace_has_its_tables_again_after_a_statement_was_ended():
    with open_workspace() as workspace:
        workspace.add("step_1", QueryResult(("city",), (("Bonn",), ("Graz",))))
        with pytest.raises(QueryTimedOut):
            workspace.fetch(STUCK["duckdb"][0], rows=1, seconds=SECONDS)
        assert workspace.fetch("SELECT count(*) FROM step_1", rows=1, seconds=PATIENCE).rows == (
            (2,),
        )
