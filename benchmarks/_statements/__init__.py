"""Statements that are wrong, and their neighbours that are right, by family and dialect, with the schema they are about."""

import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table

_KINDS = {
    "int": ("INTEGER", Kind.INTEGER), "text": ("TEXT", Kind.TEXT), "num": ("NUMERIC(12, 2)", Kind.NUMBER),
    "bool": ("BOOLEAN", Kind.BOOLEAN), "date": ("DATE", Kind.DATE), "time": ("TIMESTAMP", Kind.DATETIME),
    "geom": ("geometry(Point,4326)", Kind.SPATIAL), "utm": ("geometry(Point,25832)", Kind.SPATIAL),
    "geog": ("geography(Point,4326)", Kind.SPATIAL),
}  # fmt: skip
_TABLES = {
    "customers": "id! int, name! text, city text, country text, phone text, credit num, active bool, birthday date",
    "orders": "id! int, customer_id int > customers, product_id int > products, amount num, quantity int, status text, "
    "ordered_at time, shipped_on date",
    "products": "id! int, name! text, category text, price num, stock int, sku text",
    "employees": "id! int, name! text, manager_id int > employees, salary num, department text, hired_on date",
    "sites": "id! int, name! text, geom geom, utm utm, geog geog",
}


class Statement(NamedTuple):
    """One statement as one dialect reads it."""

    family: str
    dialect: str
    """Empty when nobody says which."""
    sql: str

    @property
    def schemas(self) -> tuple[DatabaseSchema, ...]:
        """The schema, when all its tables are known; statements over others are judged without."""
        words = re.sub(r"[(),]", " ", self.sql).split()
        named = {b for a, b in itertools.pairwise(words) if a in {"FROM", "JOIN"}}
        is_known = bool(named) and named <= {*_TABLES, "SELECT"}
        return (shop_schema(self.dialect),) if self.dialect and is_known else ()


def statements(which: Literal["wrong", "right"]) -> Iterator[Statement]:
    """Each statement once for each dialect that its heading names."""
    family, dialects = "", [""]
    text = Path(__file__).with_name(f"{which}.sql").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("-- "):
            family, _, names = line[3:].partition(": ")
            dialects = ["" if name == "any" else name for name in names.split()]
        elif line:
            yield from (Statement(family, dialect, line) for dialect in dialects)


@cache
def shop_schema(dialect: str) -> DatabaseSchema:
    """A shop with customers, orders, products, employees and places."""
    tables = tuple(_table(name, columns) for name, columns in _TABLES.items())
    return DatabaseSchema(name="shop", dialect=dialect, tables=tables)


def _table(name: str, columns: str) -> Table:
    described = [part.partition(" > ") for part in columns.split(", ")]
    made = [_column(*first.split()) for first, _, _ in described]
    keys = tuple(
        ForeignKey(columns=(first.split()[0],), database="shop", schema_name="main", table=target, target_columns=("id",))
        for first, _, target in described
        if target
    )  # fmt: skip
    return Table(name=name, schema_name="main", columns=tuple(made), foreign_keys=keys)


def _column(name: str, kind: str) -> Column:
    plain, is_key = name.rstrip("!"), name == "id!"
    declared, meant = _KINDS[kind]
    needed = name.endswith("!")
    return Column(name=plain, type=declared, kind=meant, nullable=not needed, primary_key=is_key)
