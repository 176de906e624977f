"""Figures of a sentence as a user wants them rounded; the rows of the answer stay as they are."""

from collections.abc import Sequence
from math import log10

from oldhand.query.form import Query
from oldhand.query.walk import function_of, is_measure
from oldhand.record.base import Cell, Row


def rounded(rows: Sequence[Row], query: object, unit: float | None) -> tuple[Row, ...]:
    """Rows in which what was computed is rounded to a unit; numbers below it, counts, keys and dates are not.

    >>> from oldhand.query.form import Aggregate, ColumnRef, Relation, Rows
    >>> orders = Relation("shop", "main", "orders")
    >>> query = Query(Rows((orders,)), (Aggregate("sum", ColumnRef(orders, "total")), ColumnRef(orders, "id")))
    >>> rounded([(123456.78, 4711), (12.5, 4712)], query, 1_000)
    ((123000, 4711), (12.5, 4712))
    >>> rounded([(123456.789, 4711)], query, 0.1)
    ((123456.8, 4711),)
    """
    if unit is None or not isinstance(query, Query):
        return tuple(rows)
    computed = [is_measure(one) and function_of(one) != "count" for one in query.select]
    return tuple(
        tuple(
            _to(cell, unit) if place < len(computed) and computed[place] else cell
            for place, cell in enumerate(row)
        )
        for row in rows
    )


def _to(cell: Cell, unit: float) -> Cell:
    if isinstance(cell, bool) or not isinstance(cell, int | float) or abs(cell) < unit:
        return cell
    return round(cell, -round(log10(unit))) if unit < 1 else round(cell / unit) * unit
