"""Ollama's own chat, as the fake server speaks it."""

import json
from collections.abc import Mapping

from pydantic import JsonValue

from oldhand.testing import fake_openai
from oldhand.testing import fake_wire as wire
from oldhand.testing.fake_replies import Fault, Reply, Request


def read(path: str, headers: Mapping[str, str], body: dict[str, JsonValue]) -> Request:
    """What was asked; Ollama streams unless it is told not to."""
    functions = [wire.fields(tool).get("function") for tool in wire.items(body.get("tools"))]
    tools = [str(wire.fields(function).get("name", "")) for function in functions]
    form = wire.fields(body.get("format")).get("title")
    return wire.request(path, headers, body, tools, str(form) if form else None)


def answer(reply: Reply, request: Request) -> JsonValue:
    """The body of a plain answer."""
    whole = _end(reply, request)
    if reply.fault is not Fault.NO_CHOICES:
        whole["message"] = _message(reply, request)
    return whole


def events(reply: Reply, request: Request) -> wire.Events:
    """The lines of a streamed answer."""
    pieces = wire.slices(wire.written(reply, request))
    lines: list[JsonValue] = [{"role": "assistant", "content": piece} for piece in pieces]
    if calls := _calls(reply, request):
        lines.append({"role": "assistant", "content": "", "tool_calls": calls})
    head = [_line({"model": request.model, "message": line, "done": False}) for line in lines]
    nothing: JsonValue = {"role": "assistant", "content": ""}
    finish = [_line({**_end(reply, request), "message": nothing})]
    return wire.Events(head, finish if reply.fault is not Fault.NO_CHOICES else [], [])


def error(fault: Fault, request: Request) -> tuple[int, JsonValue]:
    """Status and body of an error, in Ollama's words."""
    if fault is Fault.NOT_FOUND:
        return 404, {"error": f"model '{request.model}' not found"}
    if fault is Fault.CONTEXT_LENGTH:
        return 400, {"error": "the input length exceeds the context length"}
    status, body = fake_openai.error(fault, request)
    return status, {"error": wire.fields(wire.fields(body).get("error")).get("message")}


def _message(reply: Reply, request: Request) -> dict[str, JsonValue]:
    calls = _calls(reply, request)
    said: dict[str, JsonValue] = {"role": "assistant", "content": wire.written(reply, request)}
    if calls:
        said["tool_calls"] = calls
    return said


def _calls(reply: Reply, request: Request) -> list[JsonValue]:
    bad = reply.fault is Fault.BAD_TOOL_JSON
    called = wire.called(reply, request)
    return [
        {"function": {"name": call.name, "arguments": wire.BAD_JSON if bad else call.arguments}}
        for call in called
    ]


def _end(reply: Reply, request: Request) -> dict[str, JsonValue]:
    came, went = wire.usage(reply, request)
    reason = {Fault.LENGTH: "length", Fault.REFUSAL: "content_filter"}.get(
        reply.fault or Fault.DRIP, "stop"
    )
    return {
        "model": request.model,
        "created_at": "2026-01-01T00:00:00Z",
        "done": True,
        "done_reason": reason,
        "prompt_eval_count": came,
        "eval_count": went,
    }


def _line(data: JsonValue) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode() + b"\n"


WIRE = wire.Wire(
    read, answer, events, error, error_event=_line({"error": "The server is overloaded."})
)
