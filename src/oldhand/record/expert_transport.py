"""How questions reach people, and how their replies come back: one protocol for all ways.

A transport delivers and listens; it decides nothing. Who was asked, whether a reply counts, and what is told to whom says
the desk that it reports to (`Hear`).
"""

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Protocol, TypeAlias

from oldhand.record.base import Record, SafeName
from oldhand.record.consultation import Consultation
from oldhand.record.expert import Presence


class MessagePurpose(StrEnum):
    """Why something is sent to an expert."""

    QUESTION = "question"
    REMINDER = "reminder"
    EXPLANATION = "explanation"
    """Whoever asked says more, mostly because the expert has asked back."""
    CLOSED = "closed"
    """It is settled: no answer is needed any more."""


class ExpertMessage(Record):
    """Something that is sent to an expert."""

    consultation: Consultation
    expert: SafeName
    address: str
    """Where to: the one of the expert on this transport."""
    purpose: MessagePurpose
    text: str
    """What a person reads, with the visible id; a transport that shows more has the consultation."""


class SignalKind(StrEnum):
    """What came from an expert, or about a message to them."""

    REPLY = "reply"
    DECLINE = "decline"
    ASK_BACK = "ask_back"
    DELIVERED = "delivered"
    """Their device, or their server, has it."""
    SEEN = "seen"
    BOUNCED = "bounced"
    """It can't be delivered; `ExpertSignal.text` says why."""


class ExpertSignal(Record):
    """What a transport has heard."""

    transport: str
    address: str
    """Who it is from, as the transport has verified; of XMPP the bare JID."""
    kind: SignalKind
    consultation_id: str | None = None
    """The thread that it came in, or the visible id that stood in it; None without one: then it is for the only
    question that waits for this person."""
    text: str = ""
    message_id: str = ""
    """The sender's own id: the same one again changes nothing. Empty when there is none."""


class ReceptionKind(StrEnum):
    """What became of something that was heard."""

    TAKEN = "taken"
    LATE = "late"
    """It came after the end: it is kept and learned from."""
    REPEATED = "repeated"
    """It was heard before."""
    INVALID = "invalid"
    """It has not the form that was asked for: the question goes on waiting."""
    NOT_YOURS = "not_yours"
    """Another person was asked, or nobody."""
    UNCLEAR = "unclear"
    """Several questions wait, and it does not say for which it is."""


class Reception(Record):
    """What became of something that was heard."""

    kind: ReceptionKind
    says: str = ""
    """What the person is told; empty when there is nothing to say."""
    consultation_id: str | None = None
    """Which it was; None when it was for none of theirs."""


Hear: TypeAlias = Callable[[ExpertSignal], Awaitable[Reception]]
"""Takes what a transport has heard. Once it returns, it is in the store; until then the transport keeps it."""


class ExpertTransport(Protocol):
    """One way to reach people.

    What `deliver` is given may come again after a crash: it is sent with the same id (`purpose` and consultation), so that
    receivers can tell. All of it runs on one event loop.
    """

    @property
    def name(self) -> str:
        """As in `ExpertProfile.addresses`, such as `xmpp`."""
        ...

    async def start(self, hear: Hear) -> None:
        """Begin to listen, and give what came while nobody did."""
        ...

    async def deliver(self, message: ExpertMessage) -> bool:
        """Send something; True when it is known to have arrived, False when a receipt will tell.

        Raises:
            DeliveryFailed: it can't be delivered there: another way, or another person, is tried.
        """
        ...

    async def presence(self, address: str) -> Presence:
        """Whether somebody is there now; never waits for the network."""
        ...

    async def close(self) -> None:
        """Listen no more; safe to call twice."""
        ...
