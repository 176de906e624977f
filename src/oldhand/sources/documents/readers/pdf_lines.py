"""Lines of pages into blocks: what stands at the edge of every page goes, paragraphs and headings are put together."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from oldhand.sources.documents.block import Block, BlockKind
from oldhand.sources.documents.readers.plain_text import ITEM

_HEADING_WORDS = 16
_LARGER = 1.12
"""How much larger than most of the text a heading is."""
_GAP = 1.75
"""Heights of a line from which on a paragraph ends."""
_EDGE = 2
"""Lines at the top and bottom of a page that may be on every page."""
_DIGITS = re.compile(r"\d+")
_HYPHENS = ("\x02", "\ufffe", "\u00ad")
"""What stands for a hyphen at the end of a line, where a word goes on in the next."""
_LEVELS = 5


@dataclass(frozen=True)
class Line:
    """One line of a page."""

    text: str
    page: int
    top: float
    """From the top of the page, in points."""
    size: float
    is_bold: bool
    is_row: bool = False
    """Whether it is a row of a table."""


def without_repeated(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without what stands at the edge of most of them in no larger letters, such as their numbers."""
    largest = _body(line for page in pages for line in page) * _LARGER
    edges = Counter(
        one for page in pages for one in {_edge(line) for line in (*page[:_EDGE], *page[-_EDGE:])}
    )
    repeated = {one for one, number in edges.items() if number >= 3 and number * 2 > len(pages)}

    def stays(line: Line, place: int, size: int) -> bool:
        inside = _EDGE <= place < size - _EDGE
        return line.is_row or inside or line.size >= largest or _edge(line) not in repeated

    return [
        [line for place, line in enumerate(page) if stays(line, place, len(page))] for page in pages
    ]


def _body(lines: Iterable[Line]) -> float:
    """The size of most of the text."""
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size] += 0 if line.is_row else len(line.text)
    return max(sizes, key=lambda one: sizes[one], default=0.0)


def _edge(line: Line) -> str:
    return _DIGITS.sub("#", line.text.strip())


def blocks_of(lines: Sequence[Line]) -> Iterator[Block]:
    """Headings, paragraphs, items and rows."""
    weights = Counter[bool]()
    for line in lines:
        weights[line.is_bold] += 0 if line.is_row else len(line.text)
    body = _body(lines)
    larger = sorted({one.size for one in lines if one.size >= body * _LARGER}, reverse=True)
    levels = {size: min(place, _LEVELS) for place, size in enumerate(larger, 1)}
    bold_level = min(len(levels), _LEVELS) + 1 if weights[False] > weights[True] else 0
    group: list[Line] = []
    level = 0
    for line in lines:
        now = _level(line, levels, bold_level)
        if group and not _goes_on(group[-1], line, same=now == level):
            yield _block(group, level)
            group = []
        group, level = [*group, line], now
    if group:
        yield _block(group, level)


def _level(line: Line, levels: dict[float, int], bold_level: int) -> int:
    if line.is_row or len(line.text.split()) > _HEADING_WORDS:
        return 0
    if line.size in levels:
        return levels[line.size]
    says_more = line.text.rstrip().endswith((".", ",", ";", ":"))
    return bold_level if line.is_bold and not says_more else 0


def _goes_on(before: Line, line: Line, *, same: bool) -> bool:
    """Whether a line belongs to the one before it."""
    if not same or line.is_row or before.is_row or ITEM.match(line.text):
        return False
    if line.page != before.page:
        return not before.text.rstrip().endswith((".", "!", "?", ":")) and line.text[:1].islower()
    return 0 <= line.top - before.top <= max(line.size, before.size) * _GAP


def _block(lines: Sequence[Line], level: int) -> Block:
    text = ""
    for line in lines:
        said = line.text.strip()
        if text.endswith(_HYPHENS) or (
            text.endswith("-") and said[:1].islower() and text[-2:-1].isalpha()
        ):
            text = text[:-1] + said
        else:
            text = f"{text} {said}".strip()
    if level:
        return Block(BlockKind.HEADING, text, level, lines[0].page)
    is_line = ITEM.match(text) is not None
    kind = BlockKind.ROW if lines[0].is_row else BlockKind.LINE if is_line else BlockKind.PARAGRAPH
    return Block(kind, text, page=lines[0].page)
