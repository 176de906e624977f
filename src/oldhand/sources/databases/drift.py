"""Where a schema file and the live database no longer fit."""

from collections.abc import Iterator
from enum import StrEnum

from oldhand.record.base import Record
from oldhand.record.schema import DatabaseSchema, Table


class Change(StrEnum):
    """What happened in the database since the file was written."""

    TABLE_MISSING = "table missing"
    TABLE_NEW = "table new"
    COLUMN_MISSING = "column missing"
    COLUMN_NEW = "column new"
    TYPE_CHANGED = "type changed"


class Difference(Record):
    """One place in which file and database differ.

    >>> print(Difference(change=Change.TYPE_CHANGED, table="shop", column="size", before="INT", now="TEXT"))
    shop.size: type changed from INT to TEXT
    """

    change: Change
    table: str
    column: str | None = None
    before: str | None = None
    """The type in the file, when the type changed."""
    now: str | None = None
    """The type in the database, when the type changed."""

    def __str__(self) -> str:
        where = self.table if self.column is None else f"{self.table}.{self.column}"
        if self.change is Change.TYPE_CHANGED:
            return f"{where}: type changed from {self.before or 'none'} to {self.now or 'none'}"
        return f"{where}: {self.change.value}"


def differences(written: DatabaseSchema, live: DatabaseSchema) -> tuple[Difference, ...]:
    """All differences that matter to a query: tables, columns and types."""
    found: list[Difference] = []
    for table in written.tables:
        now = live.table(table.name, table.schema_name)
        if now is None:
            found.append(Difference(change=Change.TABLE_MISSING, table=table.name))
        else:
            found += _column_differences(table, now)
    for table in live.tables:
        if written.table(table.name, table.schema_name) is None:
            found.append(Difference(change=Change.TABLE_NEW, table=table.name))
    return tuple(found)


def _column_differences(before: Table, now: Table) -> Iterator[Difference]:
    for column in before.columns:
        found = now.column(column.name)
        if found is None:
            yield Difference(change=Change.COLUMN_MISSING, table=before.name, column=column.name)
        elif _normal(found.type) != _normal(column.type):
            yield Difference(
                change=Change.TYPE_CHANGED,
                table=before.name,
                column=column.name,
                before=column.type,
                now=found.type,
            )
    for column in now.columns:
        if before.column(column.name) is None:
            yield Difference(change=Change.COLUMN_NEW, table=before.name, column=column.name)


def _normal(declared: str) -> str:
    return "".join(declared.casefold().split())
