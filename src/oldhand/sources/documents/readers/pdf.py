"""PDF: lines by PDFium, tables by their ruled lines; what stands out by its size or weight is a heading."""
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

import ctypes
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import pypdfium2 as pdfium
from pdfplumber.pdf import PDF
from pypdfium2 import raw

from oldhand.errors import EncryptedDocument, UnreadableDocument
from oldhand.sources.documents.block import Block, BlockKind, row_text, served
from oldhand.sources.documents.readers.plain_text import ITEM

_RULES = 4
"""Drawn lines or boxes from which on a page may hold a table."""
_DEPTH = 4
_BOLD = re.compile(rb"bold|black|heavy|semibold", re.IGNORECASE)
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
class _Table:
    """A table of a page: where it is from the top of the page, and its rows."""

    top: float
    bottom: float
    rows: Sequence[Sequence[str]]


def read(data: bytes) -> Iterator[Block]:
    """The blocks of a PDF.

    Raises:
        EncryptedDocument: it asks for a password.
        UnreadableDocument: it is broken.
    """
    try:
        document = pdfium.PdfDocument(data)
        number = len(document)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise EncryptedDocument from error
        raise UnreadableDocument(f"It is no PDF, or a broken one: {error}") from error
    if title := document.get_metadata_value("Title").strip():
        yield Block(BlockKind.TITLE, title)
    tables = _Tables(data)
    pages: list[list[Line]] = []
    pictured: list[int] = []
    broken: list[int] = []
    for page in range(number):
        try:
            lines, has_picture = _page(document[page], page, tables)
        except pdfium.PdfiumError:
            broken.append(page + 1)
            continue
        if not lines and has_picture:
            pictured.append(page + 1)
        pages.append(lines)
    yield from blocks_of([*chain.from_iterable(without_repeated(pages))])
    if pictured:
        yield Block(BlockKind.NOTE, f"Scanned, so that nothing was read of it: {_named(pictured)}.")
    if broken:
        yield Block(BlockKind.NOTE, f"Broken: {_named(broken)}.")


def _named(pages: Sequence[int]) -> str:
    """Pages in words.

    >>> _named([3]), _named([1, 2, 3, 7])
    ('page 3', 'pages 1-3 and 7')
    """
    spans: list[list[int]] = []
    for page in pages:
        if spans and spans[-1][-1] == page - 1:
            spans[-1][1:] = [page]
        else:
            spans.append([page])
    said = ["-".join(map(str, span)) for span in spans]
    listed = " and ".join(filter(None, (", ".join(said[:-1]), said[-1])))
    return f"page{'s' if len(pages) > 1 else ''} {listed}"


# Lines of pages into blocks: what stands at the edge of every page goes, paragraphs and headings are put together.
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


def _page(page: pdfium.PdfPage, number: int, found: "_Tables") -> tuple[list[Line], bool]:
    """The lines of a page from top to bottom, rows of tables among them; and whether it holds a picture."""
    drawn = Counter(
        one.type  # pyright: ignore[reportAttributeAccessIssue]
        for one in page.get_objects(
            filter=[raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE], max_depth=_DEPTH
        )
    )
    lines = list(_lines(page, number + 1))
    tables = found.on(number) if lines and drawn[raw.FPDF_PAGEOBJ_PATH] >= _RULES else []
    kept: list[Line] = []
    for line in lines:
        at = next((one for one in tables if one.top <= line.top <= one.bottom), None)
        if at is None:
            kept.append(line)
        elif at.rows:
            kept += _rows(at, number + 1)
            tables[tables.index(at)] = _Table(at.top, at.bottom, ())
    return kept, bool(drawn[raw.FPDF_PAGEOBJ_IMAGE])


def _rows(table: _Table, page: int) -> Iterator[Line]:
    columns, *rows = table.rows
    for cells in rows:
        text = row_text(list(columns), list(cells))
        if text:
            yield Line(text, page, table.top, 0.0, is_bold=False, is_row=True)


class _Tables:
    """The tables of a document that have ruled lines, at least two columns and two rows."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @cached_property
    def _document(self) -> PDF:
        return PDF.open(io.BytesIO(self._data))

    def on(self, number: int) -> list[_Table]:
        """Those of one page."""
        page = self._document.pages[number]
        read = [(one.bbox, one.extract()) for one in page.find_tables()]
        page.close()  # else all that was found on it is kept
        return [
            _Table(
                box[1], box[3], [[" ".join((cell or "").split()) for cell in row] for row in rows]
            )
            for box, rows in read
            if len(rows) > 1 and len(rows[0]) > 1
        ]


def _lines(page: pdfium.PdfPage, number: int) -> Iterator[Line]:
    text = page.get_textpage()
    height = page.get_height()
    at = 0
    for said in text.get_text_range().split("\r\n"):
        middle = at + len(said) // 2
        at += len(said) + 2
        if not said.strip():
            continue
        _, _, _, top = text.get_charbox(min(middle, text.count_chars() - 1), loose=True)
        size = raw.FPDFText_GetFontSize(text.raw, middle)
        yield Line(said, number, height - top, round(size * 2) / 2, is_bold=_is_bold(text, middle))


def _is_bold(text: pdfium.PdfTextPage, place: int) -> bool:
    name = ctypes.create_string_buffer(128)
    raw.FPDFText_GetFontInfo(text.raw, place, name, 128, ctypes.c_int())
    return bool(_BOLD.search(name.value))


opened = served(read)
