"""Web pages: what people read of them, without menus, scripts and what is hidden."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from oldhand.sources.documents.block import Block, BlockKind, row_text, served
from oldhand.sources.documents.readers.plain_text import decoded

_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([\w-]{1,40})", re.IGNORECASE)
_UNREAD = (
    "script, style, noscript, template, svg, iframe, object, button, select, textarea, nav, aside, dialog, "
    "body > header, body > footer, [hidden], [aria-hidden=true], [style*='display:none' i], [style*='display: none' i], "
    "[style*='visibility:hidden' i], [style*='font-size:0' i]"
)
_MAIN = "main, [role=main], article"
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "blockquote",
        "body",
        "caption",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)


def read(data: bytes) -> Iterator[Block]:
    """The blocks of a page."""
    named = _CHARSET.search(data[:4_096])
    page = LexborHTMLParser(decoded(data, named[1].decode() if named else ""))
    title = page.css_first("title")
    if title is not None:
        yield Block(BlockKind.TITLE, _flat(title.text()))
    for node in page.css(_UNREAD):
        node.decompose()
    mains = page.css(_MAIN)
    root = mains[0] if len(mains) == 1 else page.body
    if root is not None:
        yield from _blocks(root)


def _blocks(root: LexborNode) -> Iterator[Block]:
    said: list[str] = []
    around: LexborNode | None = None
    columns: list[str] | None = None
    for node in root.traverse(include_text=True):
        if node.tag == "table":
            columns = None
        if node.tag == "tr" and node.css_first("table") is None:
            cells = [
                _flat(cell.text(separator=" ")) for cell in node.iter() if cell.tag in {"td", "th"}
            ]
            yield from _block(around, said)
            said, around = [], None
            if len(cells) < 2 or columns is not None:
                yield Block(BlockKind.ROW, row_text(columns or [], cells))
            else:
                columns = cells
        elif node.tag == "br":
            said.append("\n")
        elif node.tag == "-text":
            block, is_cell = _around(node)
            if is_cell:
                continue
            if around is None or block is None or block.mem_id != around.mem_id:
                yield from _block(around, said)
                said, around = [], block
            said.append(node.text())
    yield from _block(around, said)


def _around(node: LexborNode) -> tuple[LexborNode | None, bool]:
    """The block that a text stands in; and whether it was read already, as a part of a row."""
    found: LexborNode | None = None
    at = node.parent
    while at is not None:
        if found is None and at.tag in _BLOCKS:
            found = at
        if at.tag == "tr":
            return found, at.css_first("table") is None
        at = at.parent
    return found, False


def _block(around: LexborNode | None, said: list[str]) -> Iterator[Block]:
    tag = "" if around is None else around.tag or ""
    if tag == "pre":
        text = "".join(said).strip("\n")
    else:
        text = (
            "\n".join(filter(None, map(_flat, "".join(said).split("\n"))))
            if "\n" in said
            else _flat("".join(said))
        )
    if not text.strip():
        return
    if re.fullmatch(r"h[1-6]", tag):
        yield Block(BlockKind.HEADING, _flat(text), int(tag[1]))
    elif tag in {"li", "dt", "dd"}:
        yield Block(BlockKind.LINE, f"- {text}")
    else:
        yield Block(BlockKind.LINE if tag == "pre" else BlockKind.PARAGRAPH, text)


def _flat(text: str) -> str:
    return " ".join(text.split())


opened = served(read)
