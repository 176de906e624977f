"""Presentations: each slide is a section of its own."""
# lxml ships no types
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import io
from collections.abc import Iterable, Iterator

from lxml.etree import LxmlError
from pptx import Presentation
from pptx.exc import PythonPptxError
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.group import GroupShape

from oldhand.errors import UnreadableDocument
from oldhand.sources.documents.block import Block, BlockKind, row_text, served


def read(data: bytes) -> Iterator[Block]:
    """The blocks of a presentation.

    Raises:
        UnreadableDocument: it is broken.
    """
    try:
        shown = Presentation(io.BytesIO(data))
        slides = list(shown.slides)
    except (PythonPptxError, LxmlError, KeyError, ValueError) as error:
        raise UnreadableDocument(f"It is broken: {type(error).__name__}.") from error
    if title := shown.core_properties.title:
        yield Block(BlockKind.TITLE, title)
    for page, slide in enumerate(slides, 1):
        title = slide.shapes.title
        heading = (title.text_frame.text if title is not None else "") or f"Slide {page}"
        yield Block(BlockKind.HEADING, " ".join(heading.split()), 1, page)
        rest = [one for one in slide.shapes if title is None or one.shape_id != title.shape_id]
        yield from _shapes(rest, page)
        notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        if notes is not None and notes.text.strip():
            yield Block(BlockKind.PARAGRAPH, notes.text, page=page)


def _shapes(shapes: Iterable[BaseShape], page: int) -> Iterator[Block]:
    for shape in sorted(shapes, key=lambda one: (one.top or 0, one.left or 0)):
        if isinstance(shape, GroupShape):
            yield from _shapes(shape.shapes, page)
        elif isinstance(shape, GraphicFrame) and shape.has_table:
            rows = [[cell.text for cell in row.cells] for row in shape.table.rows]
            for cells in rows[1:]:
                yield Block(BlockKind.ROW, row_text(rows[0], cells), page=page)
        elif isinstance(shape, Shape) and shape.has_text_frame:
            several = len([one for one in shape.text_frame.paragraphs if one.text.strip()]) > 1
            for paragraph in shape.text_frame.paragraphs:
                text = paragraph.text.replace("\v", "\n")
                if text.strip() and several:
                    yield Block(BlockKind.LINE, f"{'  ' * paragraph.level}- {text}", page=page)
                elif text.strip():
                    yield Block(BlockKind.PARAGRAPH, text, page=page)


opened = served(read)
