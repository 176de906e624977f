"""Rules about the shape of queries: how many columns, and where ORDER BY and LIMIT may stand."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.sources.databases.sql_issues.kinds import COMPARISONS
from oldhand.sources.databases.sql_issues.reading import (
    Severity,
    SqlIssue,
    StatementReading,
    written,
)
from oldhand.sources.databases.sql_issues.scopes import Scope


def set_operation_width(reading: StatementReading) -> Iterator[SqlIssue]:
    """Both sides of UNION, INTERSECT and EXCEPT have the same number of columns."""
    for node in reading.all(exp.SetOperation):
        if node.args.get("by_name"):
            continue
        left, right = _width(reading, node.this), _width(reading, node.expression)
        if left is not None and right is not None and left != right:
            message = f"The sides of {_operator(node)} have {left} and {right} columns: select the same number on both."
            yield reading.issue("set_operation_width", node, message)


def order_before_set_operation(reading: StatementReading) -> Iterator[SqlIssue]:
    """ORDER BY and LIMIT belong to the end of the whole, not to its first part."""
    for node in reading.all(exp.SetOperation):
        left = node.this
        if isinstance(left, exp.SetOperation):
            left = left.expression
        if isinstance(left, exp.Query) and not isinstance(left, exp.Subquery):
            part = next((p for key in _AT_THE_END if (p := left.args.get(key))), None)
            if part is not None:
                word = "ORDER BY" if isinstance(part, exp.Order) else type(part).__name__.upper()
                message = f"{word} belongs to the end, not before {_operator(node)}: move it there, or wrap that part in a subquery in FROM."
                yield reading.issue("order_before_set_operation", part, message)


_AT_THE_END = ("order", "limit", "offset")


def subquery_width(reading: StatementReading) -> Iterator[SqlIssue]:
    """A subquery that is compared with one value has one column."""
    for node in reading.all(exp.In):
        query = node.args.get("query")
        if isinstance(query, exp.Expr):
            yield from _expect(reading, query, _values(node.this))
    for node in reading.all(exp.Subquery):
        parent = node.parent
        if isinstance(parent, COMPARISONS):
            other = parent.expression if parent.this is node else parent.this
            yield from _expect(reading, node, _values(other))
        elif isinstance(parent, _ONE_VALUE) or (
            isinstance(parent, exp.Select) and node.arg_key == "expressions"
        ):
            yield from _expect(reading, node, 1)


_ONE_VALUE = (
    exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Alias, exp.Between, exp.Coalesce, exp.If, exp.Case, exp.Like,
    exp.Ordered, exp.DPipe, exp.Neg, exp.Cast, exp.Round, exp.Limit,
)  # fmt: skip


def row_width(reading: StatementReading) -> Iterator[SqlIssue]:
    """Rows are compared with rows of the same length."""
    for node in reading.all(*COMPARISONS):
        left, right = node.this, node.expression
        both_rows = isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple)
        if both_rows and len(left.expressions) != len(right.expressions):
            message = "The two rows that are compared have different lengths."
            yield reading.issue("row_width", node, message)
    for node in reading.all(exp.Values):
        widths = {len(row.expressions) for row in node.expressions if isinstance(row, exp.Tuple)}
        if len(widths) > 1:
            message = "All rows of VALUES have the same number of values."
            yield reading.issue("row_width", node, message)


def cte_width(reading: StatementReading) -> Iterator[SqlIssue]:
    """The list of names after a CTE's name fits its columns, and each name is defined once."""
    for node in reading.all(exp.With):
        seen: set[str] = set()
        for cte in node.expressions:
            if cte.alias.casefold() in seen:
                message = f"WITH defines {cte.alias} twice: rename one of them."
                yield reading.issue("cte_width", cte.args["alias"], message)
            seen.add(cte.alias.casefold())
            columns = cte.args["alias"].columns
            width = _width(reading, cte.this)
            if not columns or width is None or reading.dialect == "duckdb":
                continue
            too_few = reading.dialect in {"sqlite", "mysql"} and len(columns) < width
            if too_few or len(columns) > width:
                message = f"{cte.alias} names {len(columns)} columns, but its query has {width}."
                yield reading.issue("cte_width", cte.args["alias"], message)


def position_out_of_range(reading: StatementReading) -> Iterator[SqlIssue]:
    """ORDER BY 3 needs three columns."""
    for scope in reading.gathered.scopes:
        if scope.outputs is not None and not isinstance(scope.query.parent, exp.SetOperation):
            yield from _positions(reading, scope.query, len(scope.outputs))
    for node, _ in reading.gathered.compounds:
        width = _width(reading, node)
        if width is not None:
            yield from _positions(reading, node, width)


