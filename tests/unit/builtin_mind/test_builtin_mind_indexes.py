"""A large index of values is built anew in the background: questions are answered from the older one meanwhile."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from tests.patience import PATIENCE

from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.record.base import Cell
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases import Catalog

TODAY = datetime.now(tz=UTC).date()
KILLED = """
import sys
from datetime import date
from pathlib import Path
from threading import Event
from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.sources.databases import Catalog

never = Event()
catalog = Catalog(Path(sys.argv[1]))

class Endless:
    name = "crm"

    def distinct_values(self, table, column, *, schema_name=None, limit):
        print("reading", flush=True)
        yield "Oslo"
        never.wait()

class Held:
    def list(self):
        return catalog.list()

    def open(self, name):
        return Endless()

indexes = Indexes(Held(), Path(sys.argv[2]), at_once=0)
indexes.lookup((catalog.schema("crm"),), date.fromisoformat(sys.argv[3]))
never.wait()
"""


@dataclass
class Gate:
    """The databases of a catalogue, whose values can be read once it is opened."""

    catalog: Catalog
    opened: Event = field(default_factory=Event)
    reads: list[str] = field(default_factory=list[str])

    def list(self) -> Sequence[DatabaseEntry]:
        return self.catalog.list()

    def open(self, name: str) -> "_Gated":
        return _Gated(self, name)


@dataclass(frozen=True)
class _Gated:
    gate: Gate
    name: str

    def distinct_values(
        self, table: str, column: str, *, schema_name: str | None = None, limit: int
    ) -> Iterable[Cell]:
        assert self.gate.opened.wait(PATIENCE)
        self.gate.reads.append(f"{table}.{column}")
        database = self.gate.catalog.open(self.name)
        return list(database.distinct_values(table, column, schema_name=schema_name, limit=limit))


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with closing(sqlite3.connect(tmp_path / "crm.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers (city) VALUES ('Berlin'), ('Bonn')")
    made = Catalog(tmp_path / "home")
    made.add(f"sqlite:///{tmp_path / 'crm.db'}", name="crm")
    yield made
    made.close()


@pytest.fixture
def schemas(catalog: Catalog, tmp_path: Path) -> tuple[DatabaseSchema, ...]:
    """The schema of a database whose index is there, and out of date: Rome has come since."""
    found = (catalog.schema("crm"),)
    Indexes(catalog, tmp_path / "index").lookup(found, TODAY)
    with closing(sqlite3.connect(tmp_path / "crm.db")) as connection, connection:
        connection.execute("INSERT INTO customers (city) VALUES ('Rome')")
    return found


def test_the_older_index_answers_until_the_new_one_is_there(catalog, schemas, tmp_path: Path):
    gate = Gate(catalog)
    indexes = Indexes(gate, tmp_path / "index", at_once=0)
    for _ in range(2):
        meanwhile = indexes.lookup(schemas, TODAY)
        assert meanwhile.values.exact(["Berlin"])
        assert not meanwhile.values.exact(["Rome"])
        assert "being read anew in the background" in meanwhile.notes[0]
    gate.opened.set()
    assert indexes.wait(PATIENCE)
    renewed = indexes.lookup(schemas, TODAY)
    assert renewed.values.exact(["Rome"])
    assert not renewed.notes
    assert gate.reads == ["customers.city"]


def test_a_small_index_is_built_while_the_question_waits(catalog, schemas, tmp_path: Path):
    lookup = Indexes(catalog, tmp_path / "index").lookup(schemas, TODAY)
    assert lookup.values.exact(["Rome"])
    assert not lookup.notes


def test_an_index_that_is_too_old_is_not_used_any_more(catalog, schemas, tmp_path: Path):
    indexes = Indexes(catalog, tmp_path / "index", at_once=0)
    assert indexes.lookup(schemas, TODAY + timedelta(days=3)).values.exact(["Rome"])


def test_a_background_that_fails_leaves_the_older_index_and_is_tried_again(
    catalog, schemas, tmp_path: Path
):
    class Gone(Gate):
        def open(self, name: str) -> "_Gated":
            return self.catalog.open(name if self.reads else "nowhere")  # type: ignore[return-value]

    gate = Gone(catalog)
    indexes = Indexes(gate, tmp_path / "index", at_once=0)
    assert indexes.lookup(schemas, TODAY).values.exact(["Berlin"])
    assert indexes.wait(PATIENCE)
    gate.reads.append("reachable again")
    assert indexes.lookup(schemas, TODAY).values.exact(["Bonn"])
    assert indexes.wait(PATIENCE)
    assert indexes.lookup(schemas, TODAY).values.exact(["Rome"])


def test_of_two_processes_one_builds_and_the_other_takes_it(catalog, schemas, tmp_path: Path):
    gate = Gate(catalog)
    both = [Indexes(gate, tmp_path / "index", at_once=0) for _ in range(2)]
    for indexes in both:
        assert not indexes.lookup(schemas, TODAY).values.exact(["Rome"])
    gate.opened.set()
    assert all(indexes.wait(PATIENCE) for indexes in both)
    assert all(indexes.lookup(schemas, TODAY).values.exact(["Rome"]) for indexes in both)
    assert gate.reads == ["customers.city"]


def test_a_process_that_is_killed_while_it_reads_leaves_the_older_index_and_no_lock(
    catalog, schemas, tmp_path: Path
):
    arguments = [str(tmp_path / "home"), str(tmp_path / "index"), TODAY.isoformat()]
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, *arguments], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "reading\n"
        os.kill(process.pid, signal.SIGKILL)
    indexes = Indexes(catalog, tmp_path / "index", at_once=0)
    assert indexes.lookup(schemas, TODAY).values.exact(["Berlin"])
    assert indexes.wait(PATIENCE)
    found = indexes.lookup(schemas, TODAY).values
    assert found.exact(["Rome"])
    assert not found.exact(["Oslo"])
