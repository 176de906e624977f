"""What a query returned: raw values for the workspace, plain cells for faces."""

from dataclasses import dataclass
from functools import cached_property

from oldhand.record.base import Row
from oldhand.sources.cells import plain_cell


@dataclass(frozen=True)
class QueryResult:
    """Columns and rows of one query.

    >>> from decimal import Decimal
    >>> result = QueryResult(("id", "price"), ((1, Decimal("9.50")), (2, None)))
    >>> result.rows
    ((1, 9.5), (2, None))
    """

    columns: tuple[str, ...]
    """Names as the database gave them: they may repeat or be empty."""
    values: tuple[tuple[object, ...], ...]
    """Rows of Python values as the driver gave them: decimals, dates, bytes, …"""
    truncated: bool = False
    """True when the row limit cut the result."""
    seconds: float = 0.0
    """Wall time from sending the query to its last row."""

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Rows of plain cells, ready for JSON and for people."""
        return tuple(tuple(map(plain_cell, row)) for row in self.values)
