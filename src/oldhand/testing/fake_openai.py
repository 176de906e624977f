"""OpenAI's chat completions, as the fake server speaks them; Ollama and many others speak the same."""

import json
from collections.abc import Mapping

from pydantic import JsonValue

from oldhand.testing import fake_wire as wire
from oldhand.testing.fake_replies import Fault, Reply, Request

_ID = "chatcmpl-fake"
_CREATED = 1_760_000_000
_INVALID = "invalid_request_error"
_ENDS = ("length", "content_filter", "tool_calls", "stop")


def read(path: str, headers: Mapping[str, str], body: dict[str, JsonValue]) -> Request:
    """What was asked."""
    functions = [wire.fields(tool).get("function") for tool in wire.items(body.get("tools"))]
    tools = [str(wire.fields(function).get("name", "")) for function in functions]
    return wire.request(path, headers, body, tools, _schema_name(body, tools))


def _schema_name(body: dict[str, JsonValue], tools: list[str]) -> str | None:
    form = wire.fields(wire.fields(body.get("response_format")).get("json_schema"))
    if form:
        return str(form.get("name", ""))
    choice = body.get("tool_choice")
    if choice == "required":
        return tools[0] if tools else None
    name = wire.fields(wire.fields(choice).get("function")).get("name")
    return str(name) if name else None


def answer(reply: Reply, request: Request) -> JsonValue:
    """The body of a plain answer."""
    message: dict[str, JsonValue] = {
        "role": "assistant",
        "content": wire.written(reply, request) or None,
    }
    if reply.fault is Fault.REFUSAL:
        message["refusal"] = "I cannot help with that."
    if calls := _tool_calls(reply, request):
        message["tool_calls"] = calls
    choice: JsonValue = {
        "index": 0,
        "message": message,
        "finish_reason": wire.ended(reply, request, _ENDS),
        "logprobs": None,
    }
    return {
        "id": _ID,
        "object": "chat.completion",
        "created": _CREATED,
        "model": request.model,
        "choices": [] if reply.fault is Fault.NO_CHOICES else [choice],
        "usage": _usage(reply, request),
    }


def events(reply: Reply, request: Request) -> wire.Events:
    """The events of a streamed answer."""
    deltas: list[JsonValue] = [{"role": "assistant", "content": ""}]
    deltas.extend({"content": piece} for piece in wire.slices(wire.written(reply, request)))
    for index, call in enumerate(_tool_calls(reply, request)):
        deltas.append({"tool_calls": [{**wire.fields(call), "index": index}]})
    head = [_chunk(request, [_choice(delta)]) for delta in deltas]
    if reply.fault is Fault.NO_CHOICES:
        head = [_chunk(request, [])]
    finish = (
        []
        if reply.fault is Fault.NO_CHOICES
        else [_chunk(request, [_choice({}, wire.ended(reply, request, _ENDS))])]
    )
    tail = [b"data: [DONE]\n\n"]
    if wire.fields(request.body.get("stream_options")).get("include_usage"):
        tail.insert(0, _chunk(request, [], _usage(reply, request)))
    return wire.Events(head, finish, tail)


def error(fault: Fault, request: Request) -> tuple[int, JsonValue]:
    """Status and body of an error, in OpenAI's words."""
    status, kind, code, message = {
        Fault.RATE_LIMIT: (429, "requests", "rate_limit_exceeded", f"Rate limit reached for {request.model}."),
        Fault.UNAVAILABLE: (503, "server_error", None, "The engine is currently not available."),
        Fault.UNAUTHORIZED: (401, _INVALID, "invalid_api_key", f"Incorrect API key provided: {wire.key_of(request)}."),
        Fault.NOT_FOUND: (404, _INVALID, "model_not_found", f"The model `{request.model}` does not exist or you do not have access to it."),
        Fault.CONTEXT_LENGTH: (400, _INVALID, "context_length_exceeded", "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens."),
        Fault.NO_SCHEMA: (400, _INVALID, None, "Invalid parameter: 'response_format' of type 'json_schema' and tools are not supported by this model."),
    }.get(fault, (500, "server_error", None, "The server had an error while processing your request."))  # fmt: skip
    return status, {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _tool_calls(reply: Reply, request: Request) -> list[JsonValue]:
    bad = reply.fault is Fault.BAD_TOOL_JSON
    return [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": wire.BAD_JSON if bad else json.dumps(call.arguments),
            },
        }
        for number, call in enumerate(wire.called(reply, request), start=1)
    ]


def _usage(reply: Reply, request: Request) -> JsonValue:
    came, went = wire.usage(reply, request)
    return {
        "prompt_tokens": came,
        "completion_tokens": went,
        "total_tokens": came + went,
        "prompt_tokens_details": {"cached_tokens": reply.cached_tokens},
    }


def _choice(delta: JsonValue, finish: str | None = None) -> JsonValue:
    return {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}


def _chunk(request: Request, choices: list[JsonValue], used: JsonValue = None) -> bytes:
    return wire.sse(
        {
            "id": _ID,
            "object": "chat.completion.chunk",
            "created": _CREATED,
            "model": request.model,
            "choices": choices,
            "usage": used,
        }
    )


WIRE = wire.Wire(
    read,
    answer,
    events,
    error,
    error_event=wire.sse(
        {"error": {"message": "The server is overloaded.", "type": "server_error", "code": None}}
    ),
)
