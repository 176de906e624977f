"""SQLite files: what they hold is asked for here, and read in workers."""

from collections import defaultdict
from typing import cast

from sqlglot import exp

from oldhand.errors import QueryFailed
from oldhand.sources.databases.address import Address
from oldhand.sources.databases.drivers.local import LocalDriver
from oldhand.sources.databases.session import FoundColumn, FoundKey, FoundTable, RawRow, Read

_TABLES = """
SELECT l.name, l.type = 'view'
FROM pragma_table_list AS l JOIN sqlite_schema AS s ON s.name = l.name AND s.type IN ('table', 'view')
WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
ORDER BY s.rowid
"""
_HIDDEN = 1
"""A column of a virtual table that `SELECT *` leaves out; 2 and 3 are generated columns."""


def _catalogue(read: Read) -> list[FoundTable]:
    """Tables and views by name; a view that no longer works is left out."""
    found: list[FoundTable] = []
    for name, is_view in read(_TABLES):
        try:
            found.append(_table(read, str(name)))
        except QueryFailed:
            if not is_view:
                raise
    return found


def _table(read: Read, name: str) -> FoundTable:
    described = [row for row in read(_pragma("table_xinfo", name)) if row[6] != _HIDDEN]
    key = sorted((cast("int", row[5]), str(row[1])) for row in described if row[5])
    return FoundTable(
        schema_name="main",
        name=name,
        columns=tuple(
            FoundColumn(
                name=str(row[1]), type=str(row[2] or ""), nullable=not row[3] and not row[5]
            )
            for row in described
        ),
        primary_key=tuple(column for _, column in key),
        unique=_unique(read, name),
        foreign_keys=_foreign_keys(read, name),
    )


def _unique(read: Read, table: str) -> frozenset[str]:
    unique: set[str] = set()
    for _, index, is_unique, _, partial in read(_pragma("index_list", table)):
        if is_unique and not partial:
            columns = [row[2] for row in read(_pragma("index_info", str(index)))]
            if len(columns) == 1 and columns[0] is not None:  # None is an expression
                unique.add(str(columns[0]))
    return frozenset(unique)


def _foreign_keys(read: Read, table: str) -> tuple[FoundKey, ...]:
    keys: dict[object, list[RawRow]] = defaultdict(list)
    for row in read(_pragma("foreign_key_list", table)):
        keys[row[0]].append(row)
    found: list[FoundKey] = []
    for number in reversed(keys):  # SQLite lists the last one first
        parts = sorted(keys[number], key=lambda row: cast("int", row[1]))
        found.append(
            FoundKey(
                columns=tuple(str(row[3]) for row in parts),
                schema_name="main",
                table=str(parts[0][2]),
                target_columns=tuple(str(row[4]) for row in parts if row[4] is not None),
            )
        )
    return tuple(found)


def _pragma(name: str, argument: str) -> str:
    call = exp.func(f"pragma_{name}", exp.Literal.string(argument), dialect="sqlite")
    return exp.select("*").from_(exp.Table(this=call)).sql("sqlite")


class SqliteDriver(LocalDriver):
    """A SQLite file."""

    catalogue = staticmethod(_catalogue)
    own_functions = None

    def __init__(self, address: Address) -> None:
        super().__init__(address, "sqlite")
