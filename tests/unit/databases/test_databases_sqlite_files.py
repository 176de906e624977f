import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from oldhand.errors import (
    DatabaseUnreachable,
    InvalidDatabaseUrl,
    MultipleStatements,
    QueryFailed,
    StatementRefused,
)
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import Kind
from oldhand.sources.databases import open_database


@pytest.fixture
def path(tmp_path):
    return tmp_path / "odd.db"


def make(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(*((statement,) if isinstance(statement, str) else statement))
        connection.commit()
    return open_url(f"sqlite:///{path}")


def open_url(url):
    return open_database(DatabaseEntry(name="odd", url=url))


def one(database, sql):
    return database.fetch(sql, rows=5, seconds=60).rows[0][0]


def test_a_file_that_does_not_exist_is_unreachable_and_not_created(path):
    with pytest.raises(DatabaseUnreachable, match=r"There is no SQLite file .*odd\.db"):
        open_url(f"sqlite:///{path}")
    assert not path.exists()


def test_a_folder_is_not_a_database(tmp_path):
    with pytest.raises(DatabaseUnreachable, match="is a folder"):
        open_url(f"sqlite:///{tmp_path}")


@pytest.mark.parametrize(
    "content", [b"name,city\nAda,London\n" * 90, b"SQLite format 3\0" + b"x" * 2000]
)
def test_another_kind_of_file_is_not_a_database(path, content):
    path.write_bytes(content)
    with pytest.raises(DatabaseUnreachable, match=r"odd\.db"):
        open_url(f"sqlite:///{path}")
    assert path.read_bytes() == content


def test_an_empty_file_is_an_empty_database(path):
    path.touch()
    with open_url(f"sqlite:///{path}") as database:
        assert database.introspect().tables == ()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("oracle://db/shop", "'oracle' are not supported.*sqlite:///"),
        ("postgressql://db/shop", "Did you mean 'postgresql'"),
        ("shop", "named by a URL.*Supported are"),
        ("data/shop.db", "data/shop.db does not exist"),
        ("/data/shop.DuckDB", "/data/shop.DuckDB does not exist"),
        ("it's.parquet", "it's.parquet does not exist"),
        ("postgresql://ana:geheim@db:port/shop", "does not parse"),
        ("postgresql://ana:${NO_SUCH_VARIABLE}@db/shop", "NO_SUCH_VARIABLE is not set"),
        ("mysql://ana:geheim@db/shop?autocommit=1", "unknown option 'autocommit'"),
        ("postgresql://ana:geheim@db/shop?colour=red", "colour"),
        ("sqlite://", "in memory"),
        ("duckdb:///:memory:", "in memory"),
    ],
)
def test_a_url_that_cannot_be_opened_says_why_without_the_password(url, said):
    with pytest.raises((InvalidDatabaseUrl, DatabaseUnreachable), match=said) as caught:
        open_url(url)
    chain = [caught.value, caught.value.__cause__, caught.value.__context__]
    assert not any("geheim" in f"{error} {error!r}" for error in chain)


@pytest.mark.parametrize(
    "url", ["postgresql://ana:geheim@127.0.0.1:1/x", "mysql://ana:geheim@127.0.0.1:1/x"]
)
def test_a_dead_server_is_unreachable_and_its_password_stays_secret(url):
    with pytest.raises(DatabaseUnreachable) as caught:
        open_url(url)
    assert "***" in str(caught.value)
    assert "geheim" not in f"{caught.value} {caught.value!r} {DatabaseEntry(name='x', url=url)!r}"


@pytest.mark.parametrize(
    ("module", "url", "extra"),
    [("psycopg", "postgresql://db/x", "postgres"), ("pymysql", "mysql://db/x", "mysql")],
)
def test_a_missing_driver_says_what_to_install(module, url, extra):
    program = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from oldhand.errors import MissingExtra\n"
        "from oldhand.record.clone import DatabaseEntry\n"
        "from oldhand.sources.databases import open_database\n"
        f"try: open_database(DatabaseEntry(name='x', url={url!r}))\n"
        "except MissingExtra as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert f"pip install 'oldhand[{extra}]'" in done.stdout


def test_text_that_is_not_utf_8_is_read_with_replacement_characters(path):
    latin = ("INSERT INTO t VALUES (CAST(? AS TEXT))", ("Müller".encode("latin-1"),))
    with make(path, "CREATE TABLE t (name TEXT)", latin) as database:
        assert one(database, "SELECT name FROM t") == "M�ller"
        assert database.introspect().tables[0].columns[0].samples == ("M�ller",)


def test_an_awkward_path_is_opened(tmp_path):
    folder = tmp_path / "my data #1 100%"
    folder.mkdir()
    with make(folder / "é b.db", "CREATE TABLE t (a)") as database:
        assert [table.name for table in database.introspect().tables] == ["t"]


def test_full_text_tables_and_json_functions_work_behind_the_seal(path):
    with make(
        path,
        "CREATE VIRTUAL TABLE notes USING fts5(body)",
        "INSERT INTO notes VALUES ('the quick fox')",
    ) as database:
        assert one(database, "SELECT body FROM notes WHERE notes MATCH 'quick'") == "the quick fox"
        assert one(database, "SELECT sum(value) FROM json_each('[1, 2]')") == 3
        assert [table.name for table in database.introspect().tables] == ["notes"]


def test_a_database_in_wal_mode_is_read(path):
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE t AS SELECT 7 AS a")
        writer.commit()
        with open_url(f"sqlite:///{path}") as database:
            assert one(database, "SELECT a FROM t") == 7


def test_a_locked_database_is_unreachable_for_the_moment(path):
    make(path, "CREATE TABLE t (a)").close()
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DatabaseUnreachable, match="locked"):
            open_url(f"sqlite:///{path}")


