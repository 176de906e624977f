"""Workbooks and files of separated values, row by row; long ones are better asked as a database."""

import csv
import io
from collections.abc import Iterator, Sequence

from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from oldhand.errors import EncryptedDocument, UnreadableDocument
from oldhand.sources.cells import plain_cell
from oldhand.sources.documents.block import Block, BlockKind, row_text, served
from oldhand.sources.documents.readers.plain_text import decoded
from oldhand.sources.separated import header_place, layout_of

_MOST_ROWS = 5_000
_CUT = f"Of more than {_MOST_ROWS:,} rows, the rest was not read: `oldhand db add` asks such a file as a database."
_PACKED = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


def read(data: bytes) -> Iterator[Block]:
    """The blocks of a workbook, or of separated values."""
    return _workbook(data) if data.startswith(_PACKED) else _separated(data)


def _workbook(data: bytes) -> Iterator[Block]:
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for page, sheet in enumerate(workbook.sheet_names, 1):
            rows = workbook.get_sheet_by_name(sheet).to_python()
            # It is one part of the workbook, which is called by its file.
            yield Block(BlockKind.HEADING, sheet, 2, page)
            yield from _rows([[_text(cell) for cell in row] for row in rows if any(row)], page)
    except PasswordError as error:
        raise EncryptedDocument from error
    except CalamineError as error:
        raise UnreadableDocument(f"It is broken: {error}.") from error


def _separated(data: bytes) -> Iterator[Block]:
    lines = decoded(data).split("\n")
    delimiter, skipped = layout_of(lines[:200])
    try:
        rows = [row for row in csv.reader(lines[skipped:], delimiter=delimiter) if any(row)]
    except csv.Error as error:
        raise UnreadableDocument(f"Its rows cannot be told apart: {error}.") from error
    yield from _rows(rows, None)


def _rows(rows: Sequence[Sequence[str]], page: int | None) -> Iterator[Block]:
    start = header_place(rows)
    for row in rows[:start]:
        yield Block(BlockKind.PARAGRAPH, " ".join(filter(None, row)), page=page)
    for row in rows[start + 1 : start + 1 + _MOST_ROWS]:
        yield Block(BlockKind.ROW, row_text(tuple(rows[start]), tuple(row)), page=page)
    if len(rows) > start + 1 + _MOST_ROWS:
        yield Block(BlockKind.NOTE, _CUT)
    if len(rows) == 1:
        yield Block(BlockKind.PARAGRAPH, " ".join(filter(None, rows[0])), page=page)


def _text(cell: object) -> str:
    whole = isinstance(cell, float) and cell.is_integer()
    return str(plain_cell(int(cell) if whole else cell))  # pyright: ignore[reportArgumentType]


opened = served(read)
