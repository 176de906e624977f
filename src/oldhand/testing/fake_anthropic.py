"""Anthropic's messages, as the fake server speaks them."""

import json
from collections.abc import Mapping

from pydantic import JsonValue

from oldhand.testing import fake_wire as wire
from oldhand.testing.fake_replies import Fault, Reply, Request


def read(path: str, headers: Mapping[str, str], body: dict[str, JsonValue]) -> Request:
    """What was asked."""
    said = [wire.fields(message) for message in wire.items(body.get("messages"))]
    system = wire.text(body.get("system"))
    messages = [(str(m.get("role", "")), wire.text(m.get("content"))) for m in said]
    tools = [str(wire.fields(tool).get("name", "")) for tool in wire.items(body.get("tools"))]
    return Request(
        path=path,
        headers=headers,
        body=body,
        model=str(body.get("model", "")),
        messages=tuple([("system", system), *messages] if system else messages),
        stream=body.get("stream") is True,
        schema_name=_schema_name(body, tools),
        tools=tuple(tools),
    )


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
    content: list[JsonValue] = [
        {"type": "text", "text": said} for said in [wire.written(reply, request)] if said
    ]
    bad = reply.fault is Fault.BAD_TOOL_JSON
    for number, call in enumerate(wire.called(reply, request), start=1):
        content.append(
            {
                "type": "tool_use",
                "id": f"toolu_{number}",
                "name": call.name,
                "input": '{"city": Berlin' if bad else call.arguments,
            }
        )
    return {
        **_message(request),
        "content": [] if reply.fault is Fault.NO_CHOICES else content,
        "stop_reason": _stop(reply, request),
        "usage": _usage(reply, request),
    }


def events(reply: Reply, request: Request) -> wire.Events:
    """The events of a streamed answer."""
    came, went = wire.usage(reply, request)
    start: JsonValue = {
        **_message(request),
        "content": [],
        "stop_reason": None,
        "usage": {"input_tokens": came, "output_tokens": 1},
    }
    head = [_event("message_start", message=start)]
    if reply.fault is not Fault.NO_CHOICES:
        head += _blocks(reply, request)
    delta: JsonValue = {"stop_reason": _stop(reply, request), "stop_sequence": None}
    finish = [_event("message_delta", delta=delta, usage={"output_tokens": went})]
    return wire.Events(head, finish, [_event("message_stop")])


def _blocks(reply: Reply, request: Request) -> list[bytes]:
    """The content: one block of text, then one for each tool call."""
    blocks: list[tuple[JsonValue, list[JsonValue]]] = []
    if said := wire.written(reply, request):
        deltas: list[JsonValue] = [{"type": "text_delta", "text": p} for p in wire.slices(said)]
        blocks.append(({"type": "text", "text": ""}, deltas))
    bad = reply.fault is Fault.BAD_TOOL_JSON
    for number, call in enumerate(wire.called(reply, request), start=1):
        arguments = '{"city": Berlin' if bad else json.dumps(call.arguments)
        start: JsonValue = {
            "type": "tool_use",
            "id": f"toolu_{number}",
            "name": call.name,
            "input": {},
        }
        pieces: list[JsonValue] = [
            {"type": "input_json_delta", "partial_json": piece} for piece in wire.slices(arguments)
        ]
        blocks.append((start, pieces))
    out: list[bytes] = []
    for index, (block, deltas) in enumerate(blocks):
        out.append(_event("content_block_start", index=index, content_block=block))
        out += [_event("content_block_delta", index=index, delta=delta) for delta in deltas]
        out.append(_event("content_block_stop", index=index))
    return out


def error(fault: Fault, request: Request) -> tuple[int, JsonValue]:
    """Status and body of an error, in Anthropic's words."""
    status, kind, message = {
        Fault.RATE_LIMIT: (
            429,
            "rate_limit_error",
            "This request would exceed your organization's rate limit.",
        ),
        Fault.UNAVAILABLE: (529, "overloaded_error", "Overloaded"),
        Fault.UNAUTHORIZED: (
            401,
            "authentication_error",
            f"invalid x-api-key {wire.key_of(request)}",
        ),
        Fault.NOT_FOUND: (404, "not_found_error", f"model: {request.model}"),
        Fault.CONTEXT_LENGTH: (
            400,
            "invalid_request_error",
            "prompt is too long: 208310 tokens > 200000 maximum",
        ),
        Fault.NO_SCHEMA: (
            400,
            "invalid_request_error",
            "output_config and tools are not supported by this model.",
        ),
    }.get(fault, (500, "api_error", "Internal server error"))
    return status, {"type": "error", "error": {"type": kind, "message": message}}


def error_event() -> bytes:
    """An error inside a stream."""
    return _event("error", error={"type": "overloaded_error", "message": "Overloaded"})


def _message(request: Request) -> dict[str, JsonValue]:
    return {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "stop_sequence": None,
    }


def _stop(reply: Reply, request: Request) -> str:
    if reply.fault is Fault.LENGTH:
        return "max_tokens"
    if reply.fault is Fault.REFUSAL:
        return "refusal"
    return "tool_use" if wire.called(reply, request) else "end_turn"


def _usage(reply: Reply, request: Request) -> JsonValue:
    came, went = wire.usage(reply, request)
    return {"input_tokens": came, "output_tokens": went}


def _event(kind: str, **values: JsonValue) -> bytes:
    return wire.sse({"type": kind, **values}, kind)
