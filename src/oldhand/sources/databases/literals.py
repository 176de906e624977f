"""Texts that a statement compares columns with, held against the values that these columns hold."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from oldhand.record.schema import NUMBERS, Column, DatabaseSchema, Kind
from oldhand.sources.databases.sql_issues import SqlIssue, StatementReading, read_query
from oldhand.sources.databases.sql_issues.kinds import NUMBER, compared
from oldhand.sources.databases.value_files import normal
from oldhand.sources.databases.values import ValueMatch, Values

MOST_VALUES = 5
"""Values that are named in place of one that a column does not hold."""


class AbsentText(NamedTuple):
    """A text that is looked for in a column that does not hold it."""

    table: str
    column: str
    text: str
    held: tuple[str, ...] = ()
    """Values of the column that are like it."""
    elsewhere: tuple[str, ...] = ()
    """Other columns that hold the text."""

    def __str__(self) -> str:
        said = f"No row of {self.table} has {self.text!r} in {self.column}."
        if self.held:
            said += f" {self.column} holds {', '.join(map(repr, self.held))}."
        return (
            f"{said} {self.text!r} stands in {', '.join(self.elsewhere)}."
            if self.elsewhere
            else said
        )


def absent_texts(sql: str, schema: DatabaseSchema, values: Values) -> tuple[AbsentText, ...]:
    """Texts that no row can equal, with what the columns hold instead; none for a statement that can't be read.

    >>> from oldhand.record.schema import Table
    >>> from oldhand.sources.databases.values import ValueIndex
    >>> city = Column(name="city", type="TEXT", kind=Kind.TEXT)
    >>> shops = DatabaseSchema(
    ...     name="shops",
    ...     dialect="sqlite",
    ...     tables=(Table(name="shop", schema_name="main", columns=(city,)),),
    ... )
    >>> held = ValueIndex.in_memory("shops", [("main", "shop", "city", ["Basel", "Bern"])])
    >>> [str(one) for one in absent_texts("SELECT * FROM shop WHERE city = 'Basle'", shops, held)]
    ["No row of shop has 'Basle' in city. city holds 'Basel'."]
    """
    reading = read_query(sql, schema)
    if isinstance(reading, SqlIssue):
        return ()
    found = (_judged(*one, schema.name, values) for one in _compared_texts(reading))
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _compared_texts(reading: StatementReading) -> Iterator[tuple[str, Column, str]]:
    """Table, column and text of each comparison of a text column with a text."""
    for node in reading.all(exp.EQ, exp.In):
        for one, other in compared(node):
            name = reading.meaning.get(id(one))
            quoted = _text_of(reading, other)
            if name is None or name.column is None or quoted is None:
                continue
            table = next((source.table for source in name.sources if source.table), None)
            if table is not None and _may_miss(name.column, quoted):
                yield table.name, name.column, quoted


def _may_miss(column: Column, text: str) -> bool:
    """Whether the index, or the kind of the column, can tell that it does not hold the text."""
    is_number = column.kind in NUMBERS and not NUMBER.fullmatch(text)
    return is_number or column.kind in (Kind.TEXT, Kind.OTHER)


def _text_of(reading: StatementReading, node: exp.Expr) -> str | None:
    """A quoted text; one in double quotes, too, where no column goes by that name."""
    if isinstance(node, exp.Literal):
        return node.name if node.is_string else None
    unknown = isinstance(node, exp.Column) and not node.table and reading.declared(node) is None
    if not unknown or reading.dialect != "sqlite" or not isinstance(node.this, exp.Identifier):
        return None
    return node.name if node.this.args.get("quoted") else None


def _judged(
    table: str, column: Column, text: str, database: str, values: Values
) -> AbsentText | None:
    if not normal(text):
        return None
    matches = [one for one in values.exact([text]) if one.database == database]
    if any(_is_in(one, table, column) for one in matches):
        return None
    near = [*values.similar(text), *values.containing(text)]
    held = dict.fromkeys(one.value for one in near if _is_in(one, table, column))
    elsewhere = dict.fromkeys(f"{one.table}.{one.column}" for one in matches)
    return AbsentText(
        table, column.name, text, tuple(held)[:MOST_VALUES], tuple(elsewhere)[:MOST_VALUES]
    )


def _is_in(match: ValueMatch, table: str, column: Column) -> bool:
    place = (match.table.casefold(), match.column.casefold())
    return place == (table.casefold(), column.name.casefold())
