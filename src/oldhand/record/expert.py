"""People who are asked: what they know, when, and where they are reached."""

import calendar
import re
from datetime import datetime, time
from enum import StrEnum
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field

from oldhand.errors import UsageError
from oldhand.record.base import Record, SafeName

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
