"""What a language model fills in: one form for each question we put to it.

The descriptions of the fields are part of the prompt. Forms are lenient: what small models forget has a default, and what a
later check can say better is left to it.
"""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, Field, model_validator
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.models.structured import TextForm, fenced_blocks

UNSAID = 0.5
"""The confidence of a model that does not say how sure it is."""

Assumptions = Annotated[
    list[str], Field(description="Assumptions that the reader of the answer should know.")
]
Sureness = Annotated[
    float, Field(ge=0, le=1, description="How sure you are that it is right, 0 to 1.")
]
Reasoning = Annotated[
    str,
    Field(
        description="First think: which tables, how they join, which conditions, which columns are asked for. A few sentences."
    ),
]
MissingParts = Annotated[
    list[str],
    Field(
        description="Only where the schemas say that something is left out: names of tables, columns or databases that you need "
        "to see. Else empty."
    ),
]


def _on_lines(sql: str) -> str:
    """The statement with line ends where a model wrote their escapes, those in quotes aside, and without its semicolon."""
    return _ESCAPED.sub(lambda found: found[1] or "\n", sql).strip().rstrip("; \n")


_ESCAPED = re.compile(r"('(?:[^']|'')*'|\"[^\"]*\")|\\[nrt]")
Statement = Annotated[str, AfterValidator(_on_lines)]
DatabaseName = Annotated[
    str, AfterValidator(lambda name: re.sub(r"\s*\(\w+\)$", "", name).strip("`'\" "))
]
"""Also in quotes, or with its dialect behind it."""


class ValidationForm(BaseModel):
    """Can the question be answered from the databases?"""

    reasoning: Reasoning = ""
    verdict: Literal["answerable", "clarify", "unanswerable"] = Field(
        description="answerable: the tables hold what is asked. clarify: there are at least two "
        "readings with different answers. unanswerable: the databases do not hold it."
    )
    text: str = Field(
        default="",
        description="For clarify: the question to ask back. For unanswerable: the reason. Else empty.",
    )
    options: list[str] = Field(
        default=[], description="For clarify: the readings to choose from. Else empty."
    )
    databases: list[DatabaseName] = Field(
        default=[], description="Names of the databases that are needed."
    )
    standalone: str = Field(
        default="",
        description="The question, worded so that it is understood without the conversation. "
        "Empty when there was no conversation.",
    )
    notes: list[str] = Field(
        default=[], description="How ambiguous words of the question were understood."
    )
    confidence: float = Field(
        default=UNSAID, ge=0, le=1, description="How sure you are of this, from 0 to 1."
    )
    missing: MissingParts = Field(default=[])


class StatementForm(TextForm):
    """A form that a statement fills, alone or in a fence."""

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """The form around the statement; who writes one takes the question for answerable."""
        sql = _statement(text)
        filled = {"sql": sql, "corrected_sql": sql, "verdict": "answerable"}
        return cls.model_validate(filled) if sql else None


class DirectForm(ValidationForm, StatementForm):
    """Can it be answered, and by which statement, where one database is enough?"""

    sql: Statement = Field(
        default="",
        description="When one database answers: one SELECT statement, without a semicolon and without comments. Else empty.",
    )


class PlanStepForm(BaseModel):
    """One query of the plan."""

    number: int = Field(description="1 for the first step, then 2, 3, …")
    purpose: str = Field(description="What this query finds, in one sentence.")
    database: DatabaseName = Field(description="The one database it runs on, or `workspace`.")
    depends_on: list[int] = Field(
        default=[], description="Numbers of earlier steps whose rows it needs."
    )
    hidden: bool = Field(
        default=False, description="True when its rows are needed by later steps only."
    )


class PlanForm(BaseModel):
    """The steps that lead to the answer."""

    reasoning: Reasoning = ""
    steps: list[PlanStepForm] = Field(description="In order; the last one yields the answer.")
    notes: Assumptions = []
    missing: MissingParts = Field(default=[])

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        """Numbered 1, 2, …, whatever the first number was; the last step is the answer, so it isn't hidden."""
        numbers = {step.number: place for place, step in enumerate(self.steps, 1)}
        if len(numbers) == len(self.steps):
            for step in self.steps:
                step.depends_on = [numbers.get(number, number) for number in step.depends_on]
                step.number = numbers[step.number]
        if self.steps:
            self.steps[-1].hidden = False
        return self


class SQLForm(StatementForm):
    """One statement."""

    reasoning: Reasoning = ""
    sql: Statement = Field(
        description="One SELECT statement, without a semicolon and without comments."
    )
    notes: Assumptions = Field(default=[])
    confidence: Sureness = UNSAID
    missing: MissingParts = Field(default=[])


class RepairForm(StatementForm):
    """Why a statement failed, and a better one."""

    cause: str = Field(default="", description="Why the statement failed, in one sentence.")
    corrected_sql: Statement = Field(description="One SELECT statement that avoids the error.")
    confidence: Sureness = UNSAID
    missing: MissingParts = Field(default=[])


class DecisionForm(BaseModel):
    """Which of two answers is right."""

    reasoning: str = Field(
        default="", description="First think: what differs, and what of it the question asks for."
    )
    choice: Literal["first", "second", "open"] = Field(
        description="first or second: only that one answers the question. open: it can be meant either way."
    )
    question: str = Field(
        default="", description="For open: the question to ask the person. Else empty."
    )
    missing: MissingParts = Field(default=[])


class SummaryForm(TextForm):
    """The answer in words."""

    text: str = Field(description="The answer in one or two sentences, with its numbers.")
    notes: list[str] = Field(
        default=[], description="Doubts that the reader should know; may be empty."
    )
    confidence: float = Field(
        default=UNSAID, ge=0, le=1, description="How well the rows answer the question."
    )

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """Whole sentences alone."""
        return cls(text=text.strip()) if "{" not in text and _SENTENCE.search(text) else None


_SENTENCE = re.compile(r"\w[.!?\u3002][\s\"')*]*\Z")
_STATEMENT = re.compile(
    r"^[^\S\n]*(?:sql(?:query)?:?\s+)?((?:SELECT|WITH)\b)", re.IGNORECASE | re.MULTILINE
)
_SOURCE = re.compile(r"\bFROM\b", re.IGNORECASE)
_LONGEST = 10_000
"""Characters of a text without a fence in which a statement is looked for."""


def _statement(text: str) -> str | None:
    """The last statement between fences; without any, the one that a text holds, words before and behind it aside."""
    begun = [(part, _STATEMENT.match(part)) for part in fenced_blocks(text)]
    if stated := [part[found.start(1) :] for part, found in begun if found]:
        return stated[-1]
    for found in _STATEMENT.finditer(text[:_LONGEST]):
        whole = text[found.start(1) :].strip()
        for end in (r"\Z", r";\s*(?:\n|\Z)", r"\n\s*\n", r"\n"):
            part = re.split(end, whole, maxsplit=1)[0]
            if _is_statement(part):
                return part
    alone = _STATEMENT.match(text.strip())  # perhaps in a dialect of its own
    return text.strip()[alone.start(1) :] if alone and _SOURCE.search(text) else None


def _is_statement(text: str) -> bool:
    try:
        tree = parse_one(text)
    except (SqlglotError, RecursionError):
        return False
    return isinstance(tree, exp.Query) and not (tree.find(exp.Column) and not tree.find(exp.From))
