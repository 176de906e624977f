"""Tables of three SQLite files, and one file that holds them all."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from oldhand.query.compiling.compile import compile_query
from oldhand.query.form import Node, Query, Relation
from oldhand.query.splitting.reducing import reduced
from oldhand.query.splitting.split import Piece, split
from oldhand.query.walk import changed
from oldhand.record.answer import WORKSPACE
from oldhand.record.base import Row
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema, Kind
from oldhand.sources.databases import QueryResult
from oldhand.sources.databases.database import Database
from oldhand.sources.databases.opening import open_database, open_workspace
from oldhand.sources.databases.workspace import Workspace

SQL_TYPES = {Kind.INTEGER: "INTEGER", Kind.TEXT: "TEXT", Kind.NUMBER: "REAL"}
TABLES: Mapping[str, Mapping[str, Mapping[str, Kind]]] = {
    "crm": {
        "customers": {
            "id": Kind.INTEGER,
            "name": Kind.TEXT,
            "city": Kind.TEXT,
            "boss": Kind.INTEGER,
        },
        "regions": {"city": Kind.TEXT, "region": Kind.TEXT},
    },
    "shop": {
        "orders": {"id": Kind.INTEGER, "customer_id": Kind.INTEGER, "total": Kind.NUMBER},
        "lines": {"order_id": Kind.INTEGER, "product": Kind.TEXT, "name": Kind.TEXT},
    },
    "care": {
        "tickets": {"customer_id": Kind.INTEGER, "city": Kind.TEXT, "hours": Kind.INTEGER},
        "visits": {"visitor": Kind.TEXT, "town": Kind.TEXT, "day": Kind.TEXT},
    },
}
ROWS: Mapping[str, list[tuple[object, ...]]] = {
    "customers": [
        (1, "Ann", "Berlin", None),
        (2, "Bob", "Hamburg", 1),
        (3, "Cid", None, 1),
        (4, "Dan", "Berlin", 2),
        (5, "Dan", "Bremen", None),
    ],
    "regions": [("Berlin", "East"), ("Hamburg", "North"), ("Bremen", "North")],
    "orders": [(1, 1, 10.0), (2, 1, 5.5), (3, 2, 7.0), (4, None, 3.0), (5, 4, None), (6, 9, 1.0)],
    "lines": [(1, "pen", "a"), (1, "ink", "b"), (2, "pen", "c"), (3, "cup", None), (6, "pen", "d")],
    "tickets": [(1, "Berlin", 2), (2, "Bremen", 3), (2, None, 5), (None, "Berlin", 1)],
    "visits": [("1", "BERLIN", "2024-01-02"), ("2", "BREMEN", "2024-02-03"), ("x", "BONN", None)],
}
TOGETHER = "together"
HOMES = {table: database for database, tables in TABLES.items() for table in tables}


def relation(table: str, role: str = "") -> Relation:
    """A table by its name, in the database that it is of."""
    return Relation(HOMES[table], "main", table, role)


@dataclass(frozen=True)
class World:
    """The databases, opened, with their schemas."""

    opened: Mapping[str, Database]
    workspace: Workspace
    connection: sqlite3.Connection
    schemas: tuple[DatabaseSchema, ...]

    def together(self, query: Query) -> tuple[Row, ...]:
        """The rows of a query where one database holds all tables."""

        def moved(node: Node) -> Node:
            inside = isinstance(node, Relation) and node.query is None
            return replace(node, database=TOGETHER) if inside else node

        sql = compile_query(changed(query, moved), self.schemas, "sqlite")
        return self.opened[TOGETHER].fetch(sql, rows=10_000, seconds=60).rows

    def attached(self, sql: str) -> tuple[Row, ...]:
        """The rows of SQL over `database.main.table`, where one connection reads all databases."""
        return tuple(self.connection.execute(sql.replace(".main.", ".")))

    def apart(self, query: Query) -> tuple[tuple[Row, ...], tuple[Piece, ...]]:
        """The rows of a query that is split, and the pieces as they ran."""
        ran: list[Piece] = []
        fetched: dict[int, QueryResult] = {}
        result = QueryResult((), ())
        for piece in split(query, self.schemas):
            ran.append(reduced(piece, fetched, self.schemas))
            last = piece.database == WORKSPACE
            place = self.workspace if last else self.opened[piece.database]
            sql = compile_query(ran[-1].query, self.schemas, "duckdb" if last else "sqlite")
            result = place.fetch(sql, rows=10_000, seconds=60)
            fetched[piece.number] = result
            self.workspace.add(piece.table, result)
        return result.rows, tuple(ran)


@contextmanager
def opened_in(folder: Path) -> Iterator[World]:
    """The databases as files in a folder."""
    with ExitStack() as stack:
        opened: dict[str, Database] = {}
        connection = stack.enter_context(closing(sqlite3.connect(":memory:")))
        for name in (*TABLES, TOGETHER):
            _fill(folder / f"{name}.db", [t for t in HOMES if name in (HOMES[t], TOGETHER)])
            entry = DatabaseEntry(name=name, url=f"sqlite:///{folder / name}.db")
            opened[name] = stack.enter_context(closing(open_database(entry)))
        workspace = stack.enter_context(open_workspace())
        for name in TABLES:
            connection.execute(f"ATTACH '{folder / name}.db' AS {name}")
        schemas = tuple(opened[name].introspect() for name in TABLES)
        yield World(opened, workspace, connection, schemas)


def _fill(file: Path, tables: list[str]) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for table in tables:
            columns = TABLES[HOMES[table]][table]
            declared = ", ".join(f"{name} {SQL_TYPES[kind]}" for name, kind in columns.items())
            connection.execute(f"CREATE TABLE {table} ({declared})")
            marks = ", ".join("?" for _ in columns)
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", ROWS[table])
        connection.commit()
