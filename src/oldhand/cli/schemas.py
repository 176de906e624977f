"""How schemas and lists of databases are shown."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from oldhand.cli.screen import Listing, indented, one_line, program
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import Column, DatabaseSchema, Table
from oldhand.sources.databases.address import shown_url

if TYPE_CHECKING:
    from rich.console import RenderableType

_WIDE = 80
"""On a screen of fewer characters, what is known of a column stands below its name."""


def databases_table(entries: Sequence[DatabaseEntry]) -> Listing:
    """The registered databases; passwords are hidden."""
    rows = [(entry.name, shown_url(entry.url), entry.description) for entry in entries]
    return Listing(("name", "url", "description"), rows, none_registered())


def none_registered() -> str:
    """What to do in a home without databases."""
    return f"No database is registered yet: {program()} db add URL --name NAME"


def schema_lines(schema: DatabaseSchema, width: int) -> "Iterator[RenderableType]":
    """A schema as people read it, on a screen of `width` characters."""
    yield Text(f"{schema.name} ({schema.dialect})", "bold")
    if schema.description:
        yield Text(one_line(schema.description), "dim")
    for table in schema.tables:
        yield Text()
        rows = "" if table.row_count is None else f"  {table.row_count:,} rows"
        yield Text.assemble((one_line(table.name), "bold"), (rows, "dim"))
        if table.description:
            yield Text("  " + one_line(table.description), "dim")
        yield from _columns(table, width)


def _columns(table: Table, width: int) -> "Iterator[RenderableType]":
    keys = {
        column: f"→ {key.database}.{key.table}.{target}"
        for key in table.foreign_keys
        for column, target in zip(key.columns, key.target_columns, strict=True)
    }
    grid = Grid.grid(padding=(0, 2))
    for column in table.columns:
        name, kind = Text("  " + one_line(column.name)), Text(_type(column), "cyan")
        notes = " ".join(filter(None, (keys.get(column.name), one_line(column.description))))
        if width >= _WIDE:
            grid.add_row(name, kind, Text(notes, "dim"))
            continue
        yield Text("  ").join((name, kind))
        if notes:
            yield Text(indented(notes, 4, width), "dim")
    if width >= _WIDE:
        yield grid


def _type(column: Column) -> str:
    words = [one_line(column.type) or column.kind.value]
    words += ["key"] if column.primary_key else []
    words += [] if column.nullable or column.primary_key else ["not null"]
    return " ".join(words)
