"""Between our messages and those of pydantic-ai, so that none of its types leaves this room."""

from collections.abc import Iterable, Sequence

from pydantic_ai import messages as wire
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from oldhand.errors import MalformedAnswer
from oldhand.models.language_model import AssistantMessage, ModelTool, ToolCall, ToolResult
from oldhand.models.structured import T
from oldhand.record.episode import Message
from oldhand.record.usage import Usage

ANSWER_TOOL = "answer"
"""The tool by which a model gives an answer in the form of a schema."""


def to_wire(messages: Iterable[Message]) -> list[wire.ModelMessage]:
    """Our conversation in pydantic-ai's words; neighbours on the same side become one message.

    System messages in a row become one: the templates of many local models hold no second one.
    """
    talk: list[wire.ModelMessage] = []
    asked: list[wire.ModelRequestPart] = []
    for message in messages:
        if message.role != "assistant":
            part = _request_part(message)
            if (
                isinstance(part, wire.SystemPromptPart)
                and asked
                and isinstance(asked[-1], wire.SystemPromptPart)
            ):
                asked[-1].content += f"\n\n{part.content}"
            else:
                asked.append(part)
            continue
        if asked:
            talk.append(wire.ModelRequest(parts=asked))
            asked = []
        talk.append(wire.ModelResponse(parts=_response_parts(message)))
    if asked:
        talk.append(wire.ModelRequest(parts=asked))
    return talk


def _request_part(message: Message) -> wire.ModelRequestPart:
    if isinstance(message, ToolResult):
        return wire.ToolReturnPart(
            tool_name=message.tool, content=message.content, tool_call_id=message.call_id
        )
    if message.role == "system":
        return wire.SystemPromptPart(content=message.content)
    return wire.UserPromptPart(content=message.content)


def _response_parts(message: Message) -> list[wire.ModelResponsePart]:
    calls = message.tool_calls if isinstance(message, AssistantMessage) else ()
    parts: list[wire.ModelResponsePart] = [
        wire.ToolCallPart(tool_name=call.name, args=dict(call.arguments), tool_call_id=call.id)
        for call in calls
    ]
    if message.content or not parts:
        parts.insert(0, wire.TextPart(content=message.content))
    return parts


def with_tools(tools: Sequence[ModelTool]) -> ModelRequestParameters:
    """A request that may be answered in text or by calling `tools`."""
    return ModelRequestParameters(
        function_tools=[
            ToolDefinition(
                name=tool.name,
                description=tool.description,
                parameters_json_schema=dict(tool.parameters),
            )
            for tool in tools
        ]
    )


def with_native_schema(schema: type[T]) -> ModelRequestParameters:
    """A request whose answer the server itself keeps to `schema`."""
    form = OutputObjectDefinition(json_schema=schema.model_json_schema(), name=schema.__name__)
    return ModelRequestParameters(output_mode="native", output_object=form)


def with_answer_tool(schema: type[T]) -> ModelRequestParameters:
    """A request that is answered by calling a tool with the fields of `schema`."""
    tool = ToolDefinition(
        name=ANSWER_TOOL,
        description=f"Give the answer as {schema.__name__}.",
        parameters_json_schema=schema.model_json_schema(),
        kind="output",
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def answer_text(response: wire.ModelResponse) -> str:
    """The JSON of an answer to `with_answer_tool`, or its text when it did not call the tool."""
    for call in response.tool_calls:
        if call.tool_name == ANSWER_TOOL:
            return call.args if isinstance(call.args, str) else call.args_as_json_str()
    return response.text or ""


def tool_calls_of(response: wire.ModelResponse) -> tuple[ToolCall, ...]:
    """The tools that the model wants to be called.

    Raises:
        MalformedAnswer: the arguments of one are no JSON object.
    """
    return tuple(_tool_call(part) for part in response.tool_calls)


def _tool_call(part: wire.ToolCallPart) -> ToolCall:
    try:
        # Left to itself it hands on {'INVALID_JSON': …} as if these were the arguments.
        arguments = part.args_as_dict(raise_if_invalid=True)
    except (ValueError, AssertionError) as error:
        raise MalformedAnswer(
            f"The model called {part.tool_name} with arguments that are no JSON object: {str(part.args)[:300]}"
        ) from error
    return ToolCall(id=part.tool_call_id, name=part.tool_name, arguments=arguments)


def piece_of(event: wire.ModelResponseStreamEvent) -> str:
    """The text that an event of a stream adds to the answer; empty for any other event."""
    match event:
        case wire.PartStartEvent(part=wire.TextPart(content=text)):
            return text
        case wire.PartDeltaEvent(delta=wire.TextPartDelta(content_delta=text)):
            return text
        case _:
            return ""


def usage_of(response: wire.ModelResponse) -> Usage:
    """Tokens and cost of one request; a model whose price is not known costs 0."""
    used = response.usage
    return Usage(
        requests=1,
        input_tokens=max(0, used.input_tokens),
        cached_tokens=max(0, used.cache_read_tokens),
        output_tokens=max(0, used.output_tokens),
        cost=_price(response),
    )


def _price(response: wire.ModelResponse) -> float:
    try:
        return max(0.0, float(response.cost().total_price))
    except (LookupError, ValueError, AssertionError):
        return 0.0  # a local model, a name without a price, or an answer without usage
