"""What the fake model server answers, and how it misbehaves on demand."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class Fault(StrEnum):
    """One way of misbehaving. `cut…` and `drip` show in streams; the rest in both kinds of answer."""

    RATE_LIMIT = "rate_limit"
    """429; with `Retry-After` when the reply has `retry_after`."""
    SERVER_ERROR = "server_error"
    """500."""
    UNAVAILABLE = "unavailable"
    """503."""
    UNAUTHORIZED = "unauthorized"
    """401, with the key that was sent in the message, as careless servers do."""
    NOT_FOUND = "not_found"
    """404: no such model."""
    CONTEXT_LENGTH = "context_length"
    """400 in the words of the protocol's own provider."""
    NO_SCHEMA = "no_schema"
    """400 as long as the request asks for a schema, or offers tools; then the reply."""
    HANG = "hang"
    """Takes the request and never answers."""
    DRIP = "drip"
    """One small piece every `pause` seconds."""
    RESET = "reset"
    """The connection is reset before the answer."""
    NO_CHOICES = "no_choices"
    """A well-formed answer with `choices: []`, or `content: []`."""
    NOT_JSON = "not_json"
    """Status 200 with a page of HTML."""
    WRONG_SHAPE = "wrong_shape"
    """Status 200 with JSON of another form."""
    BAD_TOOL_JSON = "bad_tool_json"
    """A tool call whose arguments are no JSON."""
    CUT = "cut"
    """The stream ends cleanly in the middle, without a finish reason; a plain answer lacks its last bytes."""
    CUT_AT_END = "cut_at_end"
    """The stream ends cleanly after the finish reason, without the closing marks."""
    BREAK = "break"
    """The connection breaks in the middle of the stream."""
    ERROR_IN_STREAM = "error_in_stream"
    """An error is sent in the middle of the stream, after status 200."""
    LENGTH = "length"
    """The answer stops at the limit of output tokens."""
    REFUSAL = "refusal"
    """The content filter stops the answer."""
    HUGE = "huge"
    """The text is repeated until it has `HUGE_CHARS` characters."""


HUGE_CHARS = 1_000_000


class CalledTool(BaseModel):
    """A tool call in a reply."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class FakeBehaviour(BaseModel):
    """What an answer of the fake server is like besides what it says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool_calls: tuple[CalledTool, ...] = ()
    fault: Fault | None = None
    retry_after: float | None = None
    """Seconds in the `Retry-After` header of an error."""
    pause: float = 0.05
    """Seconds between the pieces of a `drip`."""
    input_tokens: int | None = None
    """Reported usage; estimated from the prompt when None."""
    cached_tokens: int = 0
    """How many of the input tokens are reported as read before."""
    output_tokens: int | None = None


class Reply(FakeBehaviour):
    """One answer of the fake server."""

    text: str = ""
    data: JsonValue = None
    """An answer in the form of a schema; it is sent as a tool call when the request forces one."""


@dataclass(frozen=True)
class Request:
    """What the fake server was asked, the same for all protocols."""

    path: str
    headers: Mapping[str, str]
    """Names in small letters."""
    body: dict[str, JsonValue]
    model: str
    messages: tuple[tuple[str, str], ...]
    """Role and text, system messages first."""
    stream: bool = False
    schema_name: str | None = None
    """The name of the schema or of the forced tool, if the answer must have a form."""
    tools: tuple[str, ...] = ()

    @property
    def stage(self) -> str:
        """The stage that Oldhand says it is in; empty for other clients."""
        return self.headers.get("x-oldhand-stage", "")

    @property
    def prompt(self) -> str:
        """All messages as one text."""
        return "\n".join(text for _, text in self.messages)

    @property
    def form(self) -> dict[str, JsonValue]:
        """The JSON Schema that the answer must fit, wherever it stands; empty when there is none."""
        for asked in ("response_format", "format", "output_config", "output_format"):
            if found := _schema_in(self.body.get(asked)):
                return found
        tools = self.body.get("tools") if self.schema_name in self.tools else None
        written = _WRITTEN_SCHEMA.search(self.prompt)
        return _schema_in(tools) or (_schema_in(json.loads(written[1])) if written else {})


_WRITTEN_SCHEMA = re.compile(r"JSON Schema:\n(\{.*\})")


def _schema_in(value: JsonValue | None) -> dict[str, JsonValue]:
    """The first object with `properties` in what a request holds."""
    if isinstance(value, dict) and isinstance(value.get("properties"), dict):
        return value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = (_schema_in(one) for one in inner)
    return next(filter(None, found), dict[str, JsonValue]())


Answers = Sequence[Reply | str] | Callable[[Request], Reply | str]
"""A queue of replies, one for each request, or a function of the request."""


class OutOfReplies(Exception):
    """The queue is empty: the fake server says so with status 500."""


class When(BaseModel):
    """Conditions on a request; all of those that are given must hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: str | None = None
    contains: str | None = None
    """Words of the prompt, letter case aside."""
    regex: re.Pattern[str] | None = None
    """Found anywhere in the prompt."""
    answer: str | None = Field(default=None, alias="schema")
    """Name of the schema that the answer must have."""

    def holds(self, request: Request) -> bool:
        """Whether `request` is meant."""
        prompt = request.prompt
        return (
            self.stage in (None, request.stage)
            and self.answer in (None, request.schema_name)
            and (self.contains is None or self.contains.casefold() in prompt.casefold())
            and (self.regex is None or self.regex.search(prompt) is not None)
        )


class Rule(FakeBehaviour):
    """One entry of an answers file."""

    when: When = When()
    reply: JsonValue = ""
    """Text, or an object for a schema."""
    times: int | None = Field(default=None, ge=1)
    """How often it is used; forever when None."""

    def as_reply(self) -> Reply:
        """The reply that it gives."""
        said = {"text": self.reply} if isinstance(self.reply, str) else {"data": self.reply}
        rest = self.model_dump(exclude={"when", "reply", "times"})
        return Reply.model_validate({**said, **rest})


class Rulebook:
    """The first rule that holds answers.

    >>> book = Rulebook([Rule(when=When(contains="berlin"), reply="Three."), Rule(reply="No idea.")])
    >>> book(Request("/v1/chat/completions", {}, {}, "m", (("user", "How many in Berlin?"),))).text
    'Three.'
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._used = [0] * len(self._rules)
        self._lock = Lock()

    def __call__(self, request: Request) -> Reply:
        """The reply to `request`; a text that names the way out when no rule holds."""
        for index, rule in enumerate(self._rules):
            if rule.when.holds(request):
                with self._lock:
                    if rule.times is not None and self._used[index] >= rule.times:
                        continue
                    self._used[index] += 1
                return rule.as_reply()
        return Reply(text="The answers file has no rule for this prompt.")
