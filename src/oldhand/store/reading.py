"""What reading from the store has in common: rows of many ids, and rows as records."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import sqlalchemy as sa

from oldhand.record.base import Record

_R = TypeVar("_R", bound=Record)
_BATCH = 500
"""Ids in one statement; databases limit how many there may be."""


def batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """As many ids at a time as one statement may name.

    >>> [len(batch) for batch in batches([str(number) for number in range(1_200)])]
    [500, 500, 200]
    """
    for start in range(0, len(ids), _BATCH):
        yield ids[start : start + _BATCH]


def record_of(kind: type[_R], row: sa.RowMapping) -> _R:
    """The record that a row holds, whatever else it holds."""
    return kind.model_validate({name: row[name] for name in kind.model_fields})
