"""What is odd about the rows of a statement: told once to the mind that wrote it."""

from collections.abc import Iterator, Sequence

from sqlglot import exp

from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import tokenise
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.record.situation import Intent, intent_of
from oldhand.sources.databases import QueryResult
from oldhand.sources.databases.sql_issues import SqlIssue, StatementReading, read_query
from oldhand.sources.databases.sql_issues.naming import NameMeaning

_ADDING = (exp.Sum, exp.Avg)
_COMPARING = (exp.Predicate, exp.In, exp.Between, exp.Func)
_AGAIN = "Write it otherwise if that is not what the question asks for; else give the same statement again."


def review_rows(sql: str, found: QueryResult, schema: DatabaseSchema, question: str, /) -> str:
    """What is odd about these rows, by rule; empty when nothing is."""
    reading = read_query(sql, schema)
    if isinstance(reading, SqlIssue):
        return ""
    said = [
        *_nothing(found),
        *_names_read_as_text(reading),
        *_added_up_repeatedly(reading),
        *_counted_after_a_limit(reading),
        *_without_order(reading, found, question),
    ]
    return "\n".join([*said, _AGAIN]) if said else ""


def _nothing(found: QueryResult) -> Iterator[str]:
    if not any(found.values):
        yield "It ran, but brought no rows."
    elif all(cell is None for row in found.values for cell in row):
        yield "It ran, but brought nothing but NULL."


def _names_read_as_text(reading: StatementReading) -> Iterator[str]:
    """SQLite reads a name in double quotes that does not exist as a text, and says nothing."""
    for use, found in reading.meanings:
        beside_a_column = isinstance(use.column.parent, _COMPARING)
        if found.meaning is NameMeaning.TEXT and not beside_a_column:
            yield f'There is no column "{use.name}": SQLite reads it as a text, the same in every row.'


def _added_up_repeatedly(reading: StatementReading) -> Iterator[str]:
    """A sum over a table whose rows a join repeats, once for each row that points to them."""
    for node in reading.all(*_ADDING):
        select = node.parent_select
        column = node.this
        name = reading.meaning.get(id(column))
        table = next((one.table for one in name.sources if one.table), None) if name else None
        if table is None or select is None or not select.args.get("joins"):
            continue
        joined = [one for one in select.find_all(exp.Table) if one.parent_select is select]
        for other in _known(joined, reading.schema):
            if any(key.table.casefold() == table.name.casefold() for key in other.foreign_keys):
                yield f"{reading.written(node)} adds up each row of {table.name} once for each row of {other.name} that belongs to it."


def _known(nodes: Sequence[exp.Table], schema: DatabaseSchema) -> Iterator[Table]:
    for node in nodes:
        table = schema.table(node.name)
        if table is not None:
            yield table


def _counted_after_a_limit(reading: StatementReading) -> Iterator[str]:
    """An aggregate over rows that a limit has cut."""
    tree = reading.tree
    source = tree.args.get("from_") or tree.args.get("from")
    inner = source.this if isinstance(source, exp.From) else None
    cut = isinstance(inner, exp.Subquery) and inner.this.args.get("limit") is not None
    if cut and isinstance(tree, exp.Select) and any(one.find(exp.AggFunc) for one in tree.selects):
        yield "It aggregates rows that LIMIT has cut before."


def _without_order(reading: StatementReading, found: QueryResult, question: str) -> Iterator[str]:
    """Rows in no order, where the question asks for one."""
    asked = {token.lower for token in tokenise(question)} & words("sorting.orders")
    ranks = bool(asked) or (bool(question) and intent_of(question) is Intent.RANKING)
    extreme = any(reading.all(exp.Max, exp.Min, exp.Window))
    if ranks and len(found.values) > 1 and not extreme and reading.tree.args.get("order") is None:
        yield "The question asks for an order, and the statement has no ORDER BY."
