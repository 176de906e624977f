"""E-mail: who wrote what to whom, and what was attached."""

from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.policy import default
from importlib import import_module
from typing import cast

from oldhand.errors import DocumentError, MissingExtra
from oldhand.sources.documents.block import Block, BlockKind, served
from oldhand.sources.documents.media import HTML, TEXT, Media, check_installed, media_of

_HEADERS = ("From", "To", "Cc", "Date")
_DEEPEST = 2
"""A mail in a mail in a mail is not read."""


def read(data: bytes) -> Iterator[Block]:
    """The blocks of a mail with its attachments."""
    return _mail(message_from_bytes(data, _class=EmailMessage, policy=default), 0)


def _mail(mail: EmailMessage, depth: int) -> Iterator[Block]:
    subject = str(mail.get("Subject", "")).strip()
    yield Block(BlockKind.HEADING, subject or "Mail", 1 + depth)
    for name in _HEADERS:
        if mail.get(name):
            yield Block(BlockKind.LINE, f"{name}: {mail.get(name)}")
    body = mail.get_body(("plain", "html"))
    if body is not None:
        kind = HTML if body.get_content_type() == HTML.name else TEXT
        yield from _read(kind, _bytes(body), depth + 1)
    for part in cast("Iterator[MIMEPart]", mail.iter_attachments()):
        yield from _attached(part, depth)


def _attached(part: MIMEPart, depth: int) -> Iterator[Block]:
    name = part.get_filename() or "attachment"
    if part.get_content_type() == "message/rfc822":
        inner = cast("object", part.get_content())
        if depth < _DEEPEST and isinstance(inner, EmailMessage):
            yield from _mail(cast("EmailMessage", inner), depth + 1)
        return
    data = _bytes(part)
    try:
        media = media_of(name, data, part.get_content_type())
        blocks = list(_read(media, data, depth + 2)) if data else []
    except DocumentError as error:
        yield Block(BlockKind.NOTE, f"The attachment {name} was not read: {error}")
        return
    yield Block(BlockKind.HEADING, f"Attachment {name}", 2 + depth)
    yield from blocks


def _read(media: Media, data: bytes, depth: int) -> Iterator[Block]:
    try:
        check_installed(media)
    except MissingExtra as error:
        yield Block(BlockKind.NOTE, f"A part was not read: {error}")
        return
    reader = import_module(f"oldhand.sources.documents.readers.{media.reader}")
    for block in reader.read(data):
        if block.kind is not BlockKind.TITLE:
            yield block._replace(level=block.level + depth if block.level else 0)


def _bytes(part: MIMEPart) -> bytes:
    """What a part holds; text in UTF-8 where its own encoding is known."""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return b""
    try:
        return data.decode(part.get_content_charset() or "utf-8").encode()
    except (LookupError, UnicodeError):
        return data


opened = served(read)