def compound_order(reading: StatementReading) -> Iterator[SqlIssue]:
    """After a set operation, ORDER BY knows the columns of the result only."""
    if reading.dialect == "duckdb":
        return
    for node, scopes in reading.gathered.compounds:
        order = node.args.get("order")
        known = scopes if reading.dialect == "sqlite" else scopes[:1]
        if not order or not known or any(scope.outputs is None for scope in known):
            continue
        for ordered in order.expressions:
            term = ordered.this.this if isinstance(ordered.this, exp.Collate) else ordered.this
            by_name = isinstance(term, exp.Column | exp.Literal) and not term.args.get("table")
            if not _matches(term, known) or (reading.dialect == "postgres" and not by_name):
                message = "ORDER BY after a set operation can only name a column of the result, or give its position."
                yield reading.issue("compound_order", ordered, message)


def incomplete_clause(reading: StatementReading) -> Iterator[SqlIssue]:
    """A clause that the parser lets end too early."""
    for scope in reading.gathered.scopes:
        query = scope.query
        group = query.args.get("group")
        if group is not None and not any(group.args.values()):
            yield reading.issue("incomplete_clause", query, "GROUP BY names nothing: add columns.")
        if not query.expressions and reading.dialect != "postgres":
            yield reading.issue("incomplete_clause", query, "SELECT names nothing: add columns.")


def column_in_limit(reading: StatementReading) -> Iterator[SqlIssue]:
    """LIMIT is the same number for all rows."""
    for use, found in reading.meanings:
        if use.clause == "limit" and found.scope in (None, use.scope):
            message = "LIMIT takes a number, no column: number the rows with ROW_NUMBER() instead."
            yield reading.issue("column_in_limit", use.column, message)
    for node, _ in reading.gathered.compounds:
        limit = node.args.get("limit")
        if isinstance(limit, exp.Limit) and isinstance(limit.expression, exp.Column):
            message = "LIMIT takes a number, no column."
            yield reading.issue("column_in_limit", limit.expression, message)


def star_without_tables(reading: StatementReading) -> Iterator[SqlIssue]:
    """SELECT * needs something to read from."""
    for scope in reading.gathered.scopes:
        has_star = any(isinstance(item, exp.Star) for item in scope.query.expressions)
        if has_star and not scope.sources:
            message = "SELECT * has no FROM: name the table."
            yield reading.issue("star_without_tables", scope.query, message)


def distinct_order(reading: StatementReading) -> Iterator[SqlIssue]:
    """With DISTINCT, Postgres orders by columns of the result only; others order by the value of any row."""
    severity = Severity.ERROR if reading.dialect == "postgres" else Severity.ADVICE
    for scope in reading.gathered.scopes:
        distinct, order = scope.query.args.get("distinct"), scope.query.args.get("order")
        if not distinct or distinct.args.get("on") or not order or scope.outputs is None:
            continue
        if any(output.node is None for output in scope.outputs):
            continue
        for ordered in order.expressions:
            if not _matches(ordered.this, [scope]):
                message = "With SELECT DISTINCT, what ORDER BY uses must be selected too."
                yield reading.issue("distinct_order", ordered, message, severity)


def _expect(reading: StatementReading, query: exp.Expr, expected: int | None) -> Iterator[SqlIssue]:
    width = _width(reading, query)
    if width is not None and expected is not None and width != expected:
        message = f"The subquery has {width} columns where {expected} {'is' if expected == 1 else 'are'} needed: select only what is compared."
        yield reading.issue("subquery_width", query, message)


def _values(node: exp.Expr) -> int | None:
    """How many values stand on the other side of a comparison."""
    if isinstance(node, exp.Tuple):
        return len(node.expressions)
    return None if isinstance(node, exp.Query) else 1


def _width(reading: StatementReading, node: exp.Expr) -> int | None:
    outputs = reading.gathered.outputs.get(id(node))
    while outputs is None and isinstance(node, exp.Subquery | exp.SetOperation):
        node = node.this
        outputs = reading.gathered.outputs.get(id(node))
    return None if outputs is None else len(outputs)


def _positions(reading: StatementReading, query: exp.Expr, width: int) -> Iterator[SqlIssue]:
    order, group = query.args.get("order"), query.args.get("group")
    terms: list[exp.Expr] = [ordered.this for ordered in order.expressions] if order else []
    terms += group.expressions if group else []
    for term in terms:
        is_position = isinstance(term, exp.Literal) and not term.is_string and term.name.isdigit()
        if is_position and not 1 <= int(term.name) <= width:
            message = f"Position {term.name} is out of range: the result has {width} columns."
            yield reading.issue("position_out_of_range", term, message)


def _matches(term: exp.Expr, scopes: list[Scope]) -> bool:
    """Whether a term of ORDER BY is one of the columns of the result."""
    if isinstance(term, exp.Literal):
        return True
    outputs = [output for scope in scopes for output in scope.outputs or ()]
    if isinstance(term, exp.Column):
        name = term.name.casefold()
        return any(name in (output.name, _column_name(output.node)) for output in outputs)
    nodes = [output.node for output in outputs if output.node is not None]
    return written(term).casefold() in {written(node).casefold() for node in nodes}


def _column_name(node: exp.Expr | None) -> str | None:
    return node.name.casefold() if isinstance(node, exp.Column) else None


def _operator(node: exp.SetOperation) -> str:
    return type(node).__name__.upper()
