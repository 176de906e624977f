"""An answer that is put right by picking: what was read, what each part could be instead, and the rows before and after."""

from pydantic import Field

from oldhand.record.answer import ReadPart
from oldhand.record.base import Record, Row

READINGS = 0
"""The number that stands for the other readings as a whole where a part is picked."""

Pick = tuple[int, int]
"""The number of a part, and of the choice that takes its place; `READINGS` and the number of another reading."""


class TriedQuery(Record):
    """A query that ran, to see its rows."""

    reading: str
    sql: str
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    truncated: bool = False
    error: str = ""
    """Why there are no rows, when the database did not run it."""


class ExchangeablePart(ReadPart):
    """A part of a query with what can be picked for its place."""

    number: int = Field(ge=1)
    choices: tuple[str, ...] = ()
    """What could stand there instead, numbered from 1."""


class Fixing(Record):
    """How an answer was read, and how it can be put right; the same picks always give the same."""

    episode_id: str
    question: str
    database: str
    picked: tuple[Pick, ...] = ()
    before: TriedQuery
    """The answer as it was given."""
    after: TriedQuery | None = None
    """With all that was picked; None while nothing is."""
    parts: tuple[ExchangeablePart, ...] = ()
    """Of the reading with all that was picked."""
    readings: tuple[TriedQuery, ...] = ()
    """What the question may mean otherwise, with the first rows; numbered from 1."""
    left_out: tuple[str, ...] = ()
    """Words of the question that the reading does without."""

    @property
    def correction(self) -> str | None:
        """The correction that the picks come to, as feedback takes it; None while there is none that runs."""
        if self.after is None or self.after.error:
            return None
        return f"{self.database}: {self.after.sql}"
