"""Blocks into passages: along the structure of the document, each with the headings that it stands under.

A passage has 100 to 200 words, less where a section has less, and never reaches across a heading. Where it ends within a long section is chosen by
the words that stand there, not by counting from the start: so a sentence more at the top changes the passages around it,
and those after it stay as they are, with all that was learned of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from oldhand.lexicon.sentences import sentences_of
from oldhand.record.document import Anchor, Passage, chunk_hash
from oldhand.sources.documents.block import Block, BlockKind

_LEAST = 100
_MOST = 200
_LAST = 240
"""Words up to which the rest of a section is one passage."""
_CHARACTERS = 8
"""Of a long word, or of a text without spaces, so many count as one word."""


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
