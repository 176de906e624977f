"""The rows that a sentence is made of."""

from dataclasses import dataclass

from oldhand.lexicon.wording import value_text
from oldhand.record.base import Cell, Row

SHOWN = 10
"""Values of a list that are written out."""


@dataclass(frozen=True)
class FoundRows:
    """What the last step brought."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    row_count: int
    truncated: bool = False
    """True when there are more rows than were fetched."""

    @property
    def size(self) -> str:
        """How many rows there are, as far as it is known."""
        return f"More than {self.row_count:,}" if self.truncated else f"{self.row_count:,}"


def cell_text(cell: Cell, column: str) -> str:
    """One value as it stands in a sentence about rows."""
    return "unknown" if cell is None else value_text(cell, column)


def capital(sentence: str) -> str:
    """A sentence with its first letter large."""
    return f"{sentence[:1].upper()}{sentence[1:]}"


def small(sentence: str) -> str:
    """A sentence with its first letter small, to stand behind another word."""
    return f"{sentence[:1].lower()}{sentence[1:]}"
