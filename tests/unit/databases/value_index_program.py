"""Builds an index of values in a process of its own, for the tests.

python value_index_program.py INDEX VALUE [hang]

With `hang` it says `half` in the middle of the work, and waits to be killed.
"""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases.values import ValueIndex

COLUMN = Column(name="city", type="TEXT", kind=Kind.TEXT)
TABLE = Table(name="customers", schema_name="main", columns=(COLUMN,))
SCHEMA = DatabaseSchema(name="shop", dialect="sqlite", tables=(TABLE,))


class Source:
    """A database of one column, which tells when it is read."""

    name = "shop"

    def __init__(self, value: str, hangs: bool) -> None:
        self._value = value
        self._hangs = hangs

    def distinct_values(
        self, table: str, column: str, *, schema_name: str | None = None, limit: int
    ) -> Iterator[str]:
        """Many values, and the one that was named."""
        del table, column, schema_name
        print("read", flush=True)
        for number in range(min(limit, 50_000)):
            yield f"{self._value} {number}"
        if self._hangs:
            print("half", flush=True)
            signal.pause()
        yield self._value


if __name__ == "__main__":
    index = ValueIndex.fresh(Path(sys.argv[1]), Source(sys.argv[2], "hang" in sys.argv), SCHEMA)
    print(*(match.value for match in index.exact([sys.argv[2]])), flush=True)
