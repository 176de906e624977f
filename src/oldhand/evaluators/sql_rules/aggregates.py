"""Rules about aggregates that are legal somewhere, and yet mean little."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.sources.databases.sql_issues import Reading, SqlIssue
from oldhand.sources.databases.sql_issues.naming import Meaning
from oldhand.sources.databases.sql_issues.scopes import Scope, Use


def aggregate_without_grouping(reading: Reading) -> Iterator[SqlIssue]:
    """A plain column beside an aggregate, and no GROUP BY: its value is that of any row.

    SQLite takes the row of the maximum or minimum when that is the only aggregate, so this is fine there.
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
            yield reading.issue("aggregate_without_grouping", use.column, message)


def _is_any_value(reading: Reading, scope: Scope, use: Use) -> bool:
    if use.clause != "select" or use.aggregate is not None:
        return False
    found = reading.meaning[id(use.column)]
    is_reported = reading.habits.strict_grouping and reading.dialect != "mysql"
    if found.meaning is Meaning.COLUMN:
        return found.scope is scope and not is_reported
    return found.meaning is Meaning.UNSURE and found.scope in (None, scope) and scope.parent is None
