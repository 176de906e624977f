"""Rules about rows: a value of any row beside an aggregate, and more rows than anybody reads."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.sources.databases.sql_issues import Severity, SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.naming import NameMeaning
from oldhand.sources.databases.sql_issues.scopes import ColumnUse, Scope, ScopeSource


def aggregate_without_grouping(reading: StatementReading) -> Iterator[SqlIssue]:
    """A plain column beside an aggregate, and no GROUP BY: its value is that of any row.

    SQLite takes the row of the maximum or minimum when that is the only aggregate, so this is fine there. Where a database
    lets it pass and WHERE holds the table to one value, all rows may have the same value: that is advice.
    """
    for scope in reading.gathered.scopes:
        aggregates = [call for call in scope.aggregates if call.clause == "select"]
        if not aggregates or scope.query.args.get("group"):
            continue
        extremes = [call for call in aggregates if isinstance(call.node, exp.Max | exp.Min)]
        if reading.dialect == "sqlite" and len(extremes) == len(aggregates) == 1:
            continue
        use = next((use for use in scope.uses if _is_any_value(reading, scope, use)), None)
        if use is not None:
            name = reading.written(use.column)
            message = f"{name} stands beside an aggregate without GROUP BY, so it is the value of any row: add GROUP BY {name}, or leave it out."
            is_held = reading.dialect == "sqlite" and _is_held_to_a_value(reading, scope, use)
            severity = Severity.ADVICE if is_held else Severity.ERROR
            yield reading.issue("aggregate_without_grouping", use.column, message, severity)


def _is_any_value(reading: StatementReading, scope: Scope, use: ColumnUse) -> bool:
    if use.clause != "select" or use.aggregate is not None:
        return False
    found = reading.meaning[id(use.column)]
    is_reported = reading.habits.strict_grouping and reading.dialect != "mysql"
    if found.meaning is NameMeaning.COLUMN:
        return found.scope is scope and not is_reported
    return (
        found.meaning is NameMeaning.UNSURE
        and found.scope in (None, scope)
        and scope.parent is None
    )


def _is_held_to_a_value(reading: StatementReading, scope: Scope, use: ColumnUse) -> bool:
    """Whether WHERE compares a column of the same table by = with something that is no column."""
    where = scope.query.args.get("where")
    if not isinstance(where, exp.Where):
        return False
    conditions = where.this.flatten() if isinstance(where.this, exp.And) else (where.this,)
    own = _source(reading, scope, use.column)
    for condition in conditions:
        sides = (condition.this, condition.expression) if isinstance(condition, exp.EQ) else ()
        sources = [found for side in sides if (found := _source(reading, scope, side))]
        if len(sources) == 1 and sources[0] is own:
            return True
    return False


def _source(reading: StatementReading, scope: Scope, node: exp.Expr) -> ScopeSource | None:
    """What a column belongs to; None for what is no column, such as a text in double quotes."""
    found = reading.meaning.get(id(node))
    if found is None or found.meaning is NameMeaning.TEXT:
        return None
    sources = found.sources or scope.sources
    return next(iter(sources)) if len(sources) == 1 else None


LARGE_TABLE = 10_000
"""Rows from which on a table is too large to be read whole by people or by a model."""


def missing_limit(reading: StatementReading) -> Iterator[SqlIssue]:
    """All rows of a large table, without a filter, groups or LIMIT."""
    query = reading.tree
    scope = next((scope for scope in reading.gathered.scopes if scope.query is query), None)
    if scope is None or not _brings_all(scope):
        return
    for source in scope.sources:
        rows = source.table.row_count if source.table else None
        if rows is not None and rows >= LARGE_TABLE:
            message = f"{source.label} has {rows:,} rows and all of them are read: add LIMIT, a filter, or aggregate."
            yield reading.issue("missing_limit", source.node, message, Severity.ADVICE)
            return


def _brings_all(scope: Scope) -> bool:
    parts = ("limit", "where", "group", "having", "distinct")
    filtered = any(scope.query.args.get(part) for part in parts)
    return not filtered and not any(call.clause == "select" for call in scope.aggregates)
