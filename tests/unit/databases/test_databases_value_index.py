"""The file of an index of values: whole or not used at all, and written by one process at a time."""

import subprocess
import sys
from pathlib import Path

import pytest

from oldhand.errors import QueryTimedOut
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases.value_files import fingerprint
from oldhand.sources.databases.values import ValueIndex

PROGRAM = Path(__file__).with_name("value_index_program.py")
COLUMN = Column(name="city", type="TEXT", kind=Kind.TEXT)
TABLE = Table(name="customers", schema_name="main", columns=(COLUMN,))
SCHEMA = DatabaseSchema(name="shop", dialect="sqlite", tables=(TABLE,))
"""As in the program."""


class Source:
    """A database of one value."""

    name = "shop"

    def __init__(self, value):
        self.value = value

    def distinct_values(self, table, column, *, schema_name=None, limit):
        yield self.value


def _start(path: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(PROGRAM), str(path), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _kill_half_way(path: Path, value: str) -> None:
    """Build an index and kill the process in the middle of it."""
    with _start(path, value, "hang") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "read\n"
        assert process.stdout.readline() == "half\n"
        process.kill()


def test_a_half_written_file_is_never_used_and_the_next_build_clears_it_away(tmp_path) -> None:
    path = tmp_path / "shop.sqlite"
    _kill_half_way(path, "Rome")
    assert ValueIndex.open(path, "shop", fingerprint(SCHEMA)) is None
    assert (tmp_path / "shop.sqlite.new").exists()
    index = ValueIndex.fresh(path, Source("Paris"), SCHEMA)
    assert [match.value for match in index.exact(["paris"])] == ["Paris"]
    assert not index.exact(["Rome"])
    assert {p.name for p in tmp_path.iterdir()} == {"shop.sqlite", "shop.sqlite.lock"}
    index.close()


def test_a_killed_build_leaves_the_older_index_in_place(tmp_path) -> None:
    path = tmp_path / "shop.sqlite"
    ValueIndex.fresh(path, Source("Paris"), SCHEMA, "before").close()
    _kill_half_way(path, "Rome")
    older = ValueIndex.open(path, "shop", fingerprint(SCHEMA, "before"))
    assert older is not None
    assert older.exact(["Paris"])
    older.close()


class Company:
    """A database of two columns with many values, which breaks off in the second unless it is let through."""

    name = "shop"

    def __init__(self, prefix="", breaks=False):
        self.prefix = prefix
        self.breaks = breaks
        self.read = []

    def distinct_values(self, table, column, *, schema_name=None, limit):
        self.read.append(column)
        for number in range(25_000):
            yield f"{self.prefix}{column} {number}"
        if self.breaks and column == "street":
            raise QueryTimedOut("street: longer than 30 seconds.")


COMPANY = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        TABLE.model_copy(
            update={"columns": (COLUMN, COLUMN.model_copy(update={"name": "street"}))}
        ),
    ),
)


def _broken_off(path: Path) -> None:
    """Read the first of two columns, and break off in the second."""
    with pytest.raises(QueryTimedOut):
        ValueIndex.fresh(path, Company(breaks=True), COMPANY, "monday")


def test_what_a_broken_off_build_has_read_is_not_read_again(tmp_path) -> None:
    path = tmp_path / "shop.sqlite"
    _broken_off(path)
    assert ValueIndex.open(path, "shop", fingerprint(COMPANY, "monday")) is None
    source = Company()
    index = ValueIndex.fresh(path, source, COMPANY, "monday")
    assert source.read == ["street"]
    assert index.size == 50_000
    for value in ("city 24999", "street 0", "street 24999"):
        assert [match.value for match in index.exact([value])] == [value]
        assert [match.value for match in index.containing(value)] == [value]
    index.close()


def test_a_column_is_read_again_when_the_data_has_changed_since_it_was_read(tmp_path) -> None:
    path = tmp_path / "shop.sqlite"
    _broken_off(path)
    source = Company("new ")
    index = ValueIndex.fresh(path, source, COMPANY, "tuesday")
    assert source.read == ["city", "street"]
    assert index.exact(["new city 1"])
    assert not index.exact(["city 1"])
    index.close()


def test_an_index_of_data_that_never_rests_is_finished_and_counts_as_an_older_one(tmp_path) -> None:
    path = tmp_path / "shop.sqlite"
    _broken_off(path)
    source = Company("new ")
    index = ValueIndex.fresh(path, source, COMPANY, "tuesday", mixed=True)
    assert source.read == ["street"]
    assert index.exact(["city 1"])
    assert index.exact(["new street 1"])
    assert index.fingerprint == fingerprint(COMPANY, "monday")
    index.close()


def test_of_processes_that_need_the_same_index_at_once_one_builds_it(tmp_path) -> None:
    processes = [_start(tmp_path / "shop.sqlite", "Rome") for _ in range(4)]
    said = [process.communicate()[0].split() for process in processes]
    assert sorted(said) == [["Rome"], ["Rome"], ["Rome"], ["read", "Rome"]]


def test_a_value_is_found_among_many_that_begin_alike() -> None:
    names = [f"Part {number:05}" for number in range(30_000)]
    index = ValueIndex.in_memory("shop", [("main", "parts", "label", [*names, "Party Tent"])])
    assert index.lookup("part 00471")[0].value == "Part 00471"
    assert index.lookup("Party Tnet")[0].value == "Party Tent"
    assert index.lookup("Part qqqqqqqqqqqqqqqq") == ()
