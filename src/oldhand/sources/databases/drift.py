"""Where a schema file and the live database no longer fit."""

from collections.abc import Iterator
from enum import StrEnum

from oldhand.record.base import Record
from oldhand.record.schema import DatabaseSchema, Table


class DriftKind(StrEnum):
    """What happened in the database since the file was written."""

    TABLE_MISSING = "table missing"
    TABLE_NEW = "table new"
    COLUMN_MISSING = "column missing"
    COLUMN_NEW = "column new"
    TYPE_CHANGED = "type changed"


class Drift(Record):
    """One place in which file and database differ.

    >>> print(Drift(change=DriftKind.TYPE_CHANGED, table="shop", column="size", before="INT", now="TEXT"))
    shop.size: type changed from INT to TEXT
    """

    change: DriftKind
    table: str
    column: str | None = None
    before: str | None = None
    """The type in the file, when the type changed."""
    now: str | None = None
    """The type in the database, when the type changed."""

    def __str__(self) -> str:
        where = self.table if self.column is None else f"{self.table}.{self.column}"
        if self.change is DriftKind.TYPE_CHANGED:
            return f"{where}: type changed from {self.before or 'none'} to {self.now or 'none'}"
        return f"{where}: {self.change.value}"


def differences(written: DatabaseSchema, live: DatabaseSchema) -> tuple[Drift, ...]:
    """All differences that matter to a query: tables, columns and types."""
    found: list[Drift] = []
    for table in written.tables:
        now = live.table(table.name, table.schema_name)
        if now is None:
            found.append(Drift(change=DriftKind.TABLE_MISSING, table=table.name))
        else:
            found += _column_differences(table, now)
    for table in live.tables:
        if written.table(table.name, table.schema_name) is None:
            found.append(Drift(change=DriftKind.TABLE_NEW, table=table.name))
    return tuple(found)


def _column_differences(before: Table, now: Table) -> Iterator[Drift]:
    for column in before.columns:
        found = now.column(column.name)
        if found is None:
            yield Drift(change=DriftKind.COLUMN_MISSING, table=before.name, column=column.name)
        elif _normal(found.type) != _normal(column.type):
            yield Drift(
                change=DriftKind.TYPE_CHANGED,
                table=before.name,
                column=column.name,
                before=column.type,
                now=found.type,
            )
    for column in now.columns:
        if before.column(column.name) is None:
            yield Drift(change=DriftKind.COLUMN_NEW, table=before.name, column=column.name)


def _normal(declared: str) -> str:
    return "".join(declared.casefold().split())
