"""What comes back from a question."""

from enum import StrEnum

from pydantic import Field

from oldhand.record.base import Record, Row
from oldhand.record.usage import Usage

WORKSPACE = "workspace"
"""The name of the database in which the rows of earlier steps are the tables `step_1`, `step_2`, …"""


class Outcome(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    CLARIFY = "clarify"
    """It asked back: `Answer.text` is the question, `Answer.options` the readings."""
    PROPOSED = "proposed"
    """It asks whether it has read the question rightly: `Answer.proposal` is the reading, and the rows are those of it."""
    ABSTAINED = "abstained"
    """It cannot be answered from the databases at hand."""
    FAILED = "failed"
    """Every attempt at the SQL failed; the steps say why."""


ASKING_BACK = frozenset({Outcome.CLARIFY, Outcome.PROPOSED})
"""Outcomes that want a word of the user before there is an answer."""


class ReadPart(Record):
    """One part of what a question was read as."""

    kind: str
    """As in `oldhand.query.parts.Part`: `select`, `where`, `group`, …"""
    says: str
    """The part in words."""
    words: str = ""
    """The words of the question that it comes from; empty for what follows from other parts."""


class Proposal(Record):
    """What a question was read as, with too little certainty to answer: a yes makes it the answer."""

    reading: str
    parts: tuple[ReadPart, ...] = ()
    left_out: tuple[str, ...] = ()
    """Words of the question that the reading does without."""
    answer: str = ""
    """What is said after a yes."""

    @property
    def asks(self) -> str:
        """The question back.

        >>> print(Proposal(reading="number of customers", left_out=("gold",)).asks)
        I would read it so: number of customers. I left out 'gold'. Is that right?
        """
        words = " and ".join(f"'{word}'" for word in self.left_out)
        said = f" I left out {words}." if words else ""
        return f"I would read it so: {self.reading}.{said} Is that right?"


class FailedAttempt(Record):
    """SQL that did not run, and why."""

    sql: str
    error: str


class QueryStep(Record):
    """One step of the plan: a query on one database, or on the rows of earlier steps."""

    number: int = Field(ge=1)
    purpose: str
    database: str
    """Name of the database; `WORKSPACE` for a step over the results of earlier ones."""
    sql: str
    """The SQL that ran, or the last one tried."""
    attempts: int = Field(default=1, ge=0)
    """How many statements were tried, the last one included; at most 5."""
    failures: tuple[FailedAttempt, ...] = ()
    """The attempts before `sql`, oldest first; when the step failed, `sql` is the last of them."""
    refused: int = Field(default=0, ge=0)
    """How many of the attempts the guard refused because they do more than read."""
    succeeded: bool = True
    columns: tuple[str, ...] = ()
    row_count: int = 0
    truncated: bool = False
    """True when the row limit cut the result."""
    seconds: float = 0.0


class Answer(Record):
    """The answer to one question, with all that led to it."""

    episode_id: str
    question: str
    outcome: Outcome
    text: str
    """A sentence or two: the answer, the question back, or why there is none."""
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    truncated: bool = False
    confidence: float | None = Field(ge=0, le=1)
    """How likely it is to be right, as the mind sees it; None when nobody has said, as with a model that calls tools."""
    options: tuple[str, ...] = ()
    """The readings to choose from when `outcome` is `clarify`, or `proposed`: then the first is the one that is proposed."""
    proposal: Proposal | None = None
    """What is proposed when `outcome` is `proposed`; `rows` are those of it."""
    notes: tuple[str, ...] = ()
    """How the words were understood, and warnings."""
    standalone: str | None = Field(default_factory=lambda known: known["question"])
    """The question in words that need no conversation; None when it leans on one and nobody said it otherwise."""
    query: str | None = None
    """What was asked of the databases as one query, over `database.schema.table` names in sqlglot's own dialect;
    None when the mind does not think in one query."""
    lessons: tuple[str, ...] = ()
    """Ids of the memories that the answer rests on, as far as the mind can tell."""
    steps: tuple[QueryStep, ...] = ()
    usage: Usage = Usage()
    model: str
    seconds: float
    session_id: str

    def __str__(self) -> str:
        return self.text

    @property
    def abstained(self) -> bool:
        """True when there is no answer: it asked back, proposed one, abstained, or failed."""
        return self.outcome is not Outcome.ANSWERED

    @property
    def agreed(self) -> "Answer":
        """The answer that a yes makes of a proposal; the same where nothing is proposed.

        >>> from oldhand.testing.records import example_answer
        >>> proposal = Proposal(reading="number of shops", answer="There are 3 shops.")
        >>> proposed = {"outcome": Outcome.PROPOSED, "proposal": proposal, "text": proposal.asks}
        >>> example_answer("e-1", "s-1").model_copy(update=proposed).agreed.text
        'There are 3 shops.'
        """
        if self.proposal is None or self.outcome is not Outcome.PROPOSED:
            return self
        said = {"outcome": Outcome.ANSWERED, "text": self.proposal.answer, "options": ()}
        return self.model_copy(update=said)
