"""Anthropic's messages, as the fake server speaks them."""

import json
from collections.abc import Mapping
from dataclasses import replace

from pydantic import JsonValue

from oldhand.testing import fake_wire as wire
from oldhand.testing.fake_replies import Fault, Reply, Request

_ENDS = ("max_tokens", "refusal", "tool_use", "end_turn")


def read(path: str, headers: Mapping[str, str], body: dict[str, JsonValue]) -> Request:
    """What was asked."""
    tools = [str(wire.fields(tool).get("name", "")) for tool in wire.items(body.get("tools"))]
    asked = wire.request(path, headers, body, tools, _schema_name(body, tools))
    system = wire.text(body.get("system"))
    return replace(asked, messages=(("system", system), *asked.messages)) if system else asked


def _schema_name(body: dict[str, JsonValue], tools: list[str]) -> str | None:
    form = wire.fields(wire.fields(body.get("output_config")).get("format")) or wire.fields(
        body.get("output_format")
    )
    if form:
        return str(wire.fields(form.get("schema")).get("title", "schema"))
    choice = wire.fields(body.get("tool_choice"))
    if choice.get("type") == "any":
        return tools[0] if tools else None
    return str(choice["name"]) if choice.get("type") == "tool" else None


def answer(reply: Reply, request: Request) -> JsonValue:
    """The body of a plain answer."""
    return {
        **_message(request),
        "content": _content(reply, request),
        "stop_reason": wire.ended(reply, request, _ENDS),
        "usage": _usage(reply, request),
    }


def _content(reply: Reply, request: Request) -> list[JsonValue]:
    """One block of text, then one for each tool call."""
    if reply.fault is Fault.NO_CHOICES:
        return []
    said = wire.written(reply, request)
    content: list[JsonValue] = [{"type": "text", "text": said}] if said else []
    for number, call in enumerate(wire.called(reply, request), start=1):
        arguments = wire.BAD_JSON if reply.fault is Fault.BAD_TOOL_JSON else call.arguments
        identity = f"toolu_{number}"
        content.append({"type": "tool_use", "id": identity, "name": call.name, "input": arguments})
    return content


def events(reply: Reply, request: Request) -> wire.Events:
    """The events of a streamed answer."""
    came, went = wire.usage(reply, request)
    start: JsonValue = {
        **_message(request),
        "content": [],
        "stop_reason": None,
        "usage": {**_read_in(reply, came), "output_tokens": 1},
    }
    head = [_event("message_start", message=start)]
    for index, block in enumerate(_content(reply, request)):
        head += _block_events(index, wire.fields(block))
    delta: JsonValue = {"stop_reason": wire.ended(reply, request, _ENDS), "stop_sequence": None}
    finish = [_event("message_delta", delta=delta, usage={"output_tokens": went})]
    return wire.Events(head, finish, [_event("message_stop")])


def _block_events(index: int, block: dict[str, JsonValue]) -> list[bytes]:
    """A block of the content, piece by piece."""
    if "text" in block:
        text, begun = str(block["text"]), {**block, "text": ""}
        kind, name = "text_delta", "text"
    else:
        given, begun = block["input"], {**block, "input": {}}
        text = given if isinstance(given, str) else json.dumps(given)
        kind, name = "input_json_delta", "partial_json"
    out = [_event("content_block_start", index=index, content_block=begun)]
    for piece in wire.slices(text):
        delta: JsonValue = {"type": kind, name: piece}
        out.append(_event("content_block_delta", index=index, delta=delta))
    return [*out, _event("content_block_stop", index=index)]


def error(fault: Fault, request: Request) -> tuple[int, JsonValue]:
    """Status and body of an error, in Anthropic's words."""
    status, kind, message = {
        Fault.RATE_LIMIT: (429, "rate_limit_error", "This request would exceed your organization's rate limit."),
        Fault.UNAVAILABLE: (529, "overloaded_error", "Overloaded"),
        Fault.UNAUTHORIZED: (401, "authentication_error", f"invalid x-api-key {wire.key_of(request)}"),
        Fault.NOT_FOUND: (404, "not_found_error", f"model: {request.model}"),
        Fault.CONTEXT_LENGTH: (400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
        Fault.NO_SCHEMA: (400, "invalid_request_error", "output_config and tools are not supported by this model."),
    }.get(fault, (500, "api_error", "Internal server error"))  # fmt: skip
    return status, {"type": "error", "error": {"type": kind, "message": message}}


def _message(request: Request) -> dict[str, JsonValue]:
    return {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "stop_sequence": None,
    }


def _usage(reply: Reply, request: Request) -> JsonValue:
    came, went = wire.usage(reply, request)
    return {**_read_in(reply, came), "output_tokens": went}


def _read_in(reply: Reply, came: int) -> dict[str, JsonValue]:
    """Anthropic counts what it had read before apart from the rest."""
    cached = min(reply.cached_tokens, came)
    return {
        "input_tokens": came - cached,
        "cache_read_input_tokens": cached,
        "cache_creation_input_tokens": 0,
    }


def _event(kind: str, **values: JsonValue) -> bytes:
    return wire.sse({"type": kind, **values}, kind)


WIRE = wire.Wire(
    read,
    answer,
    events,
    error,
    error_event=_event("error", error={"type": "overloaded_error", "message": "Overloaded"}),
)
