"""Documents of Word: paragraphs and tables in their order, also those in frames of content and in tracked insertions."""
# lxml ships no types
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import io
import re
from collections.abc import Iterator

from docx import Document
from docx.opc.exceptions import OpcError
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from lxml.etree import LxmlError

from oldhand.errors import UnreadableDocument
from oldhand.sources.documents.block import Block, BlockKind, row_text, served

_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_TEXT, _TAB, _BREAKS = qn("w:t"), qn("w:tab"), (qn("w:br"), qn("w:cr"))
_DELETED = (
    qn("w:del"),
    qn("w:moveFrom"),
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
)


def read(data: bytes) -> Iterator[Block]:
    """The blocks of a document.

    Raises:
        UnreadableDocument: it is broken.
    """
    try:
        document = Document(io.BytesIO(data))
        title = document.core_properties.title
        styles = {one.style_id: one.name or "" for one in document.styles}
    except (OpcError, LxmlError, KeyError, ValueError) as error:
        raise UnreadableDocument(f"It is broken: {type(error).__name__}.") from error
    if title:
        yield Block(BlockKind.TITLE, title)
    for block in _inside(document.element.body, styles):
        if block.kind is BlockKind.TITLE:
            title = title or block.text
        if block.kind is not BlockKind.PARAGRAPH or block.text != title:  # it is no passage
            yield block


def _inside(parent: BaseOxmlElement, styles: dict[str, str]) -> Iterator[Block]:
    for element in parent:
        match element.tag:
            case tag if tag == qn("w:p"):
                yield from _paragraph(element, styles)
            case tag if tag == qn("w:tbl"):
                yield from _table(element)
            case tag if tag in {qn("w:sdt"), qn("w:sdtContent")}:
                yield from _inside(element, styles)
            case _:
                pass


def _paragraph(element: BaseOxmlElement, styles: dict[str, str]) -> Iterator[Block]:
    text = _said(element)
    if not text.strip():
        return
    properties = element.find(qn("w:pPr"))
    style = None if properties is None else properties.find(qn("w:pStyle"))
    name = "" if style is None else styles.get(style.get(qn("w:val"), ""), "")
    is_item = properties is not None and properties.find(qn("w:numPr")) is not None
    if name == "Title":
        yield Block(BlockKind.TITLE, text)
    if heading := _HEADING.match(name):
        yield Block(BlockKind.HEADING, text, int(heading[1]))
    elif is_item or name.startswith("List"):
        yield Block(BlockKind.LINE, f"- {text}")
    else:
        yield Block(BlockKind.PARAGRAPH, text)


def _table(element: BaseOxmlElement) -> Iterator[Block]:
    columns: list[str] | None = None
    for row in element.iterchildren(qn("w:tr")):
        cells = [
            " ".join(_said(one) for one in cell.iter(qn("w:p")))
            for cell in row.iterchildren(qn("w:tc"))
        ]
        if columns is None and len(cells) > 1:
            columns = cells
        else:
            yield Block(BlockKind.ROW, row_text(columns or [], cells))


def _said(element: BaseOxmlElement) -> str:
    """What stands there now: not what was deleted, and no drawing twice."""
    said: list[str] = []
    for one in element.iter(_TEXT, _TAB, *_BREAKS):
        if any(above.tag in _DELETED for above in one.iterancestors()):
            continue
        said.append("\n" if one.tag in _BREAKS else " " if one.tag == _TAB else one.text or "")
    return "".join(said)


opened = served(read)
