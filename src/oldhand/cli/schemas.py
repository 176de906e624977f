"""How schemas and lists of databases are shown."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from oldhand.cli.screen import make_table, one_line
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import Column, DatabaseSchema, Table
from oldhand.sources.databases.address import shown_url

if TYPE_CHECKING:
    from rich.console import RenderableType


def databases_table(entries: Sequence[DatabaseEntry]) -> "RenderableType":
    """The registered databases; passwords are hidden."""
    if not entries:
        return Text("No database is registered yet: oldhand db add URL --name NAME")
    rows = [(entry.name, shown_url(entry.url), entry.description) for entry in entries]
    return make_table(("name", "url", "description"), rows, max_rows=len(rows))


def schema_lines(schema: DatabaseSchema) -> "Iterator[RenderableType]":
    """A schema as people read it."""
    yield Text(f"{schema.name} ({schema.dialect})", "bold")
    if schema.description:
        yield Text(one_line(schema.description), "dim")
    for table in schema.tables:
        yield Text()
        rows = "" if table.row_count is None else f"  {table.row_count:,} rows"
        yield Text.assemble((one_line(table.name), "bold"), (rows, "dim"))
        if table.description:
            yield Text("  " + one_line(table.description), "dim")
        yield _columns(table)


def _columns(table: Table) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    keys = {
        column: f"→ {key.database}.{key.table}.{target}"
        for key in table.foreign_keys
        for column, target in zip(key.columns, key.target_columns, strict=True)
    }
    for column in table.columns:
        notes = " ".join(filter(None, (keys.get(column.name), one_line(column.description))))
        grid.add_row(
            Text("  " + one_line(column.name)), Text(_type(column), "cyan"), Text(notes, "dim")
        )
    return grid


def _type(column: Column) -> str:
    words = [one_line(column.type) or column.kind.value]
    words += ["key"] if column.primary_key else []
    words += [] if column.nullable or column.primary_key else ["not null"]
    return " ".join(words)
