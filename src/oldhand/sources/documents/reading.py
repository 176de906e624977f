"""A document, read: its title, its passages, and what could not be read."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from oldhand.record.document import Passage
from oldhand.sources.documents.block import Block, BlockKind
from oldhand.sources.documents.chunking import passages_of
from oldhand.sources.documents.cleaning import cleaned
from oldhand.sources.documents.media import MARKDOWN, media_of
from oldhand.sources.documents.readers import markdown, plain_text


class ReadDocument(NamedTuple):
    """What a document holds."""

    media: str
    title: str
    passages: tuple[Passage, ...]
    note: str
    """What could not be read; empty where all was."""


def read_document(document_id: str, name: str, data: bytes) -> ReadDocument:
    """Read a document.

    Raises:
        DocumentError: it can't be read; the message says why.
    """
    media = media_of(name, data)
    read = markdown.read if media == MARKDOWN else plain_text.read
    return _read(document_id, name, media, read(data))


def _read(document_id: str, name: str, media: str, found: Iterator[Block]) -> ReadDocument:
    blocks: list[Block] = []
    notes: list[str] = []
    title, hidden = "", 0
    for block in found:
        text, invisible = cleaned(block.text)
        hidden += invisible
        if block.kind is BlockKind.NOTE:
            notes.append(text)
        elif text and not title and (block.kind is BlockKind.TITLE or block.level == 1):
            title = text
        if text:
            indent = block.text[: len(block.text) - len(block.text.lstrip(" "))]
            blocks.append(block._replace(text=indent + text if indent else text))
    if hidden:
        notes.append(f"{hidden:,} invisible characters were taken out.")
    passages = tuple(passages_of(document_id, blocks))
    return ReadDocument(media, title or PurePosixPath(name).stem, passages, " ".join(notes))
