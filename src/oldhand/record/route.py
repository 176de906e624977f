"""Routing as callers see it: messages and a context in, an answer and what it took out."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, Self, TypeAlias

from pydantic import Field, ValidationError

from oldhand.errors import InvalidQuestion
from oldhand.record.answer import Answer, Outcome, QueryStep
from oldhand.record.base import Record, Row
from oldhand.record.episode import Message

Context: TypeAlias = Mapping[str, str | float | bool | Sequence[str] | None]
"""What a caller knows of a question: `intent`, `complexity` from 0 to 1, `databases`, `user`; all of it optional."""


class RouteResponse(Record):
    """The answer to a conversation, and what it took.

    >>> RouteResponse(text="4", model_used="granite-local").cost
    0.0
    """

    text: str
    """The answer, the question back, or why there is none."""
    model_used: str
    """The model that answered; `builtin` without any."""
    cost: float = Field(default=0.0, ge=0)
    """US dollars."""
    tools_used: tuple[str, ...] = ()
    """Each once, in the order of their first use."""
    outcome: Outcome = Outcome.ANSWERED
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    truncated: bool = False
    """True when a limit cut the rows."""
    steps: tuple[QueryStep, ...] = ()
    """The queries behind it."""
    latency_ms: int = Field(default=0, ge=0)

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """The response that `answer` is."""
        return cls(
            text=answer.text,
            model_used=answer.model,
            cost=answer.usage.cost,
            tools_used=tools_of(answer.steps),
            outcome=answer.outcome,
            columns=answer.columns,
            rows=answer.rows,
            truncated=answer.truncated,
            steps=answer.steps,
            latency_ms=round(answer.seconds * 1000),
        )


class Router(Protocol):
    """Whatever answers a conversation with the model that fits it."""

    def route(
        self, messages: Sequence[Mapping[str, str]], context: Context | None = None
    ) -> RouteResponse:
        """Answer the last message; blocks.

        Args:
            messages: of a conversation, oldest first, each with `role` and `content`; the last one is the user's.
            context: what is known of the question.
        """
        ...


def conversation(messages: Sequence[Mapping[str, str]]) -> tuple[Message, ...]:
    """Messages as callers write them, checked.

    Raises:
        InvalidQuestion: there is none, one has no `role` and `content`, or the last one is not the user's.

    >>> conversation([{"role": "user", "content": "What's 2 + 2?"}])[0].content
    "What's 2 + 2?"
    """
    try:
        found = tuple(Message.model_validate(dict(message)) for message in messages)
    except (ValidationError, TypeError, ValueError) as error:
        raise InvalidQuestion(
            'A message is written {"role": "user", "content": "…"}; roles are user, assistant, system and tool.'
        ) from error
    if not found or found[-1].role != "user":
        raise InvalidQuestion("A conversation to be answered ends with a message of the user.")
    return found


def tools_of(steps: Iterable[QueryStep]) -> tuple[str, ...]:
    """Names of what was consulted, each once: `sql:NAME` for a database."""
    return tuple(dict.fromkeys(f"sql:{step.database}" for step in steps))
