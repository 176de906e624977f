"""Rules about kinds of values, for the databases that are strict with them."""

import re
from collections.abc import Iterator

from sqlglot import exp

from oldhand.record.schema import DATES, NUMBERS, Column, Kind
from oldhand.sources.databases.sql_issues.issue import SqlIssue
from oldhand.sources.databases.sql_issues.reading import Reading

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_NUMBER = re.compile(
    r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*|\s*[+-]?(inf(inity)?|nan)\s*", re.IGNORECASE
)
_DATE = re.compile(
    r".*\d.*|\s*(now|today|tomorrow|yesterday|epoch|-?infinity|allballs)\s*",
    re.IGNORECASE | re.DOTALL,
)
_TRUTH = re.compile(
    r"\s*(t|tr|tru|true|f|fa|fal|fals|false|y|ye|yes|n|no|on|of|off|1|0)\s*", re.IGNORECASE
)


def compared_kinds(reading: Reading) -> Iterator[SqlIssue]:
    """A column compared with a value or a column of another kind."""
    if not reading.habits.strict_types:
        return
    for node in reading.all(*_COMPARISONS, exp.In, exp.Between):
        for one, other in _pairs(reading, node):
            column = _declared(reading, one)
            if column and (reason := _mismatch(reading, column, other)):
                yield reading.issue("compared_kinds", node, reason)


def _pairs(reading: Reading, node: exp.Expr) -> Iterator[tuple[exp.Expr, exp.Expr]]:
    """What is compared with what, as far as the database minds the kinds."""
    if isinstance(node, exp.Between):
        yield node.this, node.args["low"]
        yield node.this, node.args["high"]
    elif isinstance(node, exp.In):
        if reading.dialect == "postgres":  # DuckDB finds a common kind for the list
            yield from ((node.this, value) for value in node.expressions)
        query = node.args.get("query")
        outputs = reading.gathered.outputs.get(id(query))
        if outputs and outputs[0].node is not None:
            yield node.this, outputs[0].node
    else:
        yield node.this, node.expression
        yield node.expression, node.this


def pattern_on_number(reading: Reading) -> Iterator[SqlIssue]:
    """LIKE looks at text only."""
    if not reading.habits.strict_types:
        return
    for node in reading.all(exp.Like, exp.ILike):
        column = _declared(reading, node.this)
        if column and column.kind in NUMBERS | DATES | {Kind.BOOLEAN, Kind.TIME}:
            message = f"{column.name} is {column.type}, no text: cast it to text for LIKE, or compare it directly."
            yield reading.issue("pattern_on_number", node, message)


def summed_kind(reading: Reading) -> Iterator[SqlIssue]:
    """Only numbers have a sum and an average."""
    if not reading.habits.strict_types:
        return
    refused = {Kind.TEXT, Kind.DATE, Kind.JSON, Kind.BINARY}
    refused |= {Kind.BOOLEAN} if reading.dialect == "postgres" else set()
    for node in reading.all(exp.Sum, exp.Avg):
        column = _declared(reading, node.this)
        average_of_date = (
            isinstance(node, exp.Avg)
            and column
            and column.kind in DATES
            and reading.dialect == "duckdb"
        )
        if column and column.kind in refused and not average_of_date:
            message = f"{column.name} is {column.type}, no number: cast it, or count it instead."
            yield reading.issue("summed_kind", node, message)


def truth_of_value(reading: Reading) -> Iterator[SqlIssue]:
    """In Postgres, a condition is a boolean and nothing else."""
    if reading.dialect != "postgres":
        return
    for node in reading.all(exp.Where, exp.Having, exp.And, exp.Or, exp.Not, exp.If):
        if isinstance(node, exp.If) and node.parent and node.parent.args.get("this"):
            continue  # CASE x WHEN 1
        for side in (node.this, node.args.get("expression")):
            if isinstance(side, exp.Literal) and not side.is_string:
                message = f"{side.name} is a number, no condition: use TRUE or FALSE."
                yield reading.issue("truth_of_value", node, message)
            column = _declared(reading, side) if isinstance(side, exp.Expr) else None
            if column and column.kind in NUMBERS | DATES | {Kind.TEXT}:
                message = f"{column.name} is {column.type}, no condition: compare it with a value."
                yield reading.issue("truth_of_value", node, message)


