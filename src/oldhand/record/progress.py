"""What happens during a turn, for whoever watches."""

from oldhand.record.answer import QueryStep
from oldhand.record.base import Record, Row
from oldhand.record.usage import Usage


class Begun(Record):
    """A question is being answered; whatever comes of it is kept under this id."""

    episode_id: str
    session_id: str


class Understood(Record):
    """The question was read: these databases matter."""

    databases: tuple[str, ...]
    notes: tuple[str, ...] = ()


class PlannedStep(Record):
    """One step of the plan before it runs."""

    number: int
    purpose: str
    database: str


class Planned(Record):
    """The plan stands."""

    steps: tuple[PlannedStep, ...]


class Attempted(Record):
    """A statement is about to run."""

    number: int
    attempt: int
    database: str
    sql: str


class AttemptFailed(Record):
    """A statement did not run."""

    number: int
    attempt: int
    error: str


class StepDone(Record):
    """A step ended, with the first rows of its result."""

    step: QueryStep
    rows: tuple[Row, ...]


class Spent(Record):
    """A call to a language model ended."""

    stage: str
    usage: Usage
    total: Usage


class TextDelta(Record):
    """A piece of the answer's text, as it is written."""

    text: str


class TextDraft(Record):
    """The answer's text as far as a language model has written it and the rows bear it out; the `TextDelta` after it takes its place."""

    text: str


Progress = (
    Begun
    | Understood
    | Planned
    | Attempted
    | AttemptFailed
    | StepDone
    | Spent
    | TextDraft
    | TextDelta
)
"""Everything an observer may see, in the order of a turn."""
