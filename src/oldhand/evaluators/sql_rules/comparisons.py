"""Rules about comparing values of different kinds, where the database converts them in silence."""

import re
from collections.abc import Iterator

from sqlglot import exp

from oldhand.record.schema import NUMBERS, Column, Kind
from oldhand.sources.databases.sql_issues import Reading, Severity, SqlIssue

_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.IGNORECASE)
_ORDERINGS = (exp.GT, exp.GTE, exp.LT, exp.LTE)


def cross_kind_comparison(reading: Reading) -> Iterator[SqlIssue]:
    """Text beside numbers. Postgres and DuckDB reject it, SQLite and MySQL convert one of them.

    In SQLite a number is less than any text, a column of numbers may hold texts, and a text column is compared with a
    number as text: '9' is more than 10.
    """
    if reading.habits.strict_types:
        return
    for node in reading.all(exp.EQ, exp.NEQ, *_ORDERINGS, exp.In, exp.Between):
        for column, literal in _pairs(reading, node):
            is_ordering = isinstance(node, (*_ORDERINGS, exp.Between))
            if found := _judged(reading.dialect, column, literal, is_ordering=is_ordering):
                yield reading.issue("cross_kind_comparison", node, *found)


def _judged(
    dialect: str, column: Column, literal: exp.Literal, *, is_ordering: bool
) -> tuple[str, Severity] | None:
    """What is wrong with comparing these two, and how bad it is."""
    if column.kind is Kind.TEXT and not literal.is_string and is_ordering:
        message = (
            f"{column.name} is {column.type or 'text'} and is compared with a number as text, where '9' is more than '10': "
            f"write CAST({column.name} AS INTEGER) or REAL if it holds numbers."
        )
        return message, Severity.ADVICE
    if column.kind in NUMBERS and literal.is_string and not _NUMBER.fullmatch(literal.name):
        message = f"{column.name} is {column.type}, and {literal.name!r} is not a number: compare it with a number, or take another column."
        return message, Severity.ADVICE if dialect == "sqlite" else Severity.ERROR
    return None


def _pairs(reading: Reading, node: exp.Expr) -> Iterator[tuple[Column, exp.Literal]]:
    """Columns with the literals that they are compared with."""
    if isinstance(node, exp.Between):
        sides = [(node.this, node.args["low"]), (node.this, node.args["high"])]
    elif isinstance(node, exp.In):
        sides = [(node.this, value) for value in node.expressions]
    else:
        sides = [(node.this, node.expression), (node.expression, node.this)]
    for one, other in sides:
        found = reading.meaning.get(id(one))
        literal = other.this if isinstance(other, exp.Neg) else other
        if found and found.column and isinstance(literal, exp.Literal):
            yield found.column, literal