@pytest.mark.parametrize(
    "sql", ["ATTACH 'other.db' AS o", "PRAGMA query_only = 0", "BEGIN", "SELECT 1; SELECT 2"]
)
def test_the_connection_itself_refuses_what_is_no_query(path, sql):
    with (
        make(path, "CREATE TABLE t (a)") as database,
        pytest.raises((StatementRefused, MultipleStatements)),
    ):
        database.fetch(sql, rows=1, seconds=60)


@pytest.mark.parametrize("size", [17_000_000, 900_000_000])
def test_a_value_that_would_fill_the_memory_is_refused(path, size):
    with make(path, "CREATE TABLE t (a)") as database, pytest.raises(QueryFailed, match="too big"):
        database.fetch(f"SELECT hex(zeroblob({size} / 2))", rows=1, seconds=60)


def test_kinds_follow_the_values_where_sqlite_has_no_type(path):
    with make(
        path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, born TEXT, seen TEXT, any, flag BOOL, year INT, empty, price STRANGE)",
        "INSERT INTO t VALUES (1, '1990-01-31', '2024-01-31 10:00:00', 2.5, 'T', 'n/a', NULL, 3)",
        "INSERT INTO t VALUES (2, '1991-01-31', '2024-01-31T10:00:00Z', 3, 'F', 1999, NULL, 4)",
        "INSERT INTO t VALUES (3, NULL, NULL, 4, 'F', 2001, NULL, 5)",
    ) as database:
        (table,) = database.introspect().tables
    assert {column.name: column.kind for column in table.columns} == {
        "id": Kind.INTEGER,
        "born": Kind.DATE,
        "seen": Kind.DATETIME,
        "any": Kind.NUMBER,
        "flag": Kind.TEXT,
        "year": Kind.INTEGER,
        "empty": Kind.OTHER,
        "price": Kind.NUMBER,
    }


def test_keys_that_name_no_columns_or_lead_nowhere_are_understood(path):
    with make(
        path,
        "CREATE TABLE Parent (a INTEGER, b INTEGER, PRIMARY KEY (a, b))",
        "CREATE TABLE child (x INTEGER, y INTEGER, z INTEGER REFERENCES nowhere (id), "
        "w INTEGER REFERENCES parent (no_such), FOREIGN KEY (x, y) REFERENCES PARENT)",
    ) as database:
        child = database.introspect().table("child")
    assert child is not None
    (key,) = child.foreign_keys
    assert (key.table, key.columns, key.target_columns) == ("Parent", ("x", "y"), ("a", "b"))


def test_a_view_that_no_longer_works_does_not_stop_introspection(path):
    with make(
        path,
        "CREATE TABLE t (a INTEGER)",
        "CREATE VIEW good AS SELECT a FROM t",
        "CREATE TABLE gone (a INTEGER)",
        "CREATE VIEW bad AS SELECT a FROM gone",
        "DROP TABLE gone",
    ) as database:
        names = {table.name for table in database.introspect().tables}
    assert names >= {"t", "good"}


def test_generated_columns_and_unique_indexes_are_seen(path):
    with make(
        path,
        "CREATE TABLE t (a INTEGER NOT NULL, b INTEGER GENERATED ALWAYS AS (a * 2), c TEXT, d TEXT)",
        "CREATE UNIQUE INDEX one ON t (c)",
        "CREATE UNIQUE INDEX some ON t (d) WHERE a > 1",
    ) as database:
        columns = {column.name: column for column in database.introspect().tables[0].columns}
    assert list(columns) == ["a", "b", "c", "d"]
    assert [name for name, column in columns.items() if column.unique] == ["c"]


def test_samples_are_few_short_distinct_and_never_secret(path):
    with make(
        path,
        "CREATE TABLE t (city TEXT, prose TEXT, password TEXT, apiKey TEXT, photo BLOB)",
        ("INSERT INTO t VALUES ('Bonn', ?, 'p', 'k', x'00')", ("long " * 50,)),
        "INSERT INTO t VALUES ('Bonn', 'short', 'p', 'k', x'00'), ('Kiel', ' ', 'p', 'k', x'00')",
        "INSERT INTO t VALUES ('Köln', '', 'p', 'k', x'00'), ('Jena', NULL, 'p', 'k', x'00')",
    ) as database:
        columns = database.introspect(samples=3).tables[0].columns
        assert [column.samples for column in columns] == [
            ("Bonn", "Kiel", "Köln"),
            ("short",),
            (),
            (),
            (),
        ]
        assert all(
            not column.samples for column in database.introspect(samples=0).tables[0].columns
        )


def test_names_with_quotes_and_spaces_are_read(path):
    with make(
        path,
        'CREATE TABLE "order ""details""" ("unit price" REAL, "select" TEXT)',
        ('INSERT INTO "order ""details""" VALUES (?, ?)', (1.5, "x")),
    ) as database:
        (table,) = database.introspect().tables
        assert table.name == 'order "details"'
        assert [column.samples for column in table.columns] == [(1.5,), ("x",)]
        assert list(database.distinct_values(table.name, "unit price", limit=5)) == [1.5]


def test_a_file_that_was_replaced_is_opened_anew(path, tmp_path):
    with make(path, "CREATE TABLE t AS SELECT 1 AS a") as database:
        assert one(database, "SELECT a FROM t") == 1
        make(tmp_path / "new.db", "CREATE TABLE t AS SELECT 2 AS a").close()
        (tmp_path / "new.db").replace(path)
        assert one(database, "SELECT a FROM t") == 2
        path.unlink()
        with pytest.raises(DatabaseUnreachable):
            one(database, "SELECT a FROM t")
