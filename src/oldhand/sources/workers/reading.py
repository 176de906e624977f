"""Rows as a session reads them, and how many of them fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from oldhand.errors import QueryFailed

RawRow: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class FetchedRows:
    """Names of the columns and the rows that were read."""

    columns: tuple[str, ...]
    rows: list[RawRow]


MEMORY_MEGABYTES = 2_048
"""What a worker may hold in memory; more is refused by the operating system."""
TOO_LARGE = (
    f"The query needs more memory than there is ({MEMORY_MEGABYTES // 1024} GB at most): "
    "sort, group or collect fewer rows, and leave out long texts."
)
MAX_MEGABYTES = 256
"""Text and bytes that one result may hold."""

_FIRST_BATCH = 16
_LARGEST_BATCH = 16_384
_GROWTH = 32

Fetch: TypeAlias = Callable[[int], Sequence[RawRow]]
"""The next rows of a result, at most so many; none at its end."""


def fetch_weighed(fetch: Fetch, rows: int) -> list[RawRow]:
    """Fetch at most `rows` rows.

    Raises:
        QueryFailed: they are too large to hold.

    >>> result = iter([[("a",), ("b",)], [("c",)], []])
    >>> fetch_weighed(lambda _: next(result), rows=100)
    [('a',), ('b',), ('c',)]
    """
    found: list[RawRow] = []
    weight, batch = 0, _FIRST_BATCH
    while wanted := min(batch, rows - len(found)):
        fetched = fetch(wanted)
        if not fetched:
            break
        found += fetched
        weight += _weight(fetched)
        left = MAX_MEGABYTES * 1_000_000 - weight
        if left < 0:
            raise too_wide(len(found))
        like_these = len(found) * left // max(weight, 1)
        batch = min(batch * _GROWTH, _LARGEST_BATCH, like_these + 1)
    return found


def too_wide(rows: int) -> QueryFailed:
    """The error when so many rows hold more than a result may."""
    return QueryFailed(
        f"The first {rows:,} rows of the result hold more than {MAX_MEGABYTES} MB: "
        "leave out long texts and binary columns, or select fewer rows."
    )


def _weight(rows: Sequence[RawRow]) -> int:
    cells = chain.from_iterable(rows)
    return sum([len(cell) for cell in cells if type(cell) is str or type(cell) is bytes])
