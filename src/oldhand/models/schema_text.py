"""Schemas as a mind by language model reads them.

The layout is fixed: prompts, examples and tests rely on it.
"""

from collections.abc import Iterable, Iterator

from oldhand.models.disclosure import as_sent
from oldhand.models.quoting import cell_text, one_line, spelled_out
from oldhand.record.base import Cell
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table

_SAYING = {
    Kind.DATE: "date",
    Kind.DATETIME: "time",
    Kind.TIME: "time",
    Kind.BOOLEAN: "bool",
    Kind.JSON: "json",
}
"""What a declared type says of these kinds; where it doesn't, the kind is told."""
MAX_SAMPLE_CHARS = 40
"""Longer sample values are cut."""


def schema_text(schemas: Iterable[DatabaseSchema]) -> str:
    """All that is known of the databases: tables, columns, types, keys, and examples of values.

    >>> from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
    >>> columns = (Column(name="id", type="INTEGER", kind=Kind.INTEGER, nullable=False),)
    >>> tables = (Table(name="users", schema_name="main", columns=columns, description="Who signs in"),)
    >>> print(schema_text([DatabaseSchema(name="shop", dialect="sqlite", tables=tables)]))
    ### Database: shop
    <BLANKLINE>
    **Table: users** (in shop.main)
    Description: Who signs in
    Columns:
      - id (INTEGER, NOT NULL)
    """
    return "\n\n".join(
        database_text(schema, (table_text(schema.name, table) for table in schema.tables))
        for schema in map(as_sent, schemas)
    )


def _header(schema: DatabaseSchema) -> list[str]:
    lines = [f"### Database: {one_line(schema.name)}"]
    if schema.description:
        lines.append(f"Description: {one_line(schema.description)}")
    return lines


def database_text(schema: DatabaseSchema, tables: Iterable[str]) -> str:
    """One database around the texts of some of its tables."""
    return "\n\n".join(["\n".join(_header(schema)), *tables, *_rules(schema)])


def _rules(schema: DatabaseSchema) -> list[str]:
    """What people have stated about words and rows; it holds unless the question says otherwise."""
    told = [f"  - {one_line(rule.told)}" for rule in schema.semantics.rules]
    head = "What people here mean, unless the question says otherwise:"
    return ["\n".join([head, *told])] if told else []


def table_text(database: str, table: Table, left_out: Iterable[str] = ()) -> str:
    """One table of a database; columns that are left out are only named."""
    lines = [f"**Table: {one_line(table.name)}** (in {database}.{one_line(table.schema_name)})"]
    if table.description:
        lines.append(f"Description: {one_line(table.description)}")
    if table.row_count is not None:
        lines.append(f"Rows: {table.row_count:,}")
    if key := table.primary_key:
        lines.append(f"Primary key: {', '.join(map(one_line, key))}")
    unique = [c.name for c in table.columns if c.unique and (c.name,) != key]
    if unique:
        lines.append(f"Unique, each by itself: {', '.join(map(one_line, unique))}")
    lines.append("Columns:")
    for column in table.columns:
        lines.append(_column(column))
        lines += [
            _foreign_key(key, column)
            for key in table.foreign_keys
            if column.name.casefold() in _folded(key.columns)
        ]
    if names := ", ".join(map(one_line, left_out)):
        lines.append(f"  (left out here: {names})")
    return "\n".join(lines)


def _column(column: Column) -> str:
    null = "NULL" if column.nullable else "NOT NULL"
    declared = one_line(column.type) or column.kind.upper()
    line = f"  - {one_line(column.name)} ({declared}, {null}){_described(column.description)}"
    return "\n    ".join([line, *_seen(column)])


def _seen(column: Column) -> Iterator[str]:
    """What is known of the values: all of them where they are few, else examples; how texts are written, the range."""
    profile = column.profile
    said = _SAYING.get(column.kind, "")
    if said not in (column.type or column.kind).casefold() and not (profile and profile.holds):
        yield f"Kind: {column.kind}"
    if profile is None or not profile.values:
        if column.samples:
            yield f"Examples: {', '.join(_sample(value) for value in column.samples)}"
    else:
        yield f"Values: {', '.join(_sample(value) for value in profile.values)}"
    if profile is None:
        return
    if profile.holds and profile.holds != "flag":
        form = f" ({one_line(profile.form)})" if profile.form else ""
        native = column.kind in (Kind.JSON, Kind.OTHER)
        what = "Holds" if native else "Text that holds"
        yield f"{what} {profile.holds}s{form}".replace("jsons", "JSON")
    if profile.low is not None and not column.primary_key:
        yield f"Range: {_sample(profile.low)} to {_sample(profile.high)}"
    if profile.empty:
        yield f"Empty text stands for no value ({profile.empty / profile.rows:.0%} of rows)"


def _foreign_key(key: ForeignKey, column: Column) -> str:
    target = dict(zip(_folded(key.columns), key.target_columns, strict=False))
    names = (key.database, key.schema_name, key.table, target.get(column.name.casefold(), ""))
    unsure = " (inferred)" if key.is_unconfirmed else ""
    line = f"    FK -> {'.'.join(one_line(name) for name in names if name)}{unsure}"
    if len(key.columns) == 1:
        return line
    return f"{line} (one key over {', '.join(one_line(name) for name in key.columns)})"


def _folded(names: Iterable[str]) -> list[str]:
    return [name.casefold() for name in names]


def _described(text: str) -> str:
    return f": {one_line(text)}" if text else ""


def _sample(value: Cell) -> str:
    if not isinstance(value, str):
        return cell_text(value)
    return "'" + spelled_out(value, MAX_SAMPLE_CHARS).replace("'", "''") + "'"
