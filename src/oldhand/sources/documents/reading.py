"""A document, read: its title, its passages, and what could not be read."""

import time
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from threading import Timer
from typing import NamedTuple, cast

from oldhand.errors import DatabaseError, UnreadableDocument
from oldhand.record.document import Passage
from oldhand.sources.documents.block import Block, BlockKind
from oldhand.sources.documents.chunking import passages_of
from oldhand.sources.documents.cleaning import cleaned
from oldhand.sources.documents.media import check_installed, media_of
from oldhand.sources.workers.client import WorkerSession

_MOST_BLOCKS = 1_000_000


class GivenDocument(NamedTuple):
    """A document that is to be read."""

    id: str
    name: str
    """Of the file, or the last part of the address."""
    data: bytes
    said: str = ""
    """What a server says that it is."""


class ReadDocument(NamedTuple):
    """What a document holds."""

    media: str
    title: str
    passages: tuple[Passage, ...]
    note: str
    """What could not be read; empty where all was."""


def read_document(given: GivenDocument, seconds: float = 60.0) -> ReadDocument:
    """Read a document, in a process of its own that ends when it takes too long or too much memory.

    Raises:
        DocumentError: it can't be read; the message says why.
        MissingExtra: its reader is not installed.
    """
    media = media_of(given.name, given.data, given.said)
    check_installed(media)
    blocks = _blocks(media.reader, given.data, seconds) if given.data else ()
    stem = PurePosixPath(given.name).stem or given.name
    return _made_of(blocks, media.name, given.id, stem)


def _blocks(reader: str, data: bytes, seconds: float) -> Sequence[Block]:
    begun = time.monotonic()
    try:
        session = WorkerSession(reader, f"the reader of documents ({reader})")
        watch = Timer(seconds, session.interrupt)
        watch.start()
        try:
            session.add("document", (), ((data,),))
            found = session.read(reader, _MOST_BLOCKS, seconds)
        finally:
            watch.cancel()
            session.close()
    except DatabaseError as error:
        slow = time.monotonic() - begun >= seconds
        why = f"reading it takes more than {seconds:g} s" if slow else "its reader ended over it"
        raise UnreadableDocument(f"It is broken, or made to do harm: {why}.") from error
    return [
        _block(*cast("tuple[str, str, int, int | None, int | None]", one)) for one in found.rows
    ]


def _block(kind: str, text: str, level: int, page: int | None, line: int | None) -> Block:
    return Block(BlockKind(kind), text, level, page, line)


def _made_of(found: Iterable[Block], media: str, document_id: str, name: str) -> ReadDocument:
    blocks: list[Block] = []
    notes: dict[str, None] = {}
    title, hidden = "", 0
    for block in found:
        text, invisible = cleaned(block.text)
        hidden += invisible
        if block.kind is BlockKind.NOTE:
            notes[text] = None
        elif text and not title and (block.kind is BlockKind.TITLE or block.level == 1):
            title = text
        if text:
            indent = block.text[: len(block.text) - len(block.text.lstrip(" "))]
            blocks.append(block._replace(text=indent + text))
    if hidden:
        many = "s were" if hidden > 1 else " was"
        notes[f"{hidden:,} invisible character{many} taken out."] = None
    passages = tuple(passages_of(document_id, blocks))
    return ReadDocument(media, title or name, passages, " ".join(notes))
