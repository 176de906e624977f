"""What kind of document bytes are: by what they hold, then by the name."""

from pathlib import PurePosixPath

from oldhand.errors import UnsupportedDocument

MARKDOWN, TEXT = "text/markdown", "text/plain"
_BY_NAME = {
    MARKDOWN: ".md .markdown .mdown",
    TEXT: ".txt .text .rst .log .adoc",
}
_SUFFIXES = {suffix: media for media, names in _BY_NAME.items() for suffix in names.split()}


def media_by_name(name: str) -> str | None:
    """The kind that a file is by its name; None where it tells none that is read.

    >>> media_by_name("Handbook.MD"), media_by_name("photo.jpg")
    ('text/markdown', None)
    """
    return _SUFFIXES.get(PurePosixPath(name).suffix.lower())


def media_of(name: str, data: bytes) -> str:
    """The kind that these bytes are.

    Raises:
        UnsupportedDocument: none that is read.
    """
    del data
    media = media_by_name(name)
    if media is None:
        raise UnsupportedDocument(f"{name}: documents of this kind are not read here.")
    return media
