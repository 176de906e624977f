"""What comes back from a question."""

from collections.abc import Sequence
from enum import StrEnum
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING

from pydantic import Field

from oldhand.errors import MissingExtra
from oldhand.record.base import Cell, Record, Row
from oldhand.record.consultation import AskedPeople
from oldhand.record.document import Citation
from oldhand.record.usage import Usage
from oldhand.settings.acting import Effort

if TYPE_CHECKING:
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]

_NOTEBOOK_ROWS = 50
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


class Ranking(Record):
    """What the rows of an answer are sorted by, where none of their columns shows it."""

    column: str
    """What it is called."""
    numbers: tuple[Cell, ...]
    """One for each row."""


class QueryStep(Record):
    """One step of the plan: a query on one database, or on the rows of earlier steps."""

    number: int = Field(ge=1)
    """Counted from 1."""
    purpose: str
    """What it is for, in words."""
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
    """The names of the columns of its result."""
    row_count: int = 0
    """Rows of its result."""
    truncated: bool = False
    """True when the row limit cut the result."""
    withheld: tuple[str, ...] = ()
    """The columns of its result of which language models see no cell."""
    seconds: float = 0.0
    """Time that it took, failed attempts included."""


def rows_as_html(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """Rows as a table of HTML."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    cells = ([escape("" if it is None else str(it)) for it in row] for row in rows)
    lines = ("".join(f"<td>{it}</td>" for it in row) for row in cells)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


# How an answer was chosen: who was asked, whose rows agreed, and what decided.
class CandidateAnswer(Record):
    """What one voice makes of the question."""

    voice: str
    """`stages`, `direct`, `plan first`, `by examples`, `analyst`, or `deciding`."""
    sql: str = ""
    """The statement that brought its rows; empty when it has none."""
    row_count: int = 0
    group: int | None = None
    """The number of the group that its rows put it in; None when it has none."""
    says: str = ""
    """Why it has no rows: what it asks back, or what went wrong."""


class CandidateGroup(Record):
    """Candidates with equal rows."""

    number: int = Field(ge=1)
    voices: tuple[str, ...]
    share: float = Field(ge=0, le=1)
    """How much speaks for it, of all that speaks for any."""
    only_here: Row | None = None
    """A row that it has and the likeliest other group has not, or has less often."""
    repeated: bool = False
    """Whether the other group has that row, too."""


class AnswerChoice(Record):
    """How an answer was chosen among candidates."""

    effort: Effort
    candidates: tuple[CandidateAnswer, ...] = ()
    """In the order in which they were asked for."""
    groups: tuple[CandidateGroup, ...] = ()
    """The likeliest first."""
    chosen: str = ""
    """The voice whose answer it is; empty when none was chosen."""
    because: str = ""
    """What decided, in a sentence."""


class Answer(Record):
    """The answer to one question, with all that led to it."""

    episode_id: str
    """Names it for `oldhand why`, `oldhand feedback` and `old.episodes`."""
    question: str
    """As it was asked."""
    outcome: Outcome
    """How it ended; only `answered` is an answer."""
    text: str
    """A sentence or two: the answer, the question back, or why there is none."""
    columns: tuple[str, ...] = ()
    """The names of the columns of `rows`."""
    rows: tuple[Row, ...] = ()
    """All rows; dates, exact decimals and bytes are text."""
    truncated: bool = False
    """True when the row limit cut the rows."""
    ranking: Ranking | None = None
    """What the rows are sorted by, where they don't show it: a further column that is shown, and no part of `rows`."""
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
    """What ran on which database, in order; the last one brought the rows."""
    citations: tuple[Citation, ...] = ()
    """The passages of documents that sentences of `text` rest on, by the number that stands there, such as [1]."""
    choice: AnswerChoice | None = None
    """How it was chosen among candidates; None for a mind that answers alone, such as the built-in one."""
    asked: AskedPeople | None = None
    """Who was asked, where it is no answer. It is not kept: of an older answer, `text` tells it."""
    usage: Usage = Usage()
    """What calls to language models cost; zeros for the built-in mind."""
    model: str
    """The mind that answered: `builtin`, or a model's name."""
    seconds: float
    """Time from question to answer."""
    session_id: str
    """The conversation: what is asked with it again is understood as going on."""

    def __str__(self) -> str:
        return self.text

    @property
    def shown(self) -> tuple[tuple[str, ...], tuple[Row, ...]]:
        """Columns and rows as people see them: with what they are ranked by."""
        if self.ranking is None:
            return self.columns, self.rows
        pairs = zip(self.rows, self.ranking.numbers, strict=True)
        return (*self.columns, self.ranking.column), tuple((*row, number) for row, number in pairs)

    def _repr_html_(self) -> str:
        """The answer in a notebook: what it says, and its first rows."""
        said = f"<p><strong>{escape(self.text)}</strong></p>"
        if not self.rows:
            return said
        columns, rows = self.shown
        left = len(self.rows) - _NOTEBOOK_ROWS
        more = f"<p>… and {left:,} more: <code>to_df()</code> holds all.</p>" if left > 0 else ""
        return f"{said}{rows_as_html(columns, rows[:_NOTEBOOK_ROWS])}{more}"

    def to_df(self) -> "DataFrame":
        """The rows as a table of pandas.

        Raises:
            MissingExtra: pandas is not installed.

        >>> from oldhand.testing.records import example_answer
        >>> example_answer("e-1", "s-1").to_df().shape
        (4, 2)
        """
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise MissingExtra("pandas", "pandas") from error
        return pandas.DataFrame(list(self.rows), columns=list(self.columns))

    @property
    def is_small_talk(self) -> bool:
        """True for what the built-in mind says by itself, as to a thanks: it looked nothing up, so there is nothing to learn from it.

        >>> from oldhand.testing.records import example_answer
        >>> thanked = {"text": "You're welcome.", "steps": (), "query": None, "model": "builtin"}
        >>> example_answer("e-1", "s-1").model_copy(update=thanked).is_small_talk
        True
        """
        looked_up = self.steps or self.citations or self.lessons or self.query
        return self.model == "builtin" and not self.abstained and not looked_up

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