def _declared(reading: Reading, node: exp.Expr) -> Column | None:
    found = reading.meaning.get(id(node))
    return found.column if found else None


def arithmetic_on_text(reading: Reading) -> Iterator[SqlIssue]:
    """Text does not add up."""
    if not reading.habits.strict_types:
        return
    for node in reading.all(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod):
        for side in (node.this, node.expression):
            column = _declared(reading, side)
            if column and column.kind is Kind.TEXT:
                message = (
                    f"{column.name} is {column.type}, no number: cast it before computing with it."
                )
                yield reading.issue("arithmetic_on_text", node, message)


def set_operation_kinds(reading: Reading) -> Iterator[SqlIssue]:
    """In Postgres, the columns of both sides are of matching kinds."""
    if reading.dialect != "postgres":
        return
    for node, scopes in reading.gathered.compounds:
        first = scopes[0].outputs if scopes else None
        for scope in scopes[1:]:
            for one, other in zip(first or (), scope.outputs or (), strict=False):
                kinds = {_kind(reading, output.node) for output in (one, other)}
                if len(kinds) == 2 and Kind.TEXT in kinds and kinds & (NUMBERS | DATES):
                    message = "The sides of the set operation have columns of different kinds at the same place: cast one of them."
                    yield reading.issue("set_operation_kinds", node, message)


def _kind(reading: Reading, node: exp.Expr | None) -> Kind | None:
    if isinstance(node, exp.Count):
        return Kind.INTEGER
    if isinstance(node, exp.Sum | exp.Avg):
        return Kind.NUMBER
    column = _declared(reading, node) if node is not None else None
    return column.kind if column else None


def _mismatch(reading: Reading, column: Column, value: exp.Expr) -> str | None:
    """Why the value does not fit the column, or None when it does, or nobody knows."""
    if isinstance(value, exp.Neg):
        value = value.this
    kind = f"{column.name} is {column.type}"
    if isinstance(value, exp.Column):
        return _unfit_column(reading, column, value)
    if isinstance(value, exp.Boolean) and column.kind in NUMBERS and reading.dialect == "postgres":
        return f"{kind}: compare it with a number, not with TRUE or FALSE."
    if not isinstance(value, exp.Literal):
        return None
    if value.is_string:
        return _unfit_text(kind, column.kind, value.name)
    if reading.dialect == "duckdb" and isinstance(value.parent, exp.EQ | exp.NEQ):
        return None  # the number is taken for text
    return _unfit_number(kind, column.kind, value.name, reading.dialect)


def _unfit_column(reading: Reading, column: Column, value: exp.Column) -> str | None:
    other = _declared(reading, value)
    in_query = value.find_ancestor(exp.Select, *_COMPARISONS, exp.In, exp.Between)
    if other is None or (reading.dialect == "duckdb" and not isinstance(in_query, exp.Select)):
        return None
    kinds = {column.kind, other.kind}
    if Kind.TEXT in kinds and kinds & (NUMBERS | DATES | {Kind.BOOLEAN}):
        return f"{column.name} is {column.type} and {other.name} is {other.type}: cast one of them."
    return None


def _unfit_number(what: str, kind: Kind, number: str, dialect: str) -> str | None:
    if kind is Kind.TEXT:
        return f"{what}: write the value as text, '{number}'."
    if kind is Kind.BOOLEAN and dialect == "postgres":
        return f"{what}: compare it with TRUE or FALSE."
    if kind in DATES:
        return f"{what}: compare it with a date such as '2024-01-31'."
    return None


def _unfit_text(what: str, kind: Kind, text: str) -> str | None:
    if kind in NUMBERS and not _NUMBER.fullmatch(text):
        return f"{what}: '{text}' is not a number."
    if kind in DATES and not _DATE.fullmatch(text):
        return f"{what}: '{text}' is not a date."
    if kind is Kind.BOOLEAN and not _TRUTH.fullmatch(text):
        return f"{what}: compare it with TRUE or FALSE."
    return None
