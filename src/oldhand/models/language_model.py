"""What a language model promises, and the words in which it is talked to."""

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Literal, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel, JsonValue

from oldhand.models.ledger import Ledger
from oldhand.record.base import Record
from oldhand.record.episode import Message
from oldhand.record.usage import Usage

T = TypeVar("T", bound=BaseModel)

FinishReason = Literal["stop", "length", "tool_call"]
"""`length`: the answer reached the model's limit of output tokens and is not complete."""


class ModelTool(Record):
    """Something that the model may call."""

    name: str
    """Letters, digits, `_` and `-`, at most 64 characters."""
    description: str
    parameters: dict[str, JsonValue]
    """A JSON Schema of type `object`."""


class ToolCall(Record):
    """A tool that the model wants to be called; several in one answer may run side by side."""

    id: str
    name: str
    arguments: dict[str, JsonValue]


class AssistantMessage(Message):
    """What the model said earlier in the conversation, with the tools it called."""

    role: Literal["user", "assistant", "system", "tool"] = "assistant"
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()


class ToolResult(Message):
    """What a called tool gave back."""

    role: Literal["user", "assistant", "system", "tool"] = "tool"
    call_id: str
    """The `ToolCall.id` that it answers."""
    tool: str


class Completion(Record):
    """One answer of a model."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    usage: Usage = Usage()
    """All attempts together, those that failed included."""
    seconds: float = 0.0
    """From the first attempt to the answer, waits included."""

    @property
    def message(self) -> AssistantMessage:
        """The answer as the next message of the conversation."""
        return AssistantMessage(content=self.text, tool_calls=self.tool_calls)


class LanguageModel(Protocol):
    """A language model, wherever it runs.

    Every attempt is booked in the `ledger` under its `stage` (`plan`, `generate_sql`, …), also one that failed.
    All errors are `ModelError`s; a request is repeated only while the model is unavailable (`ModelUnavailable`).
    Cancelling the task ends the request.
    """

    @property
    def name(self) -> str:
        """The name by which it was asked for."""
        ...

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        stage: str,
        ledger: Ledger,
        tools: Sequence[ModelTool] = (),
    ) -> Completion:
        """Answer the conversation, in text or by calling tools.

        Raises:
            MalformedAnswer: the answer cannot be read or is empty, or a tool call's arguments are no JSON object.
        """
        ...

    async def structured(
        self, messages: Sequence[Message], schema: type[T], *, stage: str, ledger: Ledger
    ) -> T:
        """Answer in the form of `schema`; asks once more when the first answer misses it.

        Raises:
            MalformedAnswer: the second answer misses it as well; the message quotes what was wrong.
            CutStream: the answer reached the limit of output tokens.
        """
        ...

    def stream(
        self, messages: Sequence[Message], *, stage: str, ledger: Ledger
    ) -> AsyncGenerator[str, None]:
        """Answer piece by piece; wrap it in `contextlib.aclosing` when you may stop early.

        Raises:
            CutStream: the answer ended before it was complete, after any number of pieces.
            MalformedAnswer: the answer is empty.
        """
        ...

    async def aclose(self) -> None:
        """Let go of open connections; the model may be used again afterwards."""
        ...


@runtime_checkable
class SpeakingModel(Protocol):
    """A language model whose text can be heard while it answers, also when it may call tools."""

    async def complete_aloud(
        self,
        messages: Sequence[Message],
        heard: Callable[[str], None],
        *,
        stage: str,
        ledger: Ledger,
        tools: Sequence[ModelTool] = (),
    ) -> Completion:
        """As `LanguageModel.complete`; `heard` gets the text piece by piece, again from its start when an answer broke off."""
        ...
