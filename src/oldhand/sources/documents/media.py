"""What kind of document bytes are: by what they hold, then by the name."""

import io
import zipfile
from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import NamedTuple

from oldhand.errors import (
    DocumentTooLarge,
    EncryptedDocument,
    MissingExtra,
    UnreadableDocument,
    UnsupportedDocument,
)


class Media(NamedTuple):
    """A kind of documents."""

    name: str
    """As it is called among programs."""
    reader: str
    """The module among the readers."""
    suffixes: str
    needs: str = ""
    """The package that reads it, where it is an extra."""


_OFFICE = "application/vnd.openxmlformats-officedocument"
MARKDOWN = Media("text/markdown", "markdown", ".md .markdown .mdown")
TEXT = Media("text/plain", "plain_text", ".txt .text .rst .log .adoc")
HTML = Media("text/html", "html", ".html .htm .xhtml", "selectolax")
PDF = Media("application/pdf", "pdf", ".pdf", "pdfplumber")
WORD = Media(f"{_OFFICE}.wordprocessingml.document", "word", ".docx .docm", "docx")
SLIDES = Media(f"{_OFFICE}.presentationml.presentation", "slides", ".pptx .pptm", "pptx")
SHEETS = Media(
    f"{_OFFICE}.spreadsheetml.sheet", "sheets", ".xlsx .xlsm .xlsb .xls .ods", "python_calamine"
)
SEPARATED = Media("text/csv", "sheets", ".csv .tsv", "python_calamine")
MAIL = Media("message/rfc822", "mail", ".eml")
_ALL = (MARKDOWN, TEXT, HTML, PDF, WORD, SLIDES, SHEETS, SEPARATED, MAIL)
_BY_SUFFIX = {suffix: media for media in _ALL for suffix in media.suffixes.split()}
_BY_NAME = {media.name: media for media in _ALL}
_IN_ZIP = (("word/", WORD), ("ppt/", SLIDES), ("xl/", SHEETS), ("content.xml", SHEETS))
_ZIP, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LOCKED = "EncryptedPackage".encode("utf-16-le")
_UNPACKED_MEGABYTES = 500
_SNIFFED = 1_024


def media_by_name(name: str) -> Media | None:
    """The kind that a file is by its name; None where it tells none that is read.

    >>> media_by_name("Handbook.MD").name, media_by_name("photo.jpg")
    ('text/markdown', None)
    """
    return _BY_SUFFIX.get(PurePosixPath(name).suffix.lower())


def media_of(name: str, data: bytes, said: str = "") -> Media:
    """The kind that these bytes are.

    Args:
        name: of the file, or the last part of the address.
        data: what it holds.
        said: what the server says that it is.

    Raises:
        DocumentError: none that is read, or none that may be.
    """
    named = media_by_name(name)
    # Servers say of much that it is plain text.
    expected = (named if said == TEXT.name else None) or _BY_NAME.get(said) or named
    start = data[:_SNIFFED]
    if b"%PDF-" in start:
        return PDF
    if start.startswith(_ZIP):
        return _in_zip(name, data)
    if start.startswith(_OLD_OFFICE):
        return _of_old_office(name, data)
    if start.lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return HTML
    if expected is None:
        if b"\0" in start:
            raise UnsupportedDocument(f"{name}: documents of this kind are not read here.")
        return TEXT
    if expected in {PDF, WORD, SLIDES, SHEETS} and data:
        raise UnreadableDocument(f"{name} is not what its name says, or only a part of it.")
    return expected


def check_installed(media: Media) -> None:
    """Say so if the reader is not there.

    Raises:
        MissingExtra: it is not.
    """
    if media.needs and find_spec(media.needs) is None:
        raise MissingExtra(
            f"The reader of {media.suffixes.split()[0]} ({media.needs})", "documents"
        )


def _in_zip(name: str, data: bytes) -> Media:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            inside = packed.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise UnreadableDocument(f"{name} is broken: {error}.") from error
    if sum(one.file_size for one in inside) > _UNPACKED_MEGABYTES * 1_000_000:
        raise DocumentTooLarge(f"{name} would unpack to more than {_UNPACKED_MEGABYTES} MB.")
    names = [one.filename for one in inside]
    for start, media in _IN_ZIP:
        if any(one.startswith(start) for one in names):
            return media
    raise UnsupportedDocument(f"{name} is an archive: unpack it, and add the folder.")


def _of_old_office(name: str, data: bytes) -> Media:
    if _LOCKED in data:
        raise EncryptedDocument
    if media_by_name(name) is SHEETS:
        return SHEETS
    raise UnsupportedDocument(f"{name} is of an old Office: save it as .docx or .pptx.")
