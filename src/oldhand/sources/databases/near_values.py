"""Texts of a statement that a column does not hold as they are written, but nearly so, or that another column holds."""

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp

from oldhand.models.disclosure import disclosure_of
from oldhand.record.schema import NUMBERS, Column, DatabaseSchema, Disclosure, Kind, Table
from oldhand.sources.databases.sql_issues import SqlIssue, StatementReading, read_query
from oldhand.sources.databases.sql_issues.kinds import compared
from oldhand.sources.databases.value_files import MAX_LENGTH, normal
from oldhand.sources.databases.values import ValueMatch, Values, ValuesOfOne

_FOLDING = frozenset({"mysql", "tsql"})
"""Dialects in which `=` mostly takes capital letters for small ones."""
_KINDS = NUMBERS | {Kind.TEXT, Kind.OTHER}
_SAID = 4
"""Values and columns that are named at most."""
_LETTERS = re.compile(r"[^\W\d_]{2}")


def near_misses(sql: str, schema: DatabaseSchema, values: Values) -> tuple[str, ...]:
    """What to write in place of texts that no row can equal, where that can be told; a text without any like it may well be right.

    >>> from oldhand.sources.databases.values import ValueIndex
    >>> columns = tuple(Column(name=name, type="TEXT", kind=Kind.TEXT) for name in ("city", "country"))
    >>> table = Table(name="shops", schema_name="main", columns=columns)
    >>> schema = DatabaseSchema(name="crm", dialect="sqlite", tables=(table,))
    >>> held = ValueIndex.in_memory("crm", [("main", "shops", "city", ["Basel"]), ("main", "shops", "country", ["Peru"])])
    >>> near_misses("SELECT 1 FROM shops WHERE city = 'basel' OR city = 'Peru' OR city = 'Oslo'", schema, held)
    ("shops.city holds no 'basel'. It holds 'Basel'.", "shops.city holds no 'Peru'. shops.country does.")
    """
    reading = read_query(sql, schema)
    if isinstance(reading, SqlIssue):
        return ()
    own = ValuesOfOne(values, schema.name)
    found = (_told(*one, schema, own) for one in _compared(reading))
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _compared(reading: StatementReading) -> Iterator[tuple[Table, Column, str]]:
    """Each column of texts with a text that it is compared with."""
    for node in reading.all(exp.EQ, exp.NEQ, exp.In):
        for one, other in compared(node):
            name = reading.meaning.get(id(one))
            text = _text(reading, other)
            if name is None or name.column is None or text is None or not _LETTERS.search(text):
                continue
            table = next((source.table for source in name.sources if source.table), None)
            if table is not None and name.column.kind in _KINDS:
                yield table, name.column, text


def _text(reading: StatementReading, node: exp.Expr) -> str | None:
    """A text; in SQLite one in double quotes too, where no column goes by that name."""
    if isinstance(node, exp.Literal):
        return node.name if node.is_string else None
    quoted = (
        isinstance(node, exp.Column)
        and isinstance(node.this, exp.Identifier)
        and node.this.args.get("quoted")
    )
    if not quoted or node.args.get("table") or reading.dialect != "sqlite":
        return None
    return node.name if reading.declared(node) is None else None


def _told(
    table: Table, column: Column, text: str, schema: DatabaseSchema, values: Values
) -> str | None:
    shown = disclosure_of(column, table, schema) is Disclosure.SAMPLES
    if len(text) > MAX_LENGTH or not normal(text) or not shown:
        return None
    same = values.exact([text])
    own = [one for one in same if _is_in(one, table, column)]
    if any(_equal(one.value, text, schema.dialect) for one in own):
        return None
    held = own or list(_near(text, table, column, values))
    others = [one for one in same if one not in own and _may_be_told(one, schema)]
    better = _better([repr(one.value) for one in held], others, column)
    return f"{table.name}.{column.name} holds no {text!r}. {better}" if better else None


def _better(held: Sequence[str], others: Sequence[ValueMatch], column: Column) -> str:
    """What the column holds that is like it, else which columns hold it, else all that the column holds."""
    if held:
        return f"It holds {', '.join(list(dict.fromkeys(held))[:_SAID])}."
    if others:
        names = dict.fromkeys(f"{one.table}.{one.column}" for one in others)
        return f"{', '.join(list(names)[:_SAID])} {'does' if len(names) == 1 else 'do'}."
    few = column.profile.values if column.profile else ()
    return f"All that it holds is {', '.join(map(repr, few))}." if few else ""


def _near(text: str, table: Table, column: Column, values: Values) -> Iterator[ValueMatch]:
    for one in (*values.similar(text), *values.containing(text)):
        if _is_in(one, table, column):
            yield one


def _is_in(match: ValueMatch, table: Table, column: Column) -> bool:
    place = (match.table.casefold(), match.column.casefold())
    return place == (table.name.casefold(), column.name.casefold())


def _equal(held: str, text: str, dialect: str) -> bool:
    return held.casefold() == text.casefold() if dialect in _FOLDING else held == text


def _may_be_told(match: ValueMatch, schema: DatabaseSchema) -> bool:
    table = schema.table(match.table, match.schema_name)
    column = table.column(match.column) if table else None
    if table is None or column is None:
        return False
    return disclosure_of(column, table, schema) is Disclosure.SAMPLES
