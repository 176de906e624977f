"""A message between people and agents, as behaviours see it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self
from xml.etree import ElementTree as ET

from slixmpp import Message

MESSAGE_TYPE = "message_type"
"""The metadata that says for whom a message is."""
LLM = "llm"
"""`message_type` of what is said to an agent that thinks; a person's answer has none."""

NOTICE = "notice"
"""`message_type` of what is said about messages; nobody answers it."""
QUERY_TYPE = "human_query"
"""`type` of a question to a person."""
PERFORMATIVE = "performative"
"""The metadata that says what a message is to bring about, in the words of FIPA."""
REQUEST = "request"
INFORM = "inform"
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


@dataclass
class AgentMessage:
    """What one agent or person says to another; `oldhand.human.Message` is the same.

    >>> asked = AgentMessage(to="shop@example.org", sender="bo@example.org/phone", body="How many?", thread="t1")
    >>> asked.set_metadata("message_type", "llm")
    >>> reply = asked.make_reply("Three.")
    >>> reply.to, reply.thread, reply.body, reply.get_metadata("message_type")
    ('bo@example.org/phone', 't1', 'Three.', 'llm')
    """

    to: str = ""
    sender: str = ""
    """With the device, such as `bo@example.org/phone`, as the server vouches for it."""
    body: str = ""
    thread: str | None = None
    """The conversation that it belongs to."""
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    id: str = ""
    """The sender's own; empty until it is sent."""

    @property
    def sender_address(self) -> str:
        """The sender without the device."""
        return self.sender.partition("/")[0]

    def set_metadata(self, key: str, value: str) -> None:
        """Say more about the message, for templates to look at."""
        self.metadata[key] = value

    def get_metadata(self, key: str) -> str | None:
        """What the message says about itself; None when it says nothing of that."""
        return self.metadata.get(key)

    def make_reply(self, body: str = "") -> Self:
        """A message back to the sender, in the same thread and with the same metadata."""
        return type(self)(
            to=self.sender,
            sender=self.to,
            body=body,
            thread=self.thread,
            metadata=dict(self.metadata),
        )


# Which messages a behaviour takes.
class MessageFilter:
    """A condition on messages; `&`, `|`, `^` and `~` make new ones of it."""

    def __init__(self, match: Callable[[AgentMessage], bool]) -> None:
        self._match = match

    def match(self, message: AgentMessage) -> bool:
        """Whether it takes the message."""
        return self._match(message)

    def __and__(self, other: "MessageFilter") -> "MessageFilter":
        return MessageFilter(lambda message: self.match(message) and other.match(message))

    def __or__(self, other: "MessageFilter") -> "MessageFilter":
        return MessageFilter(lambda message: self.match(message) or other.match(message))

    def __xor__(self, other: "MessageFilter") -> "MessageFilter":
        return MessageFilter(lambda message: self.match(message) != other.match(message))

    def __invert__(self) -> "MessageFilter":
        return MessageFilter(lambda message: not self.match(message))


class Template(MessageFilter):
    """Takes messages that are as it says; what it leaves open may be anything.

    >>> llm = Template(metadata={"message_type": "llm"})
    >>> of_bo = Template(sender="bo@example.org")
    >>> said = AgentMessage(sender="bo@example.org/phone", body="42")
    >>> llm.match(said), of_bo.match(said), (of_bo & ~llm).match(said)
    (False, True, True)
    """

    def __init__(
        self,
        to: str | None = None,
        sender: str | None = None,
        body: str | None = None,
        thread: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(self._fits)
        self.to, self.sender, self.body, self.thread = to, sender, body, thread
        self.metadata = dict(metadata or {})

    def set_metadata(self, key: str, value: str) -> None:
        """Take only messages that say this about themselves."""
        self.metadata[key] = value

    def _fits(self, message: AgentMessage) -> bool:
        return (
            _is_same_person(self.to, message.to)
            and _is_same_person(self.sender, message.sender)
            and (not self.body or message.body == self.body)
            and (not self.thread or message.thread == self.thread)
            and all(message.metadata.get(key) == value for key, value in self.metadata.items())
        )


def _is_same_person(wanted: str | None, found: str) -> bool:
    """An address without a device stands for all of them."""
    if not wanted:
        return True
    return found == wanted if "/" in wanted else found.partition("/")[0] == wanted


# Messages as XMPP writes them: the real thread, SPADE's metadata, receipts and markers.
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
