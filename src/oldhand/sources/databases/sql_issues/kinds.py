"""Rules about kinds of values, for the databases that are strict with them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from oldhand.record.schema import DATES, NUMBERS, TIMES, Column, Kind
from oldhand.sources.databases.sql_issues.reading import SqlIssue, StatementReading

COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.IGNORECASE)
_NO_FINITE_NUMBER = re.compile(r"\s*[+-]?(inf(inity)?|nan)\s*", re.IGNORECASE)
_DATE = re.compile(
    r".*\d.*|\s*(now|today|tomorrow|yesterday|epoch|-?infinity|allballs)\s*",
    re.IGNORECASE | re.DOTALL,
)
_TRUTH = re.compile(
    r"\s*(t|tr|tru|true|f|fa|fal|fals|false|y|ye|yes|n|no|on|of|off|1|0)\s*", re.IGNORECASE
)


class Misuse(NamedTuple):
    """Columns of these kinds that some dialects refuse where other kinds are meant."""

    code: str
    nodes: tuple[type[exp.Expr], ...]
    kinds: frozenset[Kind]
    refused_by: str
    advice: str
    """Completes "price is TEXT, …"."""
    sides: tuple[str, ...] = ("this", "expression")


_NO_SUM = frozenset({Kind.TEXT, Kind.JSON, Kind.BINARY})
_NO_NUMBER = "no number: cast it, or count it instead."
_CONDITIONS = (exp.Where, exp.Having, exp.And, exp.Or, exp.Not, exp.If)
MISUSES: tuple[Misuse, ...] = (
    Misuse(
        "pattern_on_number", (exp.Like, exp.ILike), TIMES | NUMBERS | {Kind.BOOLEAN}, "postgres duckdb",
        "no text: cast it to text for LIKE, or compare it directly.", ("this",),
    ),
    Misuse("summed_kind", (exp.Sum, exp.Avg), _NO_SUM | {Kind.DATE, Kind.BOOLEAN}, "postgres", _NO_NUMBER),
    Misuse("summed_kind", (exp.Sum,), _NO_SUM | {Kind.DATE}, "duckdb", _NO_NUMBER),
    Misuse("summed_kind", (exp.Avg,), _NO_SUM, "duckdb", _NO_NUMBER),
    Misuse(
        "arithmetic_on_text", (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod), frozenset({Kind.TEXT}), "postgres duckdb",
        "no number: cast it before computing with it.",
    ),
    Misuse(
        "truth_of_value", _CONDITIONS, NUMBERS | DATES | {Kind.TEXT}, "postgres",
        "no condition: compare it with a value.",
    ),
)  # fmt: skip


def misused_kind(reading: StatementReading) -> Iterator[SqlIssue]:
    """LIKE looks at text, sums and arithmetic at numbers, and in Postgres a condition is a boolean."""
    for misuse in MISUSES:
        if reading.dialect not in misuse.refused_by.split():
            continue
        for node in reading.all(*misuse.nodes):
            for side in map(node.args.get, misuse.sides):
                column = reading.declared(side)
                if column and column.kind in misuse.kinds and not _is_compared(node):
                    message = f"{column.name} is {column.type}, {misuse.advice}"
                    yield reading.issue(misuse.code, node, message)


def truth_of_number(reading: StatementReading) -> Iterator[SqlIssue]:
    """In Postgres, a number is no condition."""
    if reading.dialect != "postgres":
        return
    for node in reading.all(*_CONDITIONS):
        for side in (node.this, node.args.get("expression")):
            if isinstance(side, exp.Literal) and not side.is_string and not _is_compared(node):
                message = f"{side.name} is a number, no condition: use TRUE or FALSE."
                yield reading.issue("truth_of_value", node, message)


def _is_compared(node: exp.Expr) -> bool:
    """Whether it is a branch of `CASE x WHEN 1`."""
    return isinstance(node, exp.If) and bool(node.parent and node.parent.args.get("this"))


def compared(node: exp.Expr) -> list[tuple[exp.Expr, exp.Expr]]:
    """What a comparison, BETWEEN or IN with a list compares with what."""
    if isinstance(node, exp.Between):
        return [(node.this, node.args["low"]), (node.this, node.args["high"])]
    if isinstance(node, exp.In):
        return [(node.this, value) for value in node.expressions]
    return [(node.this, node.expression), (node.expression, node.this)]


def compared_kinds(reading: StatementReading) -> Iterator[SqlIssue]:
    """A column compared with a value or a column of another kind."""
    if not reading.habits.strict_types:
        return
    for node in reading.all(*COMPARISONS, exp.In, exp.Between):
        # DuckDB finds a common kind for a list.
        is_list = isinstance(node, exp.In) and reading.dialect == "duckdb"
        pairs = [] if is_list else compared(node)
        outputs = reading.gathered.outputs.get(id(node.args.get("query")))
        if outputs and outputs[0].node is not None:
            pairs.append((node.this, outputs[0].node))
        for one, other in pairs:
            column = reading.declared(one)
            if column and (reason := _mismatch(reading, column, other)):
                yield reading.issue("compared_kinds", node, reason)


def set_operation_kinds(reading: StatementReading) -> Iterator[SqlIssue]:
    """In Postgres, the columns of both sides are of matching kinds."""
    if reading.dialect == "postgres":
        yield from mixed_sides(reading)


def mixed_sides(reading: StatementReading) -> Iterator[SqlIssue]:
    """Set operations with text on one side and numbers or dates at the same place of another."""
    for node, scopes in reading.gathered.compounds:
        first = scopes[0].outputs if scopes else None
        for scope in scopes[1:]:
            for one, other in zip(first or (), scope.outputs or (), strict=False):
                kinds = {_kind(reading, output.node) for output in (one, other)}
                if len(kinds) == 2 and Kind.TEXT in kinds and kinds & (NUMBERS | DATES):
                    message = "The sides of the set operation have columns of different kinds at the same place: cast one of them."
                    yield reading.issue("set_operation_kinds", node, message)


def _kind(reading: StatementReading, node: exp.Expr | None) -> Kind | None:
    if isinstance(node, exp.Count):
        return Kind.INTEGER
    if isinstance(node, exp.Sum | exp.Avg):
        return Kind.NUMBER
    column = reading.declared(node)
    return column.kind if column else None


def _mismatch(reading: StatementReading, column: Column, value: exp.Expr) -> str | None:
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


def _unfit_column(reading: StatementReading, column: Column, value: exp.Column) -> str | None:
    other = reading.declared(value)
    in_query = value.find_ancestor(exp.Select, *COMPARISONS, exp.In, exp.Between)
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
    if kind in NUMBERS and not (NUMBER.fullmatch(text) or _NO_FINITE_NUMBER.fullmatch(text)):
        return f"{what}: '{text}' is not a number."
    if kind in DATES and not _DATE.fullmatch(text):
        return f"{what}: '{text}' is not a date."
    if kind is Kind.BOOLEAN and not _TRUTH.fullmatch(text):
        return f"{what}: compare it with TRUE or FALSE."
    return None
