"""A file of one kind is not opened as one of another."""

import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from oldhand.errors import DatabaseUnreachable
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import open_database


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A file of each kind, under a name that says nothing."""
    found = {kind: tmp_path / f"{kind}-data" for kind in ("sqlite", "duckdb")}
    with closing(sqlite3.connect(found["sqlite"])) as connection:
        connection.execute("CREATE TABLE customers (name TEXT)")
    with closing(duckdb.connect(str(found["duckdb"]))) as connection:
        connection.execute("CREATE TABLE customers (name TEXT)")
    return found


@pytest.mark.parametrize(
    ("kind", "other", "name"), [("sqlite", "duckdb", "DuckDB"), ("duckdb", "sqlite", "SQLite")]
)
def test_a_file_of_another_kind_is_told(files, kind, other, name):
    with open_database(DatabaseEntry(name="right", url=f"{kind}:///{files[kind]}")) as database:
        assert [table.name for table in database.introspect().tables] == ["customers"]
    wrong = DatabaseEntry(name="wrong", url=f"{kind}:///{files[other]}")
    with pytest.raises(DatabaseUnreachable, match=f"is a {name} file: write {other}:///"):
        open_database(wrong)
