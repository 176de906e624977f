"""The messages of chat completions: as OpenAI's API has them, and as our models do."""

import json
from collections.abc import Sequence
from secrets import token_hex
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from oldhand.agent.tools.tool import checked_parameters, checked_tool_name
from oldhand.errors import UsageError
from oldhand.loop.client_tools import ToolChoice, ToolReply
from oldhand.models.language_model import AssistantMessage, ModelTool, ToolCall, ToolResult
from oldhand.record.episode import Message
from oldhand.record.route import RouteResponse
from oldhand.record.usage import Usage

MODEL = "oldhand"
_ARGUMENTS: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


class TextPart(BaseModel):
    """A piece of a message."""

    type: Literal["text"]
    text: str


class CalledFunction(BaseModel):
    """What was called, with its arguments as JSON."""

    name: str
    arguments: str = "{}"


class ChatToolCall(BaseModel):
    """A tool that the assistant called."""

    id: str
    type: Literal["function"] = "function"
    function: CalledFunction


class ChatMessage(BaseModel):
    """One message of a conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[TextPart] | None = None
    tool_calls: list[ChatToolCall] | None = None
    tool_call_id: str | None = None

    @property
    def text(self) -> str:
        """All that it says."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class OfferedFunction(BaseModel):
    """A function of the caller's."""

    name: str = Field(max_length=64)
    description: str | None = None
    parameters: dict[str, JsonValue] = Field(default_factory=lambda: {"type": "object"})


class OfferedTool(BaseModel):
    """A tool of the caller's."""

    type: Literal["function"]
    function: OfferedFunction


class NamedFunction(BaseModel):
    """The name of a function."""

    name: str


class NamedTool(BaseModel):
    """The one tool that has to be called."""

    type: Literal["function"]
    function: NamedFunction


class StreamOptions(BaseModel):
    """What a stream ends with."""

    include_usage: bool = False


class ChatRequest(BaseModel):
    """A conversation to be answered; what has no meaning here is passed over."""

    model_config = ConfigDict(extra="allow")

    model: str = Field(examples=[MODEL], description="`oldhand`, or `oldhand/NAME` for another assistant.")  # fmt: skip
    messages: list[ChatMessage] = Field(min_length=1, max_length=1_000)
    stream: bool = False
    stream_options: StreamOptions | None = None
    tools: list[OfferedTool] = Field(default=[], max_length=128)
    tool_choice: Literal["none", "auto", "required"] | NamedTool = "auto"
    metadata: dict[str, str] | None = Field(
        default=None,
        description="`feedback` (positive or negative) and `feedback_detail` are about the answer before.",
    )


def tool_choice(given: ChatRequest) -> ToolChoice | None:
    """What may and must be called; None when nothing may.

    Raises:
        InvalidTool: a tool is none that a model could call.
        UsageError: the one that must be called is not there.
    """
    if not given.tools or given.tool_choice == "none":
        return None
    offered = tuple(
        ModelTool(
            name=checked_tool_name(one.function.name),
            description=one.function.description or "",
            parameters=checked_parameters(one.function.name, one.function.parameters),
        )
        for one in given.tools
    )
    if isinstance(given.tool_choice, NamedTool):
        named = given.tool_choice.function.name
        offered = tuple(one for one in offered if one.name == named)
        if not offered:
            raise UsageError(f"tool_choice names {named!r}, which is not among the tools.")
    return ToolChoice(tools=offered, must=given.tool_choice != "auto")


class ChatReply(BaseModel):
    """What goes into a completion, whole or in pieces."""

    id: str
    model: str
    text: str = ""
    tool_calls: tuple[dict[str, JsonValue], ...] = ()
    usage: dict[str, int] = Field(default_factory=lambda: _usage(Usage()))

    @property
    def finish(self) -> str:
        """Why it ends."""
        return "tool_calls" if self.tool_calls else "stop"

    @classmethod
    def of_route(cls, answer: RouteResponse) -> Self:
        """An answer of the assistant, with its rows."""
        name = f"chatcmpl-{answer.episode_id}"
        return cls(id=name, model=answer.model_used, text=_shown(answer), usage=_usage(answer.usage))  # fmt: skip

    @classmethod
    def of_tools(cls, reply: ToolReply) -> Self:
        """What a model said that may call tools."""
        calls = tuple(
            ChatToolCall(
                id=it.id,
                function=CalledFunction(name=it.name, arguments=json.dumps(it.arguments)),
            ).model_dump()
            for it in reply.tool_calls
        )
        name = f"chatcmpl-{reply.episode_id or token_hex(8)}"
        return cls(id=name, model=reply.model, text=reply.text, tool_calls=calls, usage=_usage(reply.usage))  # fmt: skip


def _usage(spent: Usage) -> dict[str, int]:
    """Tokens of language models; the built-in mind uses none."""
    read, written = spent.input_tokens, spent.output_tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def conversed(messages: Sequence[ChatMessage]) -> list[Message]:
    """A conversation in the words of our models.

    Raises:
        UsageError: arguments are no JSON object, or a result belongs to no call.
    """
    said, called = list[Message](), dict[str, str]()
    for one in messages:
        if one.role == "tool":
            if one.tool_call_id not in called:
                raise UsageError(f"No tool was called as {one.tool_call_id!r}.")
            said.append(ToolResult(call_id=one.tool_call_id, tool=called[one.tool_call_id], content=one.text))  # fmt: skip
        elif one.tool_calls:
            calls = tuple(
                ToolCall(id=it.id, name=it.function.name, arguments=_arguments(it.function))
                for it in one.tool_calls
            )
            called |= {it.id: it.name for it in calls}
            said.append(AssistantMessage(content=one.text, tool_calls=calls))
        else:
            role = "system" if one.role == "developer" else one.role
            said.append(Message(role=role, content=one.text))
    if not any(one.role == "user" and one.content for one in said):
        raise UsageError("Nobody asks anything: a message of the role user is needed.")
    return said


def _arguments(called: CalledFunction) -> dict[str, JsonValue]:
    try:
        return _ARGUMENTS.validate_json(called.arguments or "{}")
    except ValidationError as error:
        raise UsageError(f"The arguments of {called.name} are no JSON object.") from error


def _shown(answer: RouteResponse) -> str:
    """The answer with its rows as a Markdown table, where there is more than one value."""
    if len(answer.rows) * len(answer.columns) <= 1:
        return answer.text
    lines = [answer.columns, ["---"] * len(answer.columns), *answer.rows[:50]]
    table = "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)
    return f"{answer.text}\n\n{table}"


def _cell(cell: object) -> str:
    return "" if cell is None else " ".join(str(cell).replace("|", "\\|").split())
