"""Repair by rule: what to change in a statement that a database rejected.

The error is read, the statement is changed as a tree, and written anew in its dialect. Rules yield several ways where
there are several; one that was tried already is passed over. When no rule applies there is no repair: guessing on
would only hide that the question was not understood.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import Dialect, exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.agent.analyst.repair import names, shape
from oldhand.agent.analyst.repair.names import Repair
from oldhand.agent.analyst.repair.types import agree_on_types, convert_gently
from oldhand.query.compiling.render import default_schema, render
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.complaints import Complaint, Trouble, read_complaint

_DIALECTS = ("sqlite", "mysql", "duckdb", "postgres", "tsql", "oracle")


@dataclass(frozen=True)
class Repaired:
    """A statement that should do better."""

    sql: str
    note: str
    """What was changed, in words."""


Rule = Callable[[exp.Expr, Complaint, DatabaseSchema], Iterator[Repair]]


_RULES: dict[Trouble, Rule] = {
    Trouble.UNKNOWN_TABLE: names.unknown_table,
    Trouble.UNKNOWN_SOURCE: names.unknown_source,
    Trouble.UNKNOWN_COLUMN: names.unknown_column,
    Trouble.AMBIGUOUS: names.ambiguous,
    Trouble.TYPES: agree_on_types,
    Trouble.CONVERSION: convert_gently,
}
_SHAPES: tuple[tuple[Trouble, Callable[[exp.Expr], exp.Expr], str], ...] = (
    (Trouble.NOT_GROUPED, shape.not_grouped, "Grouped by every column that is shown."),
    (Trouble.AGGREGATE_IN_WHERE, shape.aggregate_in_where, "A condition on a group was moved to HAVING."),
    (Trouble.AGGREGATE_IN_WHERE, shape.nested_aggregate, "Aggregated in two steps."),
    (Trouble.NESTED_AGGREGATE, shape.nested_aggregate, "Aggregated in two steps."),
    (Trouble.DISTINCT_ORDER, shape.distinct_order, "Each row once, in the order of its first occurrence."),
    (Trouble.MANY_ROWS, shape.many_rows, "Compared with each row of the subquery."),
    (Trouble.LIMIT_IN_SUBQUERY, shape.limit_in_subquery, "The limited rows were put into a table of their own."),
    (Trouble.TIMED_OUT, shape.timed_out, f"It took too long: only {shape.PATIENCE_ROWS:,} rows were fetched."),
)  # fmt: skip
_ANEW = {
    Trouble.TYPES: "Written anew.",
    Trouble.DIVISION_BY_ZERO: "Dividing by zero gives nothing.",
}
"""Where writing the statement anew is enough: divisions become safe, functions those of the dialect."""


def repaired(
    sql: str, error: str, schema: DatabaseSchema, tried: Sequence[str] = ()
) -> Repaired | None:
    """A statement in place of `sql`, which `schema`'s database rejected with `error`; None when no rule helps.

    It is none of those that were `tried` before. Freshly introspected schemas repair more.
    """
    tree = _read(sql, schema.dialect)
    if tree is None:
        return None
    _anchor(tree, schema)
    complaint = read_complaint(error)
    before = {_form(text, schema.dialect) for text in (sql, *tried)}
    for changed, note in _repairs(tree, complaint, schema, sql):
        text = render(changed, schema.dialect, default_schema(schema))
        if _form(text, schema.dialect) not in before:
            return Repaired(text, note)
    return None


def _repairs(
    tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema, sql: str
) -> Iterator[Repair]:
    trouble = complaint.trouble
    if trouble in {Trouble.UNKNOWN_FUNCTION, Trouble.SYNTAX}:
        yield from _of_other_dialects(sql, complaint, schema)
    if rule := _RULES.get(trouble):
        yield from rule(tree, complaint, schema)
    for about, change, note in _SHAPES:
        changed = change(tree.copy()) if about is trouble else tree
        if changed != tree:
            yield changed, note
    if trouble in _ANEW:
        yield tree, _ANEW[trouble]


def _read(sql: str, dialect: str) -> exp.Expr | None:
    try:
        return parse_one(sql, read=dialect)
    except SqlglotError:
        return None


def _form(sql: str, dialect: str) -> tuple[tuple[object, str], ...]:
    """The statement without its layout, so that two of them can be compared."""
    try:
        tokens = Dialect.get_or_raise(dialect).tokenize(sql)
        return tuple((token.token_type, token.text) for token in tokens)
    except SqlglotError:
        return ((None, sql),)


def _anchor(tree: exp.Expr, schema: DatabaseSchema) -> None:
    """Say of each table in which database it lies; names that a CTE defines are left alone."""
    defined = {cte.alias for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        if table.name in defined and not table.db:
            continue
        known = schema.table(table.name, table.db or None)
        if known is not None and not table.db:
            table.set("db", exp.to_identifier(known.schema_name))
        table.set("catalog", exp.to_identifier(schema.name))


def _of_other_dialects(sql: str, complaint: Complaint, schema: DatabaseSchema) -> Iterator[Repair]:
    """A function that this database lacks may be one of another dialect, which has its match here."""
    for dialect in dict.fromkeys((schema.dialect, *_DIALECTS)):
        tree = _read(sql, dialect)
        if tree is None:
            continue
        _anchor(tree, schema)
        text = render(tree, schema.dialect, default_schema(schema))
        again = _read(text, schema.dialect)
        called = f"{complaint.name.upper()}("
        known = again is not None and called not in again.sql(dialect=schema.dialect).upper()
        if known or complaint.trouble is Trouble.SYNTAX:
            what = complaint.name or "The statement"
            yield tree, f"{what} was rewritten in the words of {schema.dialect}."
