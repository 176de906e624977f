"""Rules about aggregates, window functions and grouping."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.sources.databases.sql_issues.gathering import is_aggregate
from oldhand.sources.databases.sql_issues.naming import NameMeaning
from oldhand.sources.databases.sql_issues.reading import (
    Severity,
    SqlIssue,
    StatementReading,
    written,
)
from oldhand.sources.databases.sql_issues.scopes import AggregateCall, ColumnUse, Scope, ScopeSource

_Key = tuple[str, str]
_BEFORE_GROUPS = {"where": "WHERE", "join": "ON", "group": "GROUP BY"}


def aggregate_in_where(reading: StatementReading) -> Iterator[SqlIssue]:
    """Rows are filtered, joined and grouped before there are groups to aggregate."""
    for scope in reading.gathered.scopes:
        for call in scope.aggregates:
            clause = _clause_of_owner(reading, call)
            if clause in _BEFORE_GROUPS:
                message = f"{_name(call.node)} cannot stand in {_BEFORE_GROUPS[clause]}: filter groups in HAVING, or compare with a subquery (SELECT …)."
                yield reading.issue("aggregate_in_where", call.node, message)


def hidden_aggregate(reading: StatementReading) -> Iterator[SqlIssue]:
    """An aggregate or a window function that is used by its alias where it cannot be known yet."""
    for use, found in reading.meanings:
        meant = found.expression
        if meant is None or use.clause not in _BEFORE_GROUPS:
            continue
        clause, name = _BEFORE_GROUPS[use.clause], use.column.name
        if isinstance(meant, exp.Window):
            message = f"{name} is a window function and cannot stand in {clause}: compute it in a subquery and filter outside."
            yield reading.issue("window_in_where", use.column, message)
        elif _holds(meant):
            message = (
                f"{name} is an aggregate and cannot stand in {clause}: use HAVING or a subquery."
            )
            yield reading.issue("aggregate_in_where", use.column, message)


def nested_aggregate(reading: StatementReading) -> Iterator[SqlIssue]:
    """An aggregate of an aggregate needs a subquery."""
    for scope in reading.gathered.scopes:
        for call in scope.aggregates:
            if call.inside is not None:
                message = f"{_name(call.node)} cannot stand inside of {_name(call.inside)}: compute it in a subquery in FROM first, or use ORDER BY … LIMIT 1."
                yield reading.issue("nested_aggregate", call.inside, message)
        for call in scope.windows:
            if call.inside is not None:
                message = "A window function cannot stand inside of an aggregate: compute it in a subquery in FROM first."
                yield reading.issue("nested_aggregate", call.node, message)
    for use, found in reading.meanings:
        if use.aggregate is not None and found.expression and _holds(found.expression):
            message = f"{use.column.name} is an aggregate already: compute it in a subquery in FROM first."
            yield reading.issue("nested_aggregate", use.aggregate, message)


def window_in_where(reading: StatementReading) -> Iterator[SqlIssue]:
    """Window functions are computed after filtering and grouping."""
    for scope in reading.gathered.scopes:
        for call in scope.windows:
            if call.clause in {**_BEFORE_GROUPS, "having": "HAVING"}:
                message = f"A window function cannot stand in {call.clause.upper()}: compute it in a subquery and filter outside."
                yield reading.issue("window_in_where", call.node, message)


def having_without_groups(reading: StatementReading) -> Iterator[SqlIssue]:
    """HAVING without GROUP BY filters the one group of all rows, if the query aggregates at all."""
    for scope in reading.gathered.scopes:
        having = scope.query.args.get("having")
        if having is None or scope.query.args.get("group"):
            continue
        if not any(call.clause == "select" for call in scope.aggregates) and not scope.veils:
            message = (
                "HAVING filters groups, but there is no GROUP BY. Add it, or filter rows in WHERE."
            )
            severity = Severity.ADVICE if reading.dialect == "mysql" else Severity.ERROR
            yield reading.issue("having_without_groups", having, message, severity)


def order_by_aggregate_without_groups(reading: StatementReading) -> Iterator[SqlIssue]:
    """Ordering by an aggregate makes sense for groups only."""
    for scope in reading.gathered.scopes:
        query = scope.query
        if query.args.get("group") or query.args.get("having"):
            continue
        if any(call.clause in {"select", "having"} for call in scope.aggregates):
            continue
        for call in scope.aggregates:
            if _clause_of_owner(reading, call) == "order":
                message = f"ORDER BY {_name(call.node)} needs groups: add GROUP BY."
                severity = Severity.ADVICE if reading.dialect == "mysql" else Severity.ERROR
                code = "order_by_aggregate_without_groups"
                yield reading.issue(code, call.node, message, severity)


def ungrouped_column(reading: StatementReading) -> Iterator[SqlIssue]:
    """A column beside aggregates that has many values in each group."""
    if not reading.habits.strict_grouping:
        return
    severity = Severity.ADVICE if reading.dialect == "mysql" else Severity.ERROR
    for scope in reading.gathered.scopes:
        if not scope.query.args.get("group") and not _aggregates(scope):
            continue
        grouped = grouped_by(reading, scope)
        if grouped is None:
            continue
        for use in scope.uses:
            if _needs_group(reading, scope, use) and not is_grouped(reading, scope, use, grouped):
                name = reading.written(use.column)
                message = f"{name} has many values in each group: add it to GROUP BY, or use an aggregate such as MAX({name})."
                yield reading.issue("ungrouped_column", use.column, message, severity)
        has_star = any(isinstance(item, exp.Star) for item in scope.query.expressions)
        if has_star and not all(_is_covered(source, grouped) for source in scope.sources):
            message = "SELECT * has columns that are not in GROUP BY: name the columns that are, and aggregates."
            yield reading.issue("ungrouped_column", scope.query, message, severity)


def _is_covered(source: ScopeSource, grouped: tuple[set[_Key], set[str], list[exp.Expr]]) -> bool:
    columns, covered, _ = grouped
    if source.columns is None or source.name in covered:
        return True
    return all((source.name, column) in columns for column in source.columns)


def _clause_of_owner(reading: StatementReading, call: AggregateCall) -> str:
    """The clause that counts: an aggregate over columns of an outer query only belongs to that query."""
    if reading.dialect == "sqlite" and call.clause in _BEFORE_GROUPS:
        return call.clause
    owners = [reading.meaning.get(id(column)) for column in call.node.find_all(exp.Column)]
    scopes = [found.scope for found in owners if found and found.meaning is NameMeaning.COLUMN]
    if not scopes or len(scopes) < len(owners) or call.scope in scopes:
        return call.clause
    clause, scope = call.clause, call.scope
    while scope is not None and scope not in scopes:
        clause, scope = scope.clause, scope.parent
    return clause


def _aggregates(scope: Scope) -> bool:
    return any(call.clause in {"select", "having", "order"} for call in scope.aggregates)


def _needs_group(reading: StatementReading, scope: Scope, use: ColumnUse) -> bool:
    if use.aggregate is not None or use.clause not in {"select", "having", "order"}:
        return False
    found = reading.meaning[id(use.column)]
    return found.meaning is NameMeaning.COLUMN and found.scope is scope


def grouped_by(
    reading: StatementReading, scope: Scope
) -> tuple[set[_Key], set[str], list[exp.Expr]] | None:
    """Columns, whole sources and expressions that are grouped by; None when that is too intricate to say."""
    group = scope.query.args.get("group")
    columns: set[_Key] = set()
    expressions: list[exp.Expr] = []
    if group is None:
        return columns, set(), expressions
    if any(group.args.get(key) for key in ("all", "grouping_sets", "cube", "rollup", "totals")):
        return None
    for term in group.expressions:
        if isinstance(term, exp.Rollup | exp.Cube | exp.GroupingSets):
            return None
        meant = _term(scope, reading, term)
        found = reading.meaning.get(id(meant)) if isinstance(meant, exp.Column) else None
        if isinstance(meant, exp.Tuple):
            return None
        if (
            found is not None
            and found.meaning is NameMeaning.COLUMN
            and isinstance(meant, exp.Column)
        ):
            columns.add((found.sources[0].name, meant.name.casefold()))
        elif meant is None or (found is not None and found.meaning is not NameMeaning.COLUMN):
            return None
        else:
            expressions.append(meant)
    return columns, _covered(reading, scope, columns), expressions


def _term(scope: Scope, reading: StatementReading, term: exp.Expr) -> exp.Expr | None:
    """What a term of GROUP BY stands for: a position or an alias means the expression in SELECT."""
    if isinstance(term, exp.Literal) and not term.is_string and term.name.isdigit():
        position = int(term.name)
        outputs = scope.outputs or ()
        return outputs[position - 1].node if 0 < position <= len(outputs) else None
    found = reading.meaning.get(id(term))
    return found.expression if found and found.output else term


def _covered(reading: StatementReading, scope: Scope, columns: set[_Key]) -> set[str]:
    """Sources whose whole primary key is grouped by."""
    if not reading.habits.key_covers_row:
        return set()
    covered: set[str] = set()
    for source in scope.sources:
        key = source.table.primary_key if source.table else ()
        if key and all((source.name, name.casefold()) in columns for name in key):
            covered.add(source.name)
        elif not any(table.primary_key for table in reading.schema.tables):
            covered.add(source.name)  # the schema does not tell keys
    return covered


def is_grouped(
    reading: StatementReading,
    scope: Scope,
    use: ColumnUse,
    grouped: tuple[set[_Key], set[str], list[exp.Expr]],
) -> bool:
    """Whether a column has one value in each of the groups."""
    columns, covered, expressions = grouped
    source = reading.meaning[id(use.column)].sources[0]
    if (source.name, use.name) in columns or (source.name in covered and columns):
        return True
    if use.name in source.merged or any(use.name in other.merged for other in scope.sources):
        return True
    node: exp.Expr | None = use.column
    while node is not None and node is not scope.query:
        if any(_same(node, expression) for expression in expressions):
            return True
        node = node.parent
    return False


def _same(node: exp.Expr, expression: exp.Expr) -> bool:
    same_type = type(node) is type(expression)
    return same_type and written(node).casefold() == written(expression).casefold()


def _holds(node: exp.Expr) -> bool:
    """Whether an aggregate of the same scope stands in the expression."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, exp.Query | exp.Window):
            continue
        if is_aggregate(part):
            return True
        stack.extend(part.iter_expressions())
    return False


def _name(node: exp.Expr) -> str:
    return written(node)[:60]
