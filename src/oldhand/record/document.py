"""Documents, the passages that they are cut into, and what an answer cites of them."""

import re
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from pydantic import Field

from oldhand.record.base import Record, SafeName

_WORD = re.compile(r"\w+")
EVERYONE = "everyone"
MEMBERS = "members"


def reader_names(user: str, member: bool) -> tuple[str, ...]:
    """What `Document.readers` has to have one of for a user to read it; nobody is named like one of the groups.

    >>> reader_names("ben", member=True), reader_names("members", member=False)
    (('everyone', 'members', 'ben'), ('everyone',))
    """
    groups = (EVERYONE, MEMBERS) if member else (EVERYONE,)
    return groups if user in {EVERYONE, MEMBERS} else (*groups, user)


class DocumentState(StrEnum):
    """Whether a document can be found, and if not, why."""

    WAITING = "waiting"
    """It was added, and is not read yet."""
    READY = "ready"
    FAILED = "failed"
    """It could not be read; `Document.note` says why."""
    EMPTY = "empty"
    """It holds no text, as scanned pages do."""


class Document(Record):
    """One source of passages, as it was last read."""

    id: str
    clone_id: SafeName
    name: str
    """What people call it: the title, else the name of the file."""
    source: str
    """The path or address that it was read from."""
    media: str
    """Its kind by content, such as `text/markdown` or `application/pdf`."""
    digest: str
    """Of the bytes that were read: the same bytes are not read again."""
    readers: tuple[str, ...] = (EVERYONE,)
    """Who may see its passages: `everyone`, `members` (no external people), or the names of users."""
    state: DocumentState = DocumentState.WAITING
    note: str = ""
    """What could not be read, and what to do about it."""
    passages: int = Field(default=0, ge=0)
    added_by: SafeName
    added_at: datetime
    read_at: datetime | None = None


class Anchor(Record):
    """Where a passage stands in its document."""

    heading: tuple[str, ...] = ()
    """The headings that it stands under, the outermost first."""
    page: int | None = None
    """Page, slide or sheet, counted from 1."""
    line: int | None = None
    """The first line of it in a text, counted from 1."""

    @property
    def says(self) -> str:
        """The place in words.

        >>> Anchor(heading=("Returns", "Deadlines"), page=3).says
        'Returns > Deadlines, page 3'
        """
        where = [" > ".join(self.heading)] if self.heading else []
        if self.page is not None:
            where.append(f"page {self.page}")
        elif self.line is not None:
            where.append(f"line {self.line}")
        return ", ".join(where)


def chunk_hash(heading: str, text: str) -> str:
    """What a passage is known by: its last heading and its words, whatever stands between them.

    >>> chunk_hash("Returns", "Within 30 days.") == chunk_hash("RETURNS", "within  30 days")
    True
    >>> chunk_hash("Returns", "30 days") == chunk_hash("Refunds", "30 days")
    False
    """
    said = "\n".join(" ".join(_WORD.findall(one.casefold())) for one in (heading, text))
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def place_in(document: str, place: str) -> str:
    """Where something stands, with its document, whose title is told once where it is the first heading, too.

    >>> place_in("Handbook", "Handbook > Leave, line 3"), place_in("Minutes", "page 2"), place_in("Note", "")
    ('Handbook, Leave, line 3', 'Minutes, page 2', 'Note')
    """
    rest = place
    if place.startswith((f"{document} > ", f"{document}, ")):
        rest = place[len(document) :].removeprefix(" > ").removeprefix(", ")
    return f"{document}, {rest}" if rest else document


class Passage(Record):
    """A piece of a document that is found, shown and credited as one."""

    chunk: str
    """Hash of its last heading and its words: passages that say the same under the same heading are one, wherever they
    stand, and keep what was learned of them while the rest of a document changes."""
    document_id: str
    position: int = Field(ge=0)
    """Counted from 0 within its document."""
    text: str
    anchor: Anchor = Anchor()


class FoundPassage(Record):
    """A passage that was found for a question."""

    passage: Passage
    document: str
    """The name of its document."""
    rank: int = Field(ge=1)
    base: float
    """How well it fits by its words and meaning alone, from 0 to 1."""
    boost: float = 0.0
    """What feedback added to that, or took away."""
    score: float
    """What it is ranked by."""
    cosine: float | None = None
    """Of the vectors of question and passage; None without an embedder."""
    place: int | None = None
    """Where it stood before feedback had a say, counted from 1; None where it was not searched for."""


class Citation(Record):
    """A passage that a sentence of an answer rests on."""

    number: int = Field(ge=1)
    """As the answer names it: [1], [2], …"""
    chunk: str
    document_id: str
    document: str
    """The name of the document."""
    place: str
    """Where it stands in the document, in words."""
    quote: str
    """The words that the answer rests on, as they stand in the passage."""


class Retrieved(NamedTuple):
    """What a search has found."""

    passages: tuple[FoundPassage, ...]
    note: str
    """What went wrong beside it, such as a model that does not answer; usually empty."""
