"""Saved questions: a question with the reading that its answer rests on, asked again on the rows of today."""

import re
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from oldhand.errors import UsageError
from oldhand.record.answer import Outcome
from oldhand.record.base import Record, Row, SafeName
from oldhand.record.document import EVERYONE


class Weekday(StrEnum):
    """A day of the week, in its order."""

    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


_WHEN = re.compile(
    r"(?:daily|weekly on (?P<day>\w+)) at (?P<hour>\d{1,2}):(?P<minute>\d\d)", re.IGNORECASE
)
_HOW = "Say `daily at 08:00` or `weekly on monday at 08:00`."
_DAYS = tuple(Weekday)


def time_zone(name: str) -> ZoneInfo:
    """The time zone of that name.

    Raises:
        UsageError: there is none.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(
            f"There is no time zone {name!r}: such as Europe/Berlin, or UTC."
        ) from error


class Schedule(Record):
    """When a saved question is asked again: at a time of the day, or of one day of the week."""

    at: time
    day: Weekday | None = None
    """None for every day."""
    zone: str = "UTC"
    """Where the time is that of clocks on the wall, such as `Europe/Berlin`."""

    @classmethod
    def of(cls, when: str, zone: str) -> Self:
        """The schedule that is said so.

        Raises:
            UsageError: it is none, or there is no such time zone.

        >>> print(Schedule.of("weekly on Friday at 8:30", "Europe/Berlin"))
        weekly on friday at 08:30 (Europe/Berlin)
        """
        found = _WHEN.fullmatch(" ".join(when.split()))
        if found is None or (found["day"] or Weekday.MONDAY).lower() not in _DAYS:
            raise UsageError(f"{when!r} is no schedule. {_HOW}")
        hour, minute = int(found["hour"]), int(found["minute"])
        if hour > 23 or minute > 59:
            raise UsageError(f"There is no {hour}:{minute:02}. {_HOW}")
        day = Weekday(found["day"].lower()) if found["day"] else None
        return cls(at=time(hour, minute), day=day, zone=time_zone(zone).key)

    def __str__(self) -> str:
        every = f"weekly on {self.day}" if self.day else "daily"
        return f"{every} at {self.at:%H:%M} ({self.zone})"

    def after(self, moment: datetime) -> datetime:
        """The next time after a moment, in UTC.

        Where clocks are put forward over it, it is as much later; where they are put back over it, the first counts.

        >>> daily = Schedule.of("daily at 02:30", "Europe/Berlin")
        >>> for day in (28, 29, 30):  # clocks go forward at 2 on the 29th
        ...     print(daily.after(datetime(2026, 3, day, tzinfo=UTC) - timedelta(hours=1)))
        2026-03-28 01:30:00+00:00
        2026-03-29 01:30:00+00:00
        2026-03-30 00:30:00+00:00
        """
        zone = time_zone(self.zone)
        today = moment.astimezone(zone).date()
        for ahead in range(9):
            day = today + timedelta(days=ahead)
            if self.day is not None and _DAYS[day.weekday()] is not self.day:
                continue
            found = datetime.combine(day, self.at, zone).astimezone(UTC)
            if found > moment:
                return found
        raise AssertionError("every day of the week is among nine")


class KeptStep(Record):
    """SQL as it ran."""

    database: str
    sql: str


class KeptReading(Record):
    """What a question was read as, so that it means the same whenever it is asked again."""

    databases: tuple[str, ...] = ()
    """Those that it asks; without any, it was answered from documents, and is read again each time."""
    query: str | None = None
    """The one query that was asked, over `database.schema.table`; None where only its steps are known."""
    steps: tuple[KeptStep, ...] = ()
    """What ran on which database."""
    asked_on: date
    """What `last month` counted from."""


class SavedAnswer(Record):
    """What a saved question was answered once."""

    id: int = 0
    """The later, the higher."""
    at: datetime
    outcome: Outcome
    """`answered`, or `failed`: then `text` says why."""
    text: str
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    """All rows; none of them in lists."""
    truncated: bool = False
    notes: tuple[str, ...] = ()
    change: str = ""
    """What is otherwise than in the answer before, in words; empty when nothing is."""
    seconds: float = 0.0


class SharedAnswer(Record):
    """What anybody with the link to a saved question sees: its latest answer, and nothing of the databases."""

    name: str
    question: str
    at: datetime
    text: str
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    truncated: bool = False


class DeliveryState(StrEnum):
    """What became of an answer on its way."""

    WAITING = "waiting"
    """It is sent soon, or again."""
    SENT = "sent"
    FAILED = "failed"
    """It was tried often enough."""


class Delivery(Record):
    """An answer on its way to somebody."""

    id: int
    answer_id: int
    target: str
    """An address of the web, or one for e-mail."""
    state: DeliveryState = DeliveryState.WAITING
    tries: int = 0
    error: str = ""
    """What went wrong the last time."""
    due_at: datetime | None = None
    sent_at: datetime | None = None


class SavedQuestion(Record):
    """A question under a name, with its latest answer."""

    id: str
    name: str = Field(min_length=1, max_length=120)
    question: str
    user_id: SafeName
    """Who saved it."""
    episode_id: str
    """The answer that it was saved from."""
    readers: tuple[str, ...] = (EVERYONE,)
    """Who may see it: `everyone` who may ask here, or names of users; experts and the owner see all."""
    pinned: bool = False
    reading: KeptReading
    schedule: Schedule | None = None
    targets: tuple[str, ...] = ()
    """Where answers of the schedule are sent: addresses of the web, and for e-mail."""
    due_at: datetime | None = None
    """When it is asked next."""
    created_at: datetime
    latest: SavedAnswer | None = None
    """Its rows are left out in lists."""


class Board(Record):
    """Several saved questions in an order."""

    name: str = Field(min_length=1, max_length=120)
    user_id: SafeName
    questions: tuple[str, ...] = ()
    """Their ids."""
    created_at: datetime


class SeenBoard(Record):
    """A board with the questions on it that somebody may see, and their latest answers."""

    board: Board
    questions: tuple[SavedQuestion, ...] = ()
