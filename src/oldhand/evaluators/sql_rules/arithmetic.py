"""Rules about computing with numbers."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.record.schema import Kind
from oldhand.sources.databases.sql_issues import Reading, Severity, SqlIssue

_CUTS = frozenset({"sqlite", "postgres"})
"""Dialects in which `/` between integers cuts off the fraction; MySQL and DuckDB keep it."""


def integer_division(reading: Reading) -> Iterator[SqlIssue]:
    """`1 / 2` is 0 where the division of integers is an integer."""
    if reading.dialect not in _CUTS:
        return
    for node in reading.all(exp.Div):
        if all(_is_integer(reading, side) for side in (node.this, node.expression)):
            message = "Both sides are integers, so the fraction is cut off: multiply one of them by 1.0 if it matters."
            yield reading.issue("integer_division", node, message, Severity.ADVICE)


def _is_integer(reading: Reading, node: exp.Expr) -> bool:
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
            found = reading.meaning.get(id(node))
            return bool(found and found.column and found.column.kind is Kind.INTEGER)
