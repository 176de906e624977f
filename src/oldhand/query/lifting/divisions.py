"""Quotients: of whole numbers, which in some dialects are whole, and of all others."""

from collections.abc import Mapping

from sqlglot import exp

from oldhand.query.form import Aggregate, Arithmetic, Expression, Function, Ratio, Share, Value
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.scope import Scope
from oldhand.query.walk import is_measure

_CASTS: Mapping[str, frozenset[str]] = {
    "sqlite": frozenset({"cast double", "cast float"}),
    "postgres": frozenset({"cast double", "cast float", "cast decimal"}),
    "duckdb": frozenset({"cast double"}),
}
"""Casts of the top of a quotient that only make it a quotient of numbers with decimals."""


def quotient(node: exp.Div, scope: Scope) -> Expression:
    """A ratio when one side is a measure, else arithmetic; nothing where it would divide by nothing."""
    dialect = scope.reader.dialect
    by = node.expression
    while isinstance(by, exp.Paren):
        by = by.this
    while isinstance(by, exp.Nullif) and scalar(by.expression) == 0:
        by = by.this
    left, right = scope.reader.term(node.this, scope), scope.reader.term(by, scope)
    whole = bool(node.args.get("typed")) and not (has_decimals(left) or has_decimals(right))
    if whole:
        return Arithmetic("//", left, right)
    if dialect in _CASTS:
        left = _plain(left, dialect)
    if is_measure(left) and not isinstance(right, Value):
        return Ratio(left, right)
    return Arithmetic("/", left, right)


def _plain(top: Expression, dialect: str) -> Expression:
    """The top of a quotient without what only makes it a number with decimals."""
    if isinstance(top, Function) and top.name in _CASTS[dialect] and len(top.of) == 1:
        return top.of[0]
    if isinstance(top, Arithmetic) and top.operator == "*":
        for one, other in ((top.left, top.right), (top.right, top.left)):
            if isinstance(one, Value) and isinstance(one.value, float) and one.value == 1.0:
                return other
    return top


def has_decimals(expression: Expression) -> bool:
    """True for what surely is a number with decimals, however whole it is."""
    match expression:
        case Value(value=value):
            return isinstance(value, float)
        case Function(name=name, of=of):
            cast = name in ("cast double", "cast float", "cast decimal")
            return cast or (name in ("abs", "round") and has_decimals(of[0]))
        case Arithmetic(operator=operator, left=left, right=right):
            return operator == "/" or has_decimals(left) or has_decimals(right)
        case Aggregate(function="avg") | Share() | Ratio():
            return True
        case Aggregate(of=of):
            return has_decimals(of)
        case _:
            return False
