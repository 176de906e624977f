"""Companies to ask about: the demo company, a chain of bicycle workshops, and one of hotels."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from sqlglot import exp

from oldhand.agent.analyst.conversation.reading import Reader, Reading
from oldhand.agent.analyst.rendering.dialects import rewritten
from oldhand.agent.analyst.rendering.headings import headings
from oldhand.agent.analyst.telling.found import Rows
from oldhand.agent.analyst.telling.phrasing import phrase
from oldhand.demo.company import TODAY, make_company
from oldhand.demo.describing import describe, descriptions
from oldhand.demo.files import write_sqlite
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.opening import open_database
from oldhand.sources.databases.values import AllValues, ValueIndex, indexed_columns

SCRIPTS = {name: Path(__file__).with_name(f"{name}.sql") for name in ("workshop", "hotel")}


@dataclass(frozen=True)
class World:
    """Databases that can be asked, attached to one connection, each under its own name."""

    schemas: tuple[DatabaseSchema, ...]
    values: AllValues
    connection: sqlite3.Connection
    today: date

    def read(self, question: str) -> Reading:
        """What the analyst makes of a question."""
        return Reader(self.schemas, self.values, self.today).read(question)

    def rows(self, query: str | exp.Expr) -> list[tuple[object, ...]]:
        """The rows of SQL over `database.table`, or of a query over `database.schema.table`."""
        sql = query if isinstance(query, str) else _local(query)
        return self.connection.execute(sql).fetchall()

    def told(self, question: str, query: exp.Expr) -> str:
        """The sentence for the rows of a query."""
        rows = self.rows(query)
        names = headings(query, self.schemas)
        return phrase(question, query, Rows(names, tuple(rows), len(rows)), self.schemas)


def _local(query: exp.Expr) -> str:
    tree = query.copy()
    for table in tree.find_all(exp.Table):
        table.set("db", exp.to_identifier(table.catalog))
        table.set("catalog", None)
    return rewritten(tree, "sqlite").sql("sqlite")


def _world(files: Mapping[str, Path], today: date, *, described: bool) -> World:
    connection = sqlite3.connect(":memory:")
    schemas: list[DatabaseSchema] = []
    indices: list[ValueIndex] = []
    for name, file in files.items():
        connection.execute(f"ATTACH '{file}' AS {name}")
        with closing(open_database(DatabaseEntry(name=name, url=f"sqlite:///{file}"))) as database:
            schema = database.introspect()
            columns = [
                (
                    s,
                    t,
                    c.name,
                    list(database.distinct_values(t, c.name, schema_name=s, limit=5_000)),
                )
                for s, t, c in indexed_columns(schema)
            ]
        schemas.append(describe(schema, descriptions()[name]) if described else schema)
        indices.append(ValueIndex.in_memory(name, columns))
    return World(tuple(schemas), AllValues(indices), connection, today)


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, World]:
    """The worlds by name."""
    folder = tmp_path_factory.mktemp("worlds")
    for name, tables in make_company(7).databases.items():
        write_sqlite(folder / f"{name}.db", name, tables)
    shop = {name: folder / f"{name}.db" for name in ("shop", "warehouse", "support")}
    made = {"demo": _world(shop, TODAY, described=True)}
    for name, script in SCRIPTS.items():
        file = folder / f"{name}.db"
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(script.read_text("utf-8"))
        made[name] = _world({name: file}, date(2025, 6, 15), described=False)
    return made
