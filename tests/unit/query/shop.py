"""A small shop: its schema in each dialect, and its rows in SQLite."""

import sqlite3
from collections import Counter

from oldhand.query.compiling.render import render
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Query
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table

TABLES: dict[str, dict[str, Kind]] = {
    "customers": {
        "id": Kind.INTEGER, "Name": Kind.TEXT, "city": Kind.TEXT, "boss_id": Kind.INTEGER, "active": Kind.BOOLEAN,
    },
    "orders": {
        "id": Kind.INTEGER, "customer_id": Kind.INTEGER, "placed": Kind.DATE, "shipped": Kind.DATE,
        "total": Kind.NUMBER, "pieces": Kind.INTEGER, "discount": Kind.NUMBER,
    },
    "lines": {"order_id": Kind.INTEGER, "product": Kind.TEXT, "price": Kind.NUMBER, "amount": Kind.INTEGER},
}  # fmt: skip
KEYS = {("customers", "boss_id"): "customers", ("orders", "customer_id"): "customers", ("lines", "order_id"): "orders"}  # fmt: skip
_TYPES = {Kind.INTEGER: "INTEGER", Kind.TEXT: "TEXT", Kind.NUMBER: "REAL", Kind.DATE: "DATE", Kind.BOOLEAN: "INTEGER"}  # fmt: skip
_ROWS = {
    "customers": [
        (1, "Ann", "Rome", None, 1), (2, "Bob", "Oslo", 1, 0), (3, "Cid", None, 1, 1), (4, "Dan", "Rome", 2, None),
        (5, "Dan", "Bonn", None, 0),
    ],
    "orders": [
        (1, 1, "2023-12-30", "2024-01-02", 10.0, 3, 0.1), (2, 1, "2024-01-15", None, 5.5, 2, 0.0),
        (3, 2, "2024-02-29", "2024-03-01", 7.25, 5, None), (4, None, "2024-03-04", "2024-03-04", 3.0, 1, 0.5),
        (5, 4, None, None, None, 4, 0.2), (6, 9, "2024-07-01", "2024-07-09", 1.0, 0, 0.25),
    ],
    "lines": [
        (1, "pen", 1.5, 2), (1, "ink", 7.0, 1), (2, "pen", 1.5, 1), (3, "cup", 4.0, None), (6, None, 2.0, 3),
    ],
}  # fmt: skip


def shop(dialect: str = "sqlite") -> DatabaseSchema:
    """The schema, as if the shop were kept in a dialect."""
    home = {"postgres": "public", "mysql": "shop"}.get(dialect, "main")
    return DatabaseSchema(
        name="shop", dialect=dialect, tables=tuple(_table(name, home) for name in TABLES)
    )


def _table(name: str, home: str) -> Table:
    columns = tuple(
        Column(name=c, type=_TYPES[k], kind=k, primary_key=c == "id", nullable=c != "id")
        for c, k in TABLES[name].items()
    )
    keys = tuple(
        ForeignKey(
            columns=(c,), database="shop", schema_name=home, table=target, target_columns=("id",)
        )
        for (table, c), target in KEYS.items()
        if table == name
    )
    return Table(name=name, schema_name=home, columns=columns, foreign_keys=keys)


def filled() -> sqlite3.Connection:
    """The shop's rows, in memory."""
    connection = sqlite3.connect(":memory:")
    for name, columns in TABLES.items():
        said = ", ".join(
            f"{column} {_TYPES[kind]}{' PRIMARY KEY' if column == 'id' else ''}"
            for column, kind in columns.items()
        )
        connection.execute(f"CREATE TABLE {name} ({said})")
        marks = ", ".join("?" for _ in columns)
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", _ROWS[name])
    return connection


def written(query: Query, dialect: str = "sqlite") -> str:
    """A query as SQL."""
    return render(to_tree(query), dialect, "shop")


def rows_of(connection: sqlite3.Connection, sql: str) -> Counter[tuple[object, ...]]:
    """The rows that a statement returns, each with how often it does."""
    found = connection.execute(sql).fetchall()
    return Counter(
        tuple(round(cell, 6) if isinstance(cell, float) else cell for cell in row) for row in found
    )
