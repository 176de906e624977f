"""How the search among documents fares: what people said of its answers, and what of that the passages keep."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from oldhand.record.base import Record
from oldhand.record.document import DocumentState


class FeedbackSpan(Record):
    """The answers out of documents of some days.

    >>> span = FeedbackSpan(days=7, answers=40, rated=5, ups=4, moved=2)
    >>> span.feedback_rate, span.positive_ratio, span.impact
    (0.125, 0.8, 0.05)
    """

    days: int | None
    """The latest so many; None for all."""
    answers: int = 0
    """Those for which passages were found, whether or not they answered."""
    rated: int = 0
    ups: int = 0
    moved: int = 0
    """Those that saw a passage which would not have been among the first five without feedback."""

    @property
    def feedback_rate(self) -> float | None:
        """The share of answers that people rated; more than a tenth should be."""
        return self.rated / self.answers if self.answers else None

    @property
    def positive_ratio(self) -> float | None:
        """The share of rated answers that people liked; it should rise."""
        return self.ups / self.rated if self.rated else None

    @property
    def impact(self) -> float | None:
        """The share of answers for which feedback changed the first five passages."""
        return self.moved / self.answers if self.answers else None


class PassageStanding(Record):
    """One passage, with how often it was seen and what people said of that."""

    chunk: str
    document: str
    """The name of its document; empty when it stands in none any longer."""
    place: str
    text: str
    shown: int = 0
    """Answers that saw it."""
    ups: int = 0
    downs: int = 0
    credit: float = 0.0
    """What all votes together say for it, in the units of the rule `kernel`."""
    score: float | None = None
    """Its moving average, from -1 to 1; None without votes."""


class PassageVote(Record):
    """One vote that a passage was credited with."""

    at: datetime
    rater: str
    rating: int
    question: str
    credit: float
    """What this vote says for it."""
    credit_after: float
    score_after: float
    """Its moving average after this vote."""


class OpenQuestion(Record):
    """A question that documents leave open."""

    question: str
    times: int
    last: datetime
    rated_down: bool
    """Whether passages answered it, and people called that wrong; else none did."""


class DocumentStats(Record):
    """How the documents of an assistant fare."""

    spans: tuple[FeedbackSpan, ...]
    scores: dict[str, int]
    """How many passages have a score below -0.3, below 0, below 0.3, and above."""
    rule: str
    """The credit rule in force."""
    safeguard: str
    """What the safeguard has found, in words."""
    switched_off: str | None
    """The credit rule that the safeguard switched off."""
    misleading: tuple[PassageStanding, ...]
    """The passages that votes speak against most."""
    open_questions: tuple[OpenQuestion, ...]
    """What to write next."""


# What an assistant does beside answering.
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
