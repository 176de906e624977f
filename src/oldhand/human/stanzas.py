"""Messages as XMPP writes them: the real thread, SPADE's metadata, receipts and markers."""

import re
from dataclasses import dataclass
from enum import StrEnum
from xml.etree import ElementTree as ET

from slixmpp import Message

from oldhand.human.message import AgentMessage

SPADE_METADATA = "spade:x:metadata"
"""Title of the data form in which SPADE keeps metadata."""
SPADE_THREAD = "_thread_node"
"""The field of that form in which SPADE keeps the thread."""
MOST_BYTES = 200_000
"""Of one message; servers close a connection at 256 KiB."""

_FORM = "{jabber:x:data}"
_RECEIPTS = "{urn:xmpp:receipts}"
_MARKERS = "{urn:xmpp:chat-markers:0}"
_IDS = "{urn:xmpp:sid:0}"
_ARCHIVED = "{urn:xmpp:mam:2}result"
_CLIENT = "{jabber:client}"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class StanzaKind(StrEnum):
    """What a stanza is about."""

    SAID = "said"
    RECEIVED = "received"
    """A device has one of our messages."""
    DISPLAYED = "displayed"
    """Somebody has seen one of our messages."""
    BOUNCED = "bounced"
    """One of our messages can't be delivered."""


@dataclass(frozen=True)
class Incoming:
    """Something that came in."""

    kind: StanzaKind
    message: AgentMessage
    about: str = ""
    """The id of our message that it is about; empty of what was said."""
    why: str = ""
    """Why it bounced."""
    archive_id: str = ""
    """Its place in our archive on the server; empty when it is not archived."""
    wants_receipt: bool = False


def write_message(message: AgentMessage, stanza: Message) -> Message:
    """Fill a stanza; what XML can't hold is replaced."""
    stanza["to"], stanza["id"], stanza["type"] = message.to, message.id, "chat"
    stanza["body"] = _NOT_XML.sub("\ufffd", message.body)
    if message.thread:
        stanza["thread"] = message.thread
    if message.metadata:
        stanza.xml.append(_form(message))
    ET.SubElement(stanza.xml, f"{_RECEIPTS}request")
    ET.SubElement(stanza.xml, f"{_MARKERS}markable")
    return stanza


def write_receipt(incoming: Incoming, stanza: Message) -> Message:
    """Tell the sender that a message has arrived."""
    stanza["to"], stanza["type"] = incoming.message.sender, "chat"
    ET.SubElement(stanza.xml, f"{_RECEIPTS}received", {"id": incoming.message.id})
    return stanza


def _form(message: AgentMessage) -> ET.Element:
    form = ET.Element(f"{_FORM}x", {"type": "form"})
    ET.SubElement(form, f"{_FORM}title").text = SPADE_METADATA
    fields = dict(message.metadata)
    if message.thread:
        fields[SPADE_THREAD] = message.thread
    for name, value in fields.items():
        field = ET.SubElement(form, f"{_FORM}field", {"var": name, "type": "text-single"})
        ET.SubElement(field, f"{_FORM}value").text = _NOT_XML.sub("\ufffd", value)
    return form


def read_stanza(stanza: Message, archive_id: str = "") -> Incoming | None:
    """What a stanza says; None when it says nothing to us, such as that somebody is typing.

    Args:
        stanza: as the server sent it.
        archive_id: of one out of the archive: its place there.
    """
    xml: ET.Element = stanza.xml
    if xml.find(_ARCHIVED) is not None or stanza["type"] == "groupchat":
        return None
    message = _message(stanza, xml)
    owner = stanza["to"].bare
    found = [one.get("id", "") for one in xml.findall(f"{_IDS}stanza-id") if one.get("by") == owner]
    archive_id = archive_id or (found[0] if found else "")
    if stanza["type"] == "error":
        error = stanza["error"]
        why = error["text"] or error["condition"].replace("-", " ")
        return Incoming(StanzaKind.BOUNCED, message, message.id, why, archive_id)
    if message.body:
        wants = xml.find(f"{_RECEIPTS}request") is not None
        return Incoming(
            StanzaKind.SAID,
            message,
            archive_id=archive_id,
            wants_receipt=bool(wants and message.id),
        )
    for tag, kind in (
        (f"{_RECEIPTS}received", StanzaKind.RECEIVED),
        (f"{_MARKERS}received", StanzaKind.RECEIVED),
        (f"{_MARKERS}displayed", StanzaKind.DISPLAYED),
    ):
        if (mark := xml.find(tag)) is not None:
            return Incoming(kind, message, mark.get("id", ""), archive_id=archive_id)
    return None


def _message(stanza: Message, xml: ET.Element) -> AgentMessage:
    metadata = _metadata(xml)
    in_form = metadata.pop(SPADE_THREAD, None)
    thread = xml.findtext(f"{_CLIENT}thread") or in_form
    return AgentMessage(
        to=str(stanza["to"]),
        sender=str(stanza["from"]),
        body=stanza["body"],
        thread=thread,
        metadata=metadata,
        id=stanza["id"],
    )


def _metadata(xml: ET.Element) -> dict[str, str]:
    """The fields of SPADE's form; other forms are not for us."""
    for form in xml.findall(f"{_FORM}x"):
        if form.findtext(f"{_FORM}title") == SPADE_METADATA:
            return {
                field.get("var", ""): value
                for field in form.findall(f"{_FORM}field")
                if (value := field.findtext(f"{_FORM}value")) is not None
            }
    return {}
