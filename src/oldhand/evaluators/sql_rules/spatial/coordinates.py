"""Coordinates as they are written, and what their looks tell."""

import re
from collections.abc import Sequence

from sqlglot import exp

_LONGITUDE = re.compile(r"(?:^|_)(?:lon|lng|long|longitude)\d?$|longitude$", re.IGNORECASE)
_LATITUDE = re.compile(r"(?:^|_)(?:lat|latitude)\d?$|latitude$", re.IGNORECASE)
_PAIR = re.compile(r"(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)")
_DECIMALS = 3
"""A point with so many decimals in both numbers is nearer to a street corner than metres have to be."""


def number_of(node: exp.Expr) -> float | None:
    """The value of a number written out, with simple arithmetic; None for everything else.

    >>> from sqlglot import parse_one
    >>> [number_of(parse_one(text)) for text in ("-38.08", "5 * 1000", "1 / 8.0", "radius", "1 / 0")]
    [-38.08, 5000.0, 0.125, None, None]
    """
    if isinstance(node, exp.Literal):
        return float(node.name) if not node.is_string and _is_number(node.name) else None
    if isinstance(node, exp.Paren | exp.Cast):
        return number_of(node.this)
    if isinstance(node, exp.Neg):
        value = number_of(node.this)
        return None if value is None else -value
    if isinstance(node, exp.Mul | exp.Div | exp.Add | exp.Sub):
        left, right = number_of(node.this), number_of(node.expression)
        return None if left is None or right is None else _computed(node, left, right)
    return None


def _computed(node: exp.Expr, left: float, right: float) -> float | None:
    if isinstance(node, exp.Div):
        return left / right if right else None
    if isinstance(node, exp.Mul):
        return left * right
    return left + right if isinstance(node, exp.Add) else left - right


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def point_looks_like_degrees(arguments: Sequence[exp.Expr]) -> bool:
    """Whether the x and y of a point are a longitude and a latitude, by their names or decimals."""
    if len(arguments) < 2:
        return False
    x, y = arguments[0], arguments[1]
    if is_longitude(x) and is_latitude(y):
        return True
    numbers = number_of(x), number_of(y)
    return None not in numbers and _look_like_degrees(x.sql(), y.sql())


def text_looks_like_degrees(text: str) -> bool:
    """Whether the first pair of numbers in well-known text may be a longitude and a latitude."""
    match = _PAIR.search(text)
    return bool(match) and _look_like_degrees(match[1], match[2])


def pairs_in(text: str) -> list[tuple[float, float]]:
    """All pairs of numbers in well-known text.

    >>> pairs_in("LINESTRING(1 2, 3.5 -4)")
    [(1.0, 2.0), (3.5, -4.0)]
    """
    return [(float(x), float(y)) for x, y in _PAIR.findall(text)]


def _look_like_degrees(x: str, y: str) -> bool:
    numbers = (x, y)
    if not all(_is_number(text) and len(text.partition(".")[2]) >= _DECIMALS for text in numbers):
        return False
    return abs(float(x)) <= 180 and abs(float(y)) <= 90


def is_longitude(node: exp.Expr) -> bool:
    """Whether a column is called like one."""
    return isinstance(node, exp.Column) and bool(_LONGITUDE.search(node.name))


def is_latitude(node: exp.Expr) -> bool:
    """Whether a column is called like one."""
    return isinstance(node, exp.Column) and bool(_LATITUDE.search(node.name))
