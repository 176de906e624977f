"""What every reader makes of a document: a sequence of blocks, plain enough to cross between processes."""

from enum import StrEnum
from typing import NamedTuple


class BlockKind(StrEnum):
    """What a block is."""

    TITLE = "title"
    """What the document calls itself; it is no part of its text."""
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LINE = "line"
    """An item of a list, a line of code, or another piece that stays whole and stands on a line of its own."""
    ROW = "row"
    """A row of a table, with the name of each column."""
    NOTE = "note"
    """What could not be read, for people."""


class Block(NamedTuple):
    """A piece of a document, in its order."""

    kind: BlockKind
    text: str
    level: int = 0
    """Of a heading, counted from 1."""
    page: int | None = None
    line: int | None = None


def row_text(columns: "tuple[str, ...] | list[str]", cells: "tuple[str, ...] | list[str]") -> str:
    """A row that can be read without the table around it.

    >>> row_text(["Country", "", "Rate"], ["Austria", "since 2016", "20 %"]), row_text(["A", "B"], ["", "x"])
    ('Country: Austria; since 2016; Rate: 20 %', 'B: x')
    """
    named = [*columns, *[""] * (len(cells) - len(columns))]
    pairs = [(" ".join(n.split()), " ".join(c.split())) for n, c in zip(named, cells, strict=False)]
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)
