"""People who are asked: what they know, when, and where they are reached."""

import calendar
import re
from collections.abc import Awaitable, Callable
from datetime import datetime, time
from enum import StrEnum
from typing import Annotated, Protocol, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field

from oldhand.errors import UsageError
from oldhand.record.base import Record, SafeName
from oldhand.record.consultation import Consultation

INBOX = "inbox"
"""The way by which everybody is reached: terminal, program and browser."""
_DAYS = [name.lower() for name in calendar.day_abbr]
_DAY = "|".join(_DAYS)
_SPAN = re.compile(
    rf"({_DAY})(?:-({_DAY}))? ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)", re.IGNORECASE
)


class Presence(StrEnum):
    """Whether somebody is there now, as far as a transport knows."""

    AVAILABLE = "available"
    AWAY = "away"
    OFFLINE = "offline"
    UNKNOWN = "unknown"
    """The transport can't tell, as with an inbox."""


def checked_hours(text: str) -> str:
    """Return working hours that can be read.

    >>> checked_hours("mon-fri 09:00-17:00, sat 10:00-12:00")
    'mon-fri 09:00-17:00, sat 10:00-12:00'
    >>> checked_hours("always")
    Traceback (most recent call last):
    ...
    oldhand.errors.UsageError: 'always' are no working hours: write them as mon-fri 09:00-17:00, sat 10:00-12:00.
    """
    for part in text.split(",") if text else ():
        if not _SPAN.fullmatch(part.strip()):
            raise UsageError(
                f"{part.strip()!r} are no working hours: write them as mon-fri 09:00-17:00, sat 10:00-12:00."
            )
    return text


def checked_zone(name: str) -> str:
    """Return the name of a time zone that is known, such as `Europe/Berlin`."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise UsageError(
            f"There is no time zone {name!r}: write it as Europe/Berlin or UTC."
        ) from error
    return name


class ExpertProfile(Record):
    """One person who may be asked."""

    expert: SafeName
    skills: tuple[str, ...] = ()
    """Words for what they know, such as `invoices`; databases by their names."""
    languages: tuple[str, ...] = ()
    """As in `en` or `de`; any when none is named."""
    hours: Annotated[str, AfterValidator(checked_hours)] = ""
    """When they may be asked, such as `mon-fri 09:00-17:00`; always when empty."""
    time_zone: Annotated[str, AfterValidator(checked_zone)] = "UTC"
    addresses: dict[str, str] = Field(default_factory=dict)
    """Where they are reached by transport, such as `{"xmpp": "bo@example.org"}`, best first; the inbox always."""
    most_open: int = Field(default=5, ge=1)
    """Questions that may wait for them at once."""

    def is_at_work(self, now: datetime) -> bool:
        """Whether it is in their working hours.

        >>> from datetime import UTC
        >>> bo = ExpertProfile(expert="bo", hours="mon-fri 09:00-17:00", time_zone="Europe/Berlin")
        >>> [bo.is_at_work(datetime(2026, 3, day, 15, 30, tzinfo=UTC)) for day in (2, 7)]
        [True, False]
        """
        local = now.astimezone(ZoneInfo(self.time_zone))
        spans = [_SPAN.fullmatch(part.strip()) for part in self.hours.split(",")]
        return not self.hours or any(one is not None and _holds(one, local) for one in spans)


def _holds(span: re.Match[str], local: datetime) -> bool:
    first = _DAYS.index(span[1].lower())
    last = _DAYS.index(span[2].lower()) if span[2] else first
    days = (local.weekday() - first) % 7 <= (last - first) % 7
    begins, ends = time(int(span[3]), int(span[4])), time(int(span[5]), int(span[6]))
    return days and begins <= local.time() < ends


# How questions reach people, and how their replies come back: one protocol for all ways.
#
# A transport delivers and listens; it decides nothing. Who was asked, whether a reply counts, and what is told to whom says
# the desk that it reports to (`Hear`).
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


class ExpertStats(Record):
    """How one expert does."""

    expert: SafeName
    asked: int = 0
    answered: int = 0
    """Also those that came late."""
    late: int = 0
    declined: int = 0
    waiting: int = 0
    median_seconds: float | None = None
    """From the question to the reply."""
    ups: int = 0
    """Later answers that rest on what they replied, and that owners or experts liked."""
    downs: int = 0
    """The same for answers that these disliked."""
