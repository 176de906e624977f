"""Rules about how much a query brings back."""

from collections.abc import Iterator

from oldhand.sources.databases.sql_issues import Reading, Severity, SqlIssue
from oldhand.sources.databases.sql_issues.scopes import Scope

LARGE_TABLE = 10_000
"""Rows from which on a table is too large to be read whole by people or by a model."""


def missing_limit(reading: Reading) -> Iterator[SqlIssue]:
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
