"""Values as they stand in SQL."""

import re
from decimal import Decimal

from sqlglot import exp

from oldhand.query.form import Scalar
from oldhand.query.lifting.scope import Unfit

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?")
_LONGEST = 40


def scalar(node: exp.Expr) -> Scalar | None:
    """The value of a literal; None for what is none, and for NULL.

    Raises:
        Unfit: a number that can't be kept as exactly as it stands.

    >>> scalar(exp.Literal.number("2.50")), scalar(exp.Neg(this=exp.Literal.number(1))), scalar(exp.column("a"))
    (2.5, -1, None)
    """
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if isinstance(node, exp.Neg):
        value = scalar(node.this)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return -value
    if not isinstance(node, exp.Literal):
        return None
    return node.name if node.is_string else _number(node.name)


def _number(text: str) -> int | float:
    if len(text) > _LONGEST:
        raise Unfit("long number")
    if text.isdecimal():
        return int(text)
    try:
        value = float(text)
        exact = Decimal(text) == Decimal(repr(value))
    except (ValueError, ArithmeticError):
        raise Unfit("odd number") from None
    if not exact:
        raise Unfit("long number")
    return value


def is_moment(value: object) -> bool:
    """True for a day, or a moment, as ISO 8601 writes it.

    >>> is_moment("2024-03-01"), is_moment("March"), is_moment(3)
    (True, False, False)
    """
    return isinstance(value, str) and _MOMENT.fullmatch(value) is not None
