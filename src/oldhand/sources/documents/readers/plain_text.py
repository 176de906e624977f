"""Plain text: paragraphs between blank lines, and headings as far as they look like some."""

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress

from oldhand.errors import UnreadableDocument
from oldhand.sources.documents.block import Block, BlockKind, served

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNDERLINE = re.compile(r"([=\-~^*#])\1{2,}")
_NUMBERED = re.compile(r"(\d+(?:\.\d+)*)[.)]?\s+\S")
ITEM = re.compile(r"\s*(?:[-*\u2022\u2013]|\d+[.)]|[a-z]\))\s+\S")
_HEADING_WORDS = 12
_SNIFFED = 200_000
"""Bytes by which an encoding is told."""
_WIDE = 0.4
"""Share of zeros among every second byte from which on letters have two bytes."""
_CHANCE = 4
"""A line of this many may be UTF-8 by chance."""
_BINARY = 0.02
"""Share of control characters from which on a file is no text."""


def decoded(data: bytes, said: str = "") -> str:
    """Text in the encoding that it is most likely in, with plain line ends.

    Args:
        data: the bytes.
        said: the encoding that they are said to be in; UTF-8 is believed first.

    Raises:
        UnreadableDocument: it is no text.
    """
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None) or _wide(data)
    text = _decoded(data, marked, said)
    strange = sum(text.count(chr(code)) for code in (*range(9), *range(14, 27), *range(28, 32)))
    if strange > max(len(text) * _BINARY, 1):
        raise UnreadableDocument("It is no text: it holds bytes that stand for nothing.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _wide(data: bytes) -> str | None:
    """UTF-16 that does not say so: every second byte of most texts is zero then."""
    start = data[:_SNIFFED]
    zeros = [start[at::2].count(0) * 2 / len(start) if start else 0.0 for at in (0, 1)]
    if len(data) % 2 or max(zeros) < _WIDE or min(zeros) > _BINARY:
        return None
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"


def _decoded(data: bytes, marked: str | None, said: str) -> str:
    try:
        return data.decode(marked or "utf-8")
    except UnicodeDecodeError as error:
        if marked is not None:
            raise UnreadableDocument(f"It says that it is {marked}, and is not.") from error
    with suppress(LookupError, UnicodeDecodeError):
        if said:
            return data.decode(said)
    if mixed := _mixed(data):
        return mixed
    try:
        from charset_normalizer import from_bytes  # noqa: PLC0415 - an extra
    except ImportError:
        return data.decode("cp1252", "replace")
    best = from_bytes(data[:_SNIFFED]).best()
    return data.decode("cp1252" if best is None else best.encoding, "replace")


def _mixed(data: bytes) -> str:
    """A text of which some lines are UTF-8 and others are not, as when files were put together; empty for others."""
    lines: list[str] = []
    wide = narrow = 0
    for line in data.split(b"\n"):
        try:
            lines.append(line.decode())
            wide += not line.isascii()
        except UnicodeDecodeError:
            lines.append(line.decode("cp1252", "replace"))
            narrow += 1
    return "\n".join(lines) if wide * _CHANCE > narrow else ""


def read(data: bytes) -> Iterator[Block]:
    """The blocks of a plain text."""
    lines = [*decoded(data).expandtabs(4).split("\n"), ""]
    paragraph: list[str] = []
    for number, line in enumerate(lines):
        if line.strip():
            paragraph.append(line.rstrip())
        elif paragraph:
            yield from _paragraph(paragraph, number - len(paragraph) + 1)
            paragraph = []


def _paragraph(lines: list[str], first: int) -> Iterator[Block]:
    if len(lines) >= 2 and _UNDERLINE.fullmatch(lines[1].strip()):
        level = 1 if lines[1].strip()[0] == "=" else 2
        yield Block(BlockKind.HEADING, lines[0].strip(), level, line=first)
        lines, first = lines[2:], first + 2
    alone = len(lines) == 1 or (lines and _opens(lines[1]))
    if alone and (level := _level(lines[0].strip())):
        yield Block(BlockKind.HEADING, lines[0].strip(), level, line=first)
        lines, first = lines[1:], first + 1
    said: list[str] = []
    begins = first
    for number, line in enumerate(lines, first):
        if ITEM.match(line):
            if said:
                yield _block(said, begins)
            said, begins = [], number
        said.append(line if ITEM.match(line) else line.strip())
    if said:
        yield _block(said, begins)


def _opens(line: str) -> bool:
    """Whether a line begins a text of its own, and is neither an item nor goes on with the line before it."""
    return line[0].isupper() and not ITEM.match(line)


def _block(said: list[str], line: int) -> Block:
    kind = BlockKind.LINE if ITEM.match(said[0]) else BlockKind.PARAGRAPH
    return Block(kind, " ".join(said), line=line)


def _level(line: str) -> int:
    """Of a line that looks like a heading; 0 where it does not.

    >>> [_level(line) for line in ("RETURNS", "2.1 Deadlines", "We take it back.", "Dear Ms. Kaya,")]
    [1, 2, 0, 0]
    """
    if len(line.split()) > _HEADING_WORDS or line.endswith((".", ",", ";", ":", "!", "?")):
        return 0
    if numbered := _NUMBERED.match(line):
        return 1 + numbered[1].count(".")
    return 1 if line.isupper() and any(map(str.isalpha, line)) else 0


opened = served(read)
