"""What reading from the store has in common: rows of many ids, and rows as records."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from oldhand.record.base import Record

_T = TypeVar("_T")
_R = TypeVar("_R", bound=Record)

BATCH = 500
"""Keys in one statement, as databases limit how many there may be; and rows that are read at a time."""


def batches(keys: Sequence[_T], size: int = BATCH) -> Iterator[Sequence[_T]]:
    """As many keys at a time as one statement may name.

    >>> [len(batch) for batch in batches(range(1_200))]
    [500, 500, 200]
    """
    for start in range(0, len(keys), size):
        yield keys[start : start + size]


def upsert(table: sa.Table, dialect: str) -> postgresql.Insert | sqlite.Insert:
    """An insert that can say what becomes of a row that is there already: each database has its own."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


def record_of(kind: type[_R], row: sa.RowMapping) -> _R:
    """The record that a row holds, whatever else it holds."""
    return kind.model_validate({name: row[name] for name in kind.model_fields})
