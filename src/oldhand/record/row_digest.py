"""A digest of rows, so that results can be told apart later without being kept."""

import math
from collections.abc import Sequence
from hashlib import blake2b

from oldhand.record.base import Cell, Row

_DIGITS = 10
"""Significant digits of numbers that are compared: sums of floats depend on the order of rows."""


def rows_digest(rows: Sequence[Row]) -> str:
    """The same for results that say the same, in any order of rows and columns.

    >>> rows_digest([("Ana", 1), ("Bo", 2)]) == rows_digest([(2.0, "Bo"), (1, "Ana")])
    True
    >>> rows_digest([(1,)]) == rows_digest([(1,), (1,)])
    False
    """
    cells = [tuple(_digest(repr(comparable(cell))) for cell in row) for row in rows]
    columns = (
        sorted(range(len(cells[0])), key=lambda n: sorted(row[n] for row in cells)) if cells else ()
    )
    lines = sorted("|".join(row[n] for n in columns) for row in cells)
    return _digest("\n".join([str(len(lines)), *lines]))


def comparable(cell: Cell) -> object:
    """A value that is the same for equal cells: 1, 1.0 and true are one, text is another."""
    if not isinstance(cell, int | float) or not math.isfinite(cell):
        return cell
    whole = round(cell)
    if math.isclose(cell, whole, rel_tol=10**-_DIGITS, abs_tol=0.0):
        return whole
    return float(f"{cell:.{_DIGITS}g}")


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
