"""What a worker does with a document: it takes the bytes, and gives the blocks that one reader makes of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, cast

from oldhand.sources.documents.block import Block, BlockKind
from oldhand.sources.workers.reading import FetchedRows

Reader: TypeAlias = Callable[[bytes], Iterator[Block]]
_MOST_CHARACTERS = 5_000_000
"""About two thousand pages."""
_CUT = Block(BlockKind.NOTE, "It is longer than two thousand pages: the rest was not read.")


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
