"""The mind: every place of the analysis where the system thinks, as one small protocol.

There are two: the built-in analyst (rules, offline) and the language-model mind. A mind never runs SQL. What it makes of one
question is a `Thinking` of its own, so that one mind may serve many questions at once.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, Self

from pydantic import Field

from oldhand.models.quoting import cell_text, masked
from oldhand.record.answer import WORKSPACE, Answer, FailedAttempt, Outcome, Proposal, QueryStep
from oldhand.record.base import Record, Row
from oldhand.record.document import Citation, FoundPassage
from oldhand.record.instructions import NO_INSTRUCTIONS, Instructions
from oldhand.record.lesson import Lesson
from oldhand.record.preferring import NO_PREFERENCES, Preferences
from oldhand.record.schema import DatabaseSchema, schema_of
from oldhand.settings import Effort

if TYPE_CHECKING:
    from oldhand.models.ledger import Ledger


MAX_STEPS = 12
"""Steps of the longest plan."""


class EarlierTurn(Record):
    """An earlier question of the same conversation, and what came of it."""

    question: str
    text: str
    """The answer as it was shown; the question back when `outcome` is `clarify`."""
    outcome: Outcome = Outcome.ANSWERED
    options: tuple[str, ...] = ()
    """The readings that were offered when it asked back."""
    steps: tuple[QueryStep, ...] = ()
    standalone: str = ""
    """The question in words that need no conversation, where such are known."""
    citations: tuple[Citation, ...] = ()
    """The passages that the answer rests on."""

    @classmethod
    def of(cls, answer: Answer, *, agreed: bool = False) -> Self:
        """The exchange that `answer` ended; a proposal that was agreed to is an answer."""
        answer = answer.agreed if agreed else answer
        shared = {name: getattr(answer, name) for name in cls.model_fields}
        return cls.model_validate({**shared, "standalone": answer.standalone or ""})


@dataclass(frozen=True)
class Inquiry:
    """One question with all that a mind may know when it starts."""

    question: str
    schemas: tuple[DatabaseSchema, ...]
    """The databases at hand; at least one, names differ."""
    today: date
    """The day on which it is asked, for words such as "last month"."""
    history: tuple[EarlierTurn, ...] = ()
    """Earlier exchanges of the conversation, oldest first."""
    lessons: tuple[Lesson, ...] = ()
    """What was recalled, most useful first."""
    notes: str = ""
    """What evaluators found wrong before, as a prompt shows it."""
    preferences: Preferences = NO_PREFERENCES
    """How who asks wants answers put."""
    instructions: Instructions = NO_INSTRUCTIONS
    """What the chosen versions of prompts add to them."""
    effort: Effort = Effort.STANDARD
    ledger: "Ledger | None" = None
    """Where a language-model mind books its calls."""
    find: Callable[[str], Sequence[FoundPassage]] | None = None
    """The passages of documents that fit a question, of those that who asks may read; blocks. None where there are none."""
    heard: Callable[[str], None] | None = None
    """Hears the answer's text while it is written, each time all of it so far; None when nobody listens."""

    def schema(self, database: str) -> DatabaseSchema | None:
        """The schema of the database of that name, or None."""
        return schema_of(database, self.schemas)


class Answerability(StrEnum):
    """Whether a question can be answered from the databases at hand."""

    ANSWERABLE = "answerable"
    CLARIFY = "clarify"
    """It can be read in several ways: ask back."""
    UNANSWERABLE = "unanswerable"
    DIRECT = "direct"
    """It is a calculation, which needs no database: the text is the answer."""
    PROPOSED = "proposed"
    """It can be read in a way that is not certain enough: the rows are shown after a yes."""


RUNNING = frozenset({Answerability.ANSWERABLE, Answerability.PROPOSED})
"""Verdicts after which databases are asked."""


class Validation(Record):
    """What a mind makes of a question before it plans."""

    verdict: Answerability
    text: str = ""
    """The question to ask back, a direct answer, or why there is none, also for what is only proposed; empty when answerable."""
    options: tuple[str, ...] = ()
    """The readings to choose from when it asks back."""
    databases: tuple[str, ...] = ()
    """Names of the databases that matter; at least one when answerable."""
    notes: tuple[str, ...] = ()
    """How the words were understood."""
    confidence: float = Field(default=1.0, ge=0, le=1)
    standalone: str | None = None
    """The question in words that need no conversation; empty when it leans on one and can't be said otherwise, None
    when the mind can't tell."""
    query: str | None = None
    """What will be asked, as one query over `database.schema.table` names; None when the mind can't tell."""
    lessons: tuple[str, ...] = ()
    """Ids of the lessons that it rests on, as far as the mind can tell."""
    proposal: Proposal | None = None
    """How the question is read when that is only proposed."""


class PlanStep(Record):
    """One query of the plan."""

    number: int = Field(ge=1)
    purpose: str
    database: str
    """Name of the one database it runs on; `workspace` for a query over the rows of earlier steps."""
    depends_on: tuple[int, ...] = ()
    """Numbers of the steps whose rows it needs; all of them smaller than its own."""
    hidden: bool = False
    """True when its rows are wanted by later steps only and are no part of the answer."""


class Plan(Record):
    """The steps that lead to the answer, numbered 1, 2, …; the last one yields the answer's rows."""

    steps: tuple[PlanStep, ...] = Field(min_length=1)
    notes: tuple[str, ...] = ()


