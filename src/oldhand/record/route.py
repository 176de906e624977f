"""Routing as callers see it: messages and a context in, an answer and what it took out."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, Self, TypeAlias, TypeGuard

from pydantic import Field, ValidationError

from oldhand.errors import InvalidQuestion, UsageError
from oldhand.record.answer import Answer, Outcome, QueryStep
from oldhand.record.base import Record, Row
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.episode import Message
from oldhand.record.usage import Usage

Context: TypeAlias = Mapping[str, str | float | bool | Sequence[str] | None]
"""What a caller knows of a question: `intent`, `complexity` from 0 to 1, `databases`, `user`, `session_id`; all optional."""

Metadata: TypeAlias = Mapping[str, object]
"""What comes with a question: `feedback` (`positive` or `negative`) and `feedback_detail` are about the answer before."""


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
    usage: Usage = Usage()
    """What language models used."""
    latency_ms: int = Field(default=0, ge=0)
    episode_id: str = ""
    """What feedback on it is given on; empty when it was not recorded."""
    session_id: str = ""
    """Goes on with the conversation when it comes back in the context."""

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """The response that `answer` is."""
        fields = {
            **{name: value for name, value in answer if name in cls.model_fields},
            "model_used": answer.model,
            "cost": answer.usage.cost,
            "tools_used": tools_of(answer.steps),
            "latency_ms": round(answer.seconds * 1000),
        }
        return cls.model_validate(fields)


class CheckedContext(NamedTuple):
    """A `Context`, checked."""

    intent: str | None = None
    complexity: float | None = None
    databases: tuple[str, ...] | None = None
    user: str = DEFAULT_USER
    session_id: str | None = None

    @classmethod
    def of(cls, context: Context | None) -> Self:
        """The context as far as it is of use; other keys are passed over.

        Raises:
            UsageError: a value is of the wrong kind.

        >>> CheckedContext.of({"intent": "calculation", "databases": "shop"}).databases
        ('shop',)
        """
        given: Context = context or {}
        complexity, names = given.get("complexity"), given.get("databases")
        names = (names,) if isinstance(names, str) and names else names
        if complexity is not None and not (_is_number(complexity) and 0 <= complexity <= 1):
            raise UsageError(f"`complexity` is a number from 0 to 1, not {complexity!r}.")
        for key in ("intent", "user", "session_id"):
            if not isinstance(given.get(key), str | None):
                raise UsageError(f"`{key}` is a text, not {given[key]!r}.")
        if names is not None and not (names and isinstance(names, Sequence)):
            raise UsageError("`databases` is a name, or several; leave it out to use all of them.")
        return cls(
            intent=_text(given.get("intent")),
            complexity=complexity if _is_number(complexity) else None,
            databases=None if names is None else tuple(names),
            user=_text(given.get("user")) or DEFAULT_USER,
            session_id=_text(given.get("session_id")),
        )


class SaidBefore(NamedTuple):
    """What somebody says of the answer before, along with the next question."""

    rating: int
    detail: str | None = None

    @classmethod
    def of(cls, metadata: Metadata | None) -> "SaidBefore | None":
        """The feedback in metadata; None when there is none. Other keys are passed over.

        Raises:
            UsageError: it is neither positive nor negative, or the detail is no text.

        >>> SaidBefore.of({"feedback": "negative", "feedback_detail": "Too long"})
        SaidBefore(rating=-1, detail='Too long')
        """
        given: Metadata = metadata or {}
        feedback, detail = given.get("feedback"), given.get("feedback_detail")
        if feedback is None and detail is None:
            return None
        if feedback not in _RATINGS or not isinstance(detail, str | None):
            raise UsageError(
                'Metadata say "feedback": "positive" or "negative", and may say "feedback_detail": "…".'
            )
        return cls(_RATINGS[str(feedback)], detail)


_RATINGS = {"positive": 1, "negative": -1}


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


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
