"""The rows that a sentence is made of."""

from dataclasses import dataclass

from oldhand.lexicon.wording import value_text
from oldhand.record.base import Cell, Row


@dataclass(frozen=True)
class Rows:
    """What the last step brought."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    row_count: int
    truncated: bool = False
    """True when there are more rows than were fetched."""


def cell_text(cell: Cell, column: str) -> str:
    """One value as it stands in a sentence about rows."""
    return "unknown" if cell is None else value_text(cell, column)


def size_of(found: Rows) -> str:
    """How many rows there are, as far as it is known."""
    return f"More than {found.row_count:,}" if found.truncated else f"{found.row_count:,}"
