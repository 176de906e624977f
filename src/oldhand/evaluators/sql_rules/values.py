"""Rules about values: integers that are divided, and kinds that are converted in silence."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.record.schema import NUMBERS, Column, Kind
from oldhand.sources.databases.sql_issues import Severity, SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.kinds import NUMBER, compared

_CUTS = frozenset({"sqlite", "postgres"})
"""Dialects in which `/` between integers cuts off the fraction; MySQL and DuckDB keep it."""


def integer_division(reading: StatementReading) -> Iterator[SqlIssue]:
    """`1 / 2` is 0 where the division of integers is an integer."""
    if reading.dialect not in _CUTS:
        return
    for node in reading.all(exp.Div):
        if all(_is_integer(reading, side) for side in (node.this, node.expression)):
            message = "Both sides are integers, so the fraction is cut off: multiply one of them by 1.0 if it matters."
            yield reading.issue("integer_division", node, message, Severity.ADVICE)


def _is_integer(reading: StatementReading, node: exp.Expr) -> bool:
    """Whether the value is surely an integer."""
    match node:
        case exp.Literal() | exp.Count():
            return isinstance(node, exp.Count) or node.is_int
        case exp.Cast():
            return node.to.is_type(*exp.DataType.INTEGER_TYPES)
        case exp.Paren() | exp.Neg() | exp.Max() | exp.Min() | exp.Sum() | exp.Abs():
            return _is_integer(reading, node.this)
        case exp.Add() | exp.Sub() | exp.Mul() | exp.Mod():
            return all(_is_integer(reading, side) for side in (node.this, node.expression))
        case exp.Subquery():
            items = node.this.expressions if isinstance(node.this, exp.Select) else []
            return len(items) == 1 and _is_integer(reading, items[0].unalias())
        case _:
            column = reading.declared(node)
            return column is not None and column.kind is Kind.INTEGER


_ORDERINGS = (exp.GT, exp.GTE, exp.LT, exp.LTE)


def cross_kind_comparison(reading: StatementReading) -> Iterator[SqlIssue]:
    """Text beside numbers. Postgres and DuckDB reject it, SQLite and MySQL convert one of them.

    In SQLite a number is less than any text, a column of numbers may hold texts, and a text column is compared with a
    number as text: '9' is more than 10.
    """
    if reading.habits.strict_types:
        return
    for node in reading.all(exp.EQ, exp.NEQ, *_ORDERINGS, exp.In, exp.Between):
        is_ordering = isinstance(node, (*_ORDERINGS, exp.Between))
        for one, other in compared(node):
            column = reading.declared(one)
            literal = other.this if isinstance(other, exp.Neg) else other
            if column is None or not isinstance(literal, exp.Literal):
                continue
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
    if column.kind in NUMBERS and literal.is_string and not NUMBER.fullmatch(literal.name):
        message = f"{column.name} is {column.type}, and {literal.name!r} is not a number: compare it with a number, or take another column."
        return message, Severity.ADVICE if dialect == "sqlite" else Severity.ERROR
    return None