def plan_fault(steps: Collection[PlanStep], databases: Collection[str]) -> str | None:
    """The first thing that is wrong with the steps, in a sentence; None when they hold.

    >>> step = PlanStep(number=1, purpose="count", database="shop")
    >>> plan_fault([step], {"shop"})
    >>> plan_fault([step], {"bank"})
    "Step 1 runs on 'shop', which is no database at hand: there are bank and workspace."
    """
    if not steps:
        return "The plan has no steps."
    if len(steps) > MAX_STEPS:
        return f"The plan has {len(steps)} steps; {MAX_STEPS} are the most."
    numbers = [step.number for step in steps]
    if numbers != list(range(1, len(steps) + 1)):
        return f"The steps are numbered {', '.join(map(str, numbers))}, not 1, 2, 3, …"
    for step in steps:
        if fault := _step_fault(step, databases, last=step.number == len(steps)):
            return fault
    return None


def _step_fault(step: PlanStep, databases: Collection[str], *, last: bool) -> str | None:
    if step.database != WORKSPACE and step.database not in databases:
        known = ", ".join(sorted(databases))
        return (
            f"Step {step.number} runs on {step.database!r}, which is no database at hand: "
            f"there are {known} and {WORKSPACE}."
        )
    if late := [number for number in step.depends_on if not 1 <= number < step.number]:
        return f"Step {step.number} depends on step {late[0]}, which does not come before it."
    if step.database == WORKSPACE and not step.depends_on:
        return f"Step {step.number} runs on {WORKSPACE} but depends on no earlier step."
    if last and step.hidden:
        return f"Step {step.number} is the last one: its rows, the answer, can't be hidden."
    return None


class StepResult(Record):
    """What a step brought."""

    step: PlanStep
    sql: str
    columns: tuple[str, ...]
    """Their names in the workspace, where no two are the same."""
    rows: tuple[Row, ...]
    """The first rows; a language model sees still fewer of them."""
    row_count: int
    truncated: bool = False
    """True when a limit cut the result."""
    withheld: tuple[str, ...] = ()
    """The columns of which language models see no cell."""

    @property
    def in_words(self) -> str:
        """A sentence that says what the rows are, and the row itself when there is one.

        >>> step = PlanStep(number=1, purpose="count", database="shop")
        >>> StepResult(step=step, sql="…", columns=("n",), rows=((3,),), row_count=1).in_words
        'n: 3.'
        """
        if not self.rows:
            return "Nothing was found."
        if self.row_count == 1:
            cells = zip(self.columns, self.rows[0], strict=True)
            return ", ".join(f"{name}: {cell_text(cell)}" for name, cell in cells) + "."
        first = "The first " if self.truncated else ""
        return f"{first}{self.row_count:,} rows: {', '.join(self.columns)}."

    @property
    def shown_rows(self) -> Sequence[Row]:
        """The rows as language models may see them."""
        return masked(self.rows, [self.columns.index(name) for name in self.withheld])

    @property
    def table(self) -> str:
        """Its name in the workspace."""
        return f"step_{self.step.number}"


@dataclass(frozen=True)
class Task:
    """One step for which SQL is wanted."""

    step: PlanStep
    schema: DatabaseSchema | None
    """Of the step's database; in the workspace, of the tables `step_1`, …; None when there is no such database."""
    results: tuple[StepResult, ...] = ()
    """Results of the steps it depends on, in order."""


class Draft(Record):
    """A statement that a mind wants to run; it has not been checked yet."""

    sql: str
    """One SELECT in the dialect of the step's database; DuckDB's in the workspace."""
    confidence: float = Field(default=1.0, ge=0, le=1)
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """What the data says against it: told once, then it is run all the same."""
    ranked_by: str = ""
    """What its rows are sorted by is called; empty when the mind can't tell."""


class Failure(Record):
    """A statement that did not run. Only the attempt right before it is kept, never the whole history."""

    sql: str
    error: str
    attempt_number: int = Field(ge=1)
    """1 for the first statement of the step."""
    last_attempt: FailedAttempt | None = None
    by_rule: bool = False
    """Whether a rule says so, of what models may see; what a database says may quote any cell."""


class Summary(Record):
    """The answer in words."""

    text: str
    confidence: float = Field(default=1.0, ge=0, le=1)
    notes: tuple[str, ...] = ()
    withheld: bool = False
    """True when the rows that could be read don't answer the question, and none are shown; the text says why."""


class Thinking(Protocol):
    """A mind at work on one question: it has read it, and goes on from there.

    Each method may raise a `ModelError` or a `PromptError`, and no other error for any question.
    """

    @property
    def validation(self) -> Validation:
        """What the mind makes of the question."""
        ...

    async def plan(self) -> Plan:
        """Cut the way to the answer into steps; called for answerable questions only."""
        ...

    async def write(self, task: Task) -> Draft:
        """Write the statement of one step."""
        ...

    async def repair(self, task: Task, failure: Failure) -> Draft | None:
        """Write another statement after one that failed; None when there is nothing else to try."""
        ...

    async def say(self, results: Sequence[StepResult]) -> Summary:
        """Put the rows into a sentence or two; `results` holds every step, in order."""
        ...


class Mind(Protocol):
    """Whoever understands a question, plans, writes and repairs SQL, and puts the rows into words."""

    @property
    def name(self) -> str:
        """`builtin`, or the name of the language model."""
        ...

    @property
    def foresees(self) -> bool:
        """Whether reading a question costs next to nothing and tells what will be asked.

        Then it may be read once more with other lessons, to see what would have come of it.
        """
        ...

    async def read(self, inquiry: Inquiry) -> Thinking:
        """Can it be answered, and from which databases? What follows is asked of the thinking; errors are as there."""
        ...
