"""A document, read: its title, its passages, and what could not be read."""

import re
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from threading import Timer
from typing import NamedTuple, cast
from zlib import crc32

from oldhand.errors import DatabaseError, UnreadableDocument
from oldhand.lexicon.sentences import sentences_of
from oldhand.record.document import Anchor, Passage, chunk_hash
from oldhand.sources.documents.block import Block, BlockKind
from oldhand.sources.documents.media import check_installed, media_of
from oldhand.sources.workers.client import WorkerSession

_MOST_BLOCKS = 1_000_000
_JOINERS = "\u200c\u200d"
"""Letters of some scripts are joined or kept apart by them."""
_SILENT = "\u00ad\ufeff"
"""Taken out without a word: marks of hyphenation and of byte order."""
_PLAIN = re.compile(r"[\n -~]*")
_BLANKS = re.compile(r"[^\S\n]+")
_LEAST = 100
_MOST = 200
_LAST = 240
"""Words up to which the rest of a section is one passage."""
_CHARACTERS = 8
"""Of a long word, or of a text without spaces, so many count as one word."""


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


# Text as people see it: what is invisible, or turns the direction of others, is taken out.
def cleaned(text: str) -> tuple[str, int]:
    r"""The text without invisible characters, and how many there were that have no place in an honest text.

    >>> cleaned("in\u200bvoice \u202etxt.exe\u202c")
    ('invoice txt.exe', 3)
    >>> cleaned("soft\u00adware\u00a0costs")
    ('software costs', 0)
    """
    if not _PLAIN.fullmatch(text):
        text = unicodedata.normalize("NFC", text)
        kept = [one for place, one in enumerate(text) if not _is_invisible(text, place)]
        hidden = len(text) - len(kept) - sum(text.count(one) for one in _SILENT)
        text = "".join(kept)
    else:
        hidden = 0
    return _BLANKS.sub(" ", text).strip(), hidden


def _is_invisible(text: str, place: int) -> bool:
    character = text[place]
    if character in _JOINERS:
        around = text[max(place - 1, 0) : place + 2 : 2]
        return len(around) < 2 or around.isascii()
    return _kind(character)


@lru_cache(maxsize=4_096)
def _kind(character: str) -> bool:
    """Whether a character is never seen: control and format characters, lone surrogates, selectors of variants."""
    if character in "\n\t\r\f\v":
        return False
    return (
        unicodedata.category(character) in {"Cc", "Cf", "Cs"}
        or 0xFE00 <= ord(character) <= 0xFE0F
        or 0xE0100 <= ord(character) <= 0xE01EF
        or character in "\u115f\u1160\u3164\uffa0\u2800"  # blank letters
    )


# Blocks into passages: along the structure of the document, each with the headings that it stands under.
#
# A passage has 100 to 200 words, less where a section has less, and never reaches across a heading. Where it ends within a long section is chosen by
# the words that stand there, not by counting from the start: so a sentence more at the top changes the passages around it,
# and those after it stay as they are, with all that was learned of them.
class _Unit(NamedTuple):
    """What is never cut: a sentence, an item, a row."""

    text: str
    before: str
    """What stands between it and the one before it."""
    size: int
    ends: bool
    """Whether a paragraph ends here."""
    block: Block


def passages_of(document_id: str, blocks: Iterable[Block]) -> list[Passage]:
    """The passages of a document; those that it holds several times are there once.

    >>> blocks = [Block(BlockKind.HEADING, "Returns", 1), Block(BlockKind.PARAGRAPH, "Within 30 days.", line=3)]
    >>> [(one.anchor.says, one.text) for one in passages_of("d", blocks)]
    [('Returns, line 3', 'Within 30 days.')]
    """
    found: dict[str, Passage] = {}
    kept = list(blocks)
    for heading, section in _sections(kept):
        for units in _packed([unit for block in section for unit in _units(block)]):
            text = "".join(
                f"{one.before if place else ''}{one.text}" for place, one in enumerate(units)
            )
            first = units[0].block
            anchor = Anchor(heading=heading, page=first.page, line=first.line)
            chunk = chunk_hash(heading[-1] if heading else "", text)
            passage = Passage(
                chunk=chunk, document_id=document_id, position=len(found), text=text, anchor=anchor
            )
            found.setdefault(chunk, passage)
    if not found and (only := [one for one in kept if one.kind is BlockKind.HEADING]):
        return passages_of(
            document_id, [one._replace(kind=BlockKind.PARAGRAPH, level=0) for one in only]
        )
    return list(found.values())


def _sections(blocks: Iterable[Block]) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """What stands under each heading, with the headings around it."""
    stack: list[Block] = []
    section: list[Block] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            yield tuple(one.text for one in stack), section
            section = []
            while stack and stack[-1].level >= block.level:
                stack.pop()
            stack.append(block)
        elif block.kind not in {BlockKind.TITLE, BlockKind.NOTE}:
            section.append(block)
    yield tuple(one.text for one in stack), section


def _units(block: Block) -> Iterator[_Unit]:
    size = _size(block.text)
    is_line = block.kind is not BlockKind.PARAGRAPH
    pieces = [block.text] if is_line and size <= _MOST else sentences_of(block.text)
    whole = [part for piece in pieces for part in _cut(piece)]
    for place, text in enumerate(whole):
        before = " " if place else "\n" if is_line else "\n\n"
        ends = place == len(whole) - 1 and not text.endswith(":")
        yield _Unit(text, before, _size(text), ends, block)


def _size(text: str) -> int:
    return max(len(text.split()), len(text) // _CHARACTERS)


def _cut(sentence: str) -> Iterator[str]:
    """An endless sentence in pieces: at spaces, else anywhere."""
    most, at = _MOST * _CHARACTERS, 0
    # What is left is not copied each time: of a line without end, that would take for ever.
    while len(sentence) - at > most + _CHARACTERS or _size(sentence[at:]) > _MOST:
        words = sentence[at : at + most + 1].split(" ", _MOST)
        start = " ".join(words[:_MOST])[:most]
        if len(start) == most and " " in start:
            start = start.rpartition(" ")[0]
        yield start.strip()
        at += len(start)
        at += sentence.startswith(" ", at)
    if at < len(sentence):
        yield sentence[at:]


def _packed(units: Sequence[_Unit]) -> Iterator[Sequence[_Unit]]:
    left = sum(one.size for one in units)
    start = 0
    while left > _LAST:
        end = _end_of(units, start)
        yield units[start:end]
        left -= sum(one.size for one in units[start:end])
        start = end
    if start < len(units):
        yield units[start:]


def _end_of(units: Sequence[_Unit], start: int) -> int:
    """Where the passage ends that begins here."""
    size, place, ends = 0, start, list[int]()
    for place in range(start, len(units)):
        size += units[place].size
        if size > _MOST:
            break
        if size >= _LEAST:
            ends.append(place)
    if not ends:  # the next one is long
        return max(place, start + 1)
    whole = [one for one in ends if units[one].ends] or ends
    return 1 + min(whole, key=lambda one: crc32(units[one].text.encode("utf-8", "replace")))
