"""What every reader makes of a document: a sequence of blocks, plain enough to cross between processes."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias, cast

from oldhand.sources.workers.reading import FetchedRows


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


Reader: TypeAlias = Callable[[bytes], Iterator[Block]]
_MOST_CHARACTERS = 5_000_000
"""About two thousand pages."""
_CUT = Block(BlockKind.NOTE, "It is longer than two thousand pages: the rest was not read.")


# What a worker does with a document: it takes the bytes, and gives the blocks that one reader makes of them.
class DocumentSession:
    """One document, read by one reader."""

    usable = True

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._data = b""

    def add(self, _: str, __: Sequence[str], values: Sequence[Sequence[object]]) -> None:
        """Take the bytes."""
        self._data = cast("bytes", values[0][0])

    def read(self, _: str, rows: int) -> FetchedRows:
        """The blocks, as far as they are not endless.

        Raises:
            DocumentError: it cannot be read.
        """
        found: list[tuple[object, ...]] = []
        left = _MOST_CHARACTERS
        for block in self._read(self._data):
            fits = len(block.text) < left and len(found) < rows - 2
            told = [block] if fits else [block._replace(text=block.text[:left]), _CUT]
            found += ((one.kind.value, *one[1:]) for one in told)  # only plain values cross
            if not fits:
                break
            left -= len(block.text) + 1
        return FetchedRows(Block._fields, found)

    def close(self) -> None:
        """Nothing is open."""


def served(read: Reader) -> Callable[[str], DocumentSession]:
    """What a worker opens."""
    return lambda _: DocumentSession(read)
