"""Results of queries, kept for the tools that work on with them."""

import threading
from collections.abc import Mapping, Sequence

from oldhand.record.base import Cell, Row
from oldhand.sources.databases import unique_names

Table = list[dict[str, Cell]]
"""A row is a dict from column to cell."""


class KeptTables:
    """The last tables that queries brought, under names that are never used twice.

    They belong to whoever shares the tools: make one for each person whose data others must not see.

    Args:
        tables: How many are kept; the oldest goes first.

    >>> kept = KeptTables(tables=1)
    >>> kept.keep(["city", "n"], [("Wien", 3)]), kept.keep(["n"], [(1,), (2,)])
    ('result_1', 'result_2')
    >>> kept.tables()
    {'result_2': [{'n': 1}, {'n': 2}]}
    """

    def __init__(self, tables: int = 8) -> None:
        self._limit = tables
        self._count = 0
        self._kept: dict[str, Table] = {}
        self._lock = threading.Lock()

    def keep(self, columns: Sequence[str], rows: Sequence[Row]) -> str:
        """Keep a table; returns its name."""
        names = unique_names(columns)
        table = [dict(zip(names, row, strict=True)) for row in rows]
        with self._lock:
            self._count += 1
            name = f"result_{self._count}"
            self._kept[name] = table
            for oldest in list(self._kept)[: -self._limit]:
                del self._kept[oldest]
        return name

    def tables(self) -> Mapping[str, Table]:
        """The tables that are kept, oldest first."""
        with self._lock:
            return dict(self._kept)
