"""How schemas and lists of databases are shown."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from oldhand.cli.screen import Listing, indented, one_line, program, some
from oldhand.errors import UsageError
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Table
from oldhand.sources.databases.address import shown_url

if TYPE_CHECKING:
    from rich.console import RenderableType

_SAYS_NOTHING = re.compile(r"[A-Za-z]|[A-Za-z]{1,5}_?\d+")
_SHOWN_VALUES = 6
_WIDE = 80
"""On a screen of fewer characters, what is known of a column stands below its name."""


def databases_table(entries: Sequence[DatabaseEntry]) -> Listing:
    """The registered databases; passwords are hidden."""
    rows = [(entry.name, shown_url(entry.url), entry.description) for entry in entries]
    return Listing(("name", "url", "description"), rows, none_registered())


def none_registered() -> str:
    """What to do in a home without databases."""
    return f"No database is registered yet: {program()} db add URL --name NAME"


def key_line(database: str, table: str, key: ForeignKey) -> str:
    """A key that was inferred, with what speaks for it."""
    start = f"{database}.{table}.{'+'.join(key.columns)}"
    end = f"{key.database}.{key.table}.{'+'.join(key.target_columns)}"
    evidence = f"  ({key.evidence.because})" if key.evidence else ""
    return f"{start} → {end}{evidence}"


def split_place(text: str, whole: str) -> tuple[str, str]:
    """Table and column of `table.column`; a table's name may hold dots.

    Raises:
        UsageError: it has no dot.
    """
    table, _, column = text.rpartition(".")
    if not table:
        raise UsageError(
            f"{whole!r} should read NAME.TABLE.COLUMN, such as shop.orders.customer_id."
        )
    return table, column


def keys_of(schema: DatabaseSchema) -> tuple[int, list[tuple[str, ForeignKey]]]:
    """How many keys a schema has for sure, and those that were inferred and wait for a word, with their tables."""
    keys = [(table.name, key) for table in schema.tables for key in table.foreign_keys]
    waiting = [(table, key) for table, key in keys if key.is_unconfirmed]
    return len(keys) - len(waiting), waiting


def untold_columns(schema: DatabaseSchema) -> Iterator[str]:
    """Columns whose names say nothing, and that nobody has described: `f1`, `attr_07`, `x`."""
    for table in schema.tables:
        keys = {name for key in table.foreign_keys for name in key.columns}
        for column in table.columns:
            said = column.description or column.primary_key or column.name in keys
            if not said and _SAYS_NOTHING.fullmatch(column.name):
                yield f"{table.name}.{column.name}"


def schema_lines(schema: DatabaseSchema, width: int) -> "Iterator[RenderableType]":
    """A schema as people read it, on a screen of `width` characters."""
    yield Text(f"{schema.name} ({schema.dialect})", "bold")
    if schema.description:
        yield Text(one_line(schema.description), "dim")
    if untold := list(untold_columns(schema)):
        few = ", ".join(untold[:_SHOWN_VALUES])
        told = f"{some(len(untold), 'column')} without a telling name ({few}): describe them in the schema file"
        yield Text(one_line(told), "yellow")
    for table in schema.tables:
        yield Text()
        rows = "" if table.row_count is None else f"  {table.row_count:,} rows"
        yield Text.assemble((one_line(table.name), "bold"), (rows, "dim"))
        if table.description:
            yield Text("  " + one_line(table.description), "dim")
        yield from _columns(table, width)


def _columns(table: Table, width: int) -> "Iterator[RenderableType]":
    keys = {
        column: f"→ {key.database}.{key.table}.{target}" + " (inferred)" * key.is_unconfirmed
        for key in table.foreign_keys
        for column, target in zip(key.columns, key.target_columns, strict=True)
    }
    grid = Grid.grid(padding=(0, 2))
    for column in table.columns:
        name, kind = Text("  " + one_line(column.name)), Text(_type(column), "cyan")
        known = (keys.get(column.name), one_line(column.description), _seen(column))
        notes = " ".join(filter(None, known))
        if width >= _WIDE:
            grid.add_row(name, kind, Text(notes, "dim"))
            continue
        yield Text("  ").join((name, kind))
        if notes:
            yield Text(indented(notes, 4, width), "dim")
    if width >= _WIDE:
        yield grid


def _seen(column: Column) -> str:
    """What its values look like, in a few words."""
    profile = column.profile
    if profile is None or not profile.rows:
        return ""
    parts: list[str] = []
    if profile.values:
        shown = ", ".join(str(value) for value in profile.values[:_SHOWN_VALUES])
        left = len(profile.values) - _SHOWN_VALUES
        parts.append(shown + (f" and {left} more" if left > 0 else ""))
    elif profile.distinct and not profile.tells_apart:
        parts.append(f"{profile.distinct:,} different")
    if profile.low is not None and not column.primary_key:
        parts.append(f"{profile.low} to {profile.high}")
    if profile.holds:
        parts.append(f"holds {profile.holds}" + f" {profile.form}" * bool(profile.form))
    if gone := profile.missing + profile.empty:
        parts.append(f"{gone / profile.rows:.0%} missing")
    return one_line("; ".join(parts))


def _type(column: Column) -> str:
    words = [one_line(column.type) or column.kind.value]
    words += ["key"] if column.primary_key else []
    words += [] if column.nullable or column.primary_key else ["not null"]
    return " ".join(words)
