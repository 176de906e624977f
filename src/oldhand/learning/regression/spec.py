"""Behaviour specs: what an answer that went wrong has to look like from now on."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from oldhand.learning.regression.rows import sorts
from oldhand.record.answer import Outcome
from oldhand.record.base import Row, SafeName
from oldhand.record.episode import Message


def _empty_if_null(value: object) -> object:
    """In YAML, a key with nothing behind it means that there is nothing."""
    return () if value is None else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_empty_if_null)]


class SpecPart(BaseModel):
    """A part of a spec: no other keys than these; numbers are as good as text where text is wanted."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)


class Input(SpecPart):
    """What is asked."""

    messages: tuple[Message, ...] = Field(min_length=1)
    """A conversation, oldest message first; the last one is the user's."""

    @model_validator(mode="after")
    def _ends_with_the_user(self) -> Self:
        if self.messages[-1].role != "user":
            raise ValueError("the last message must be the user's")
        return self

    @property
    def question(self) -> str:
        """What is to be answered."""
        return self.messages[-1].content


class Expected(SpecPart):
    """What must hold of the answer; what is None is not looked at."""

    model_used: str | None = None
    cost: float | None = Field(default=None, ge=0)
    """The most that it may cost, in US dollars."""
    tools_used: tuple[str, ...] | None = None
    """Exactly these tools, in any order; empty: none."""
    tools_not_used: Texts = ()
    response_contains: Texts = ()
    """Texts that stand in the answer, letter case aside."""
    response_not_contains: Texts = ()
    """Texts that don't."""
    outcome: Outcome | None = None
    """How the question has to end."""
    database: SafeName | None = None
    """Where `sql` runs; without it, a database that the answer must have asked."""
    sql: str | None = None
    """A query in the dialect of `database`: the answer's rows must equal its rows at the time of the test."""
    rows: tuple[Row, ...] | None = None
    """The rows that the answer must have, in any order unless `ordered`."""
    ordered: bool | None = None
    """Whether the order of rows counts; None: when `sql` sorts."""
    sql_not_contains: Texts = ()
    """Pieces of SQL that must not run again; blanks, letter case of keywords and comments aside."""
    sql_not_equals: Texts = ()
    """Whole statements that must not run again; the same aside. They may be part of a longer one."""

    @model_validator(mode="after")
    def _is_clear(self) -> Self:
        if self.sql is not None and self.rows is not None:
            raise ValueError("give sql or rows, not both")
        if self.sql is not None and self.database is None:
            raise ValueError("sql needs the name of its database: add `database: …`")
        if self == Expected.model_construct():
            raise ValueError("nothing is expected: a test without expectations proves nothing")
        return self

    @property
    def counts_order(self) -> bool:
        """Whether the rows must come in their order."""
        if self.ordered is None:
            return self.sql is not None and sorts(self.sql)
        return self.ordered


class Actual(SpecPart):
    """How it went wrong."""

    model_used: str | None = None
    cost: float | None = None
    tools_used: tuple[str, ...] | None = None
    response: str | None = None
    sql: Texts = ()
    """The statements that ran."""
    failure_reason: str | None = None


class Fix(SpecPart):
    """What was done about it."""

    rule_added: str | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    test_created: str | None = None


class BehaviourSpec(SpecPart):
    """A question that was answered badly once, with what is expected of it."""

    episode_id: str = Field(min_length=1)
    created_at: datetime
    failure_type: str = Field(min_length=1)
    databases: dict[SafeName, str] = Field(default_factory=dict[str, str])
    """Where the databases are that the home need not know, by name; a `${NAME}` is filled from the environment."""
    input: Input
    expected: Expected
    actual: Actual = Actual()
    fix: Fix | None = None
