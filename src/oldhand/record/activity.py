"""What an assistant does beside answering."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from oldhand.record.base import Record
from oldhand.record.document import DocumentState


class Activity(Record):
    """How far the work is that nobody waits for."""

    is_under_way: bool
    """Whether this process works on some of it just now."""
    reflections_waiting: int = Field(ge=0)
    """Answers that were not looked back on yet."""
    documents: Mapping[DocumentState, int]
    """Documents by what has become of them; those that wait are read next."""
    last_night: datetime | None
    """When lessons were last made of what was found."""
    is_night_due: bool
    failures: Mapping[str, int]
    """How often each kind of work has failed in this process; the log says why."""
