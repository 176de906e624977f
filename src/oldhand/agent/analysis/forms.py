"""What a language model fills in: one form for each question we put to it.

The descriptions of the fields are part of the prompt. Forms are lenient: what small models forget has a default, and what a
later check can say better is left to it.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

UNSAID = 0.5
"""The confidence of a model that does not say how sure it is."""

Assumptions = Annotated[
    list[str], Field(description="Assumptions that the reader of the answer should know.")
]
Sureness = Annotated[
    float, Field(ge=0, le=1, description="How sure you are that it is right, 0 to 1.")
]


class ValidationForm(BaseModel):
    """Can the question be answered from the databases?"""

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
    databases: list[str] = Field(default=[], description="Names of the databases that are needed.")
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


class PlanStepForm(BaseModel):
    """One query of the plan."""

    number: int = Field(description="1 for the first step, then 2, 3, …")
    purpose: str = Field(description="What this query finds, in one sentence.")
    database: str = Field(description="The one database it runs on, or `workspace`.")
    depends_on: list[int] = Field(
        default=[], description="Numbers of earlier steps whose rows it needs."
    )
    hidden: bool = Field(
        default=False, description="True when its rows are needed by later steps only."
    )


class PlanForm(BaseModel):
    """The steps that lead to the answer."""

    steps: list[PlanStepForm] = Field(description="In order; the last one yields the answer.")
    notes: Assumptions = []


class SQLForm(BaseModel):
    """One statement."""

    sql: str = Field(description="One SELECT statement, without a semicolon and without comments.")
    notes: Assumptions = []
    confidence: Sureness = UNSAID


class RepairForm(BaseModel):
    """Why a statement failed, and a better one."""

    cause: str = Field(description="Why the statement failed, in one sentence.")
    corrected_sql: str = Field(description="One SELECT statement that avoids the error.")
    confidence: Sureness = UNSAID


class SummaryForm(BaseModel):
    """The answer in words."""

    text: str = Field(description="The answer in one or two sentences, with its numbers.")
    notes: list[str] = Field(
        default=[], description="Doubts that the reader should know; may be empty."
    )
    confidence: float = Field(
        default=UNSAID, ge=0, le=1, description="How well the rows answer the question."
    )
