"""What the protocols of the fake server have in common."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue

from oldhand.models.tokens import estimate_tokens
from oldhand.testing.fake_replies import HUGE_CHARS, CalledTool, Fault, Reply, Request

BAD_JSON = '{"city": Berlin'


@dataclass
class Events:
    """A streamed answer, in the parts at which it can be cut."""

    head: list[bytes] = field(default_factory=list[bytes])
    """The content."""
    finish: list[bytes] = field(default_factory=list[bytes])
    """Why it ended."""
    tail: list[bytes] = field(default_factory=list[bytes])
    """Usage and closing marks."""


@dataclass(frozen=True)
class Wire:
    """One protocol."""

    read: Callable[[str, Mapping[str, str], dict[str, JsonValue]], Request]
    """What was asked, out of path, headers and body."""
    answer: Callable[[Reply, Request], JsonValue]
    """The body of a plain answer."""
    events: Callable[[Reply, Request], Events]
    """The events of a streamed answer."""
    error: Callable[[Fault, Request], tuple[int, JsonValue]]
    """Status and body of an error, in the provider's own words."""
    error_event: bytes
    """An error inside a stream."""


def request(
    path: str,
    headers: Mapping[str, str],
    body: dict[str, JsonValue],
    tools: list[str],
    schema_name: str | None,
) -> Request:
    """What was asked, as far as all protocols say it alike."""
    said = [fields(message) for message in items(body.get("messages"))]
    return Request(
        path=path,
        headers=headers,
        body=body,
        model=str(body.get("model", "")),
        messages=tuple((str(m.get("role", "")), text(m.get("content"))) for m in said),
        stream=body.get("stream") is True,
        schema_name=schema_name,
        tools=tuple(tools),
    )


def fields(value: JsonValue) -> dict[str, JsonValue]:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: JsonValue) -> list[JsonValue]:
    """`value` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: JsonValue) -> str:
    """The text of a message's content, which may come in parts."""
    if isinstance(value, str):
        return value
    parts = [fields(part) for part in items(value)]
    return "\n".join(str(part.get("text") or text(part.get("content")) or "") for part in parts)


def sse(data: JsonValue, event: str | None = None) -> bytes:
    """One server-sent event."""
    name = f"event: {event}\n" if event else ""
    return f"{name}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def written(reply: Reply, request: Request) -> str:
    """The text of the answer; empty when it goes as a tool call."""
    if reply.data is not None:
        return "" if forced_tool(request) else json.dumps(reply.data, ensure_ascii=False)
    if reply.fault is Fault.HUGE:
        unit = reply.text or "word "
        return unit * (HUGE_CHARS // len(unit))
    return reply.text


def ended(reply: Reply, request: Request, words: tuple[str, str, str, str]) -> str:
    """How an answer ended, in a protocol's words: too long, refused, a tool is called, done."""
    long, refused, calls, done = words
    if reply.fault is Fault.LENGTH:
        return long
    if reply.fault is Fault.REFUSAL:
        return refused
    return calls if called(reply, request) else done


def called(reply: Reply, request: Request) -> tuple[CalledTool, ...]:
    """The tools that the answer calls."""
    tool = forced_tool(request)
    if reply.data is not None and tool:
        return (CalledTool(name=tool, arguments=fields(reply.data)),)
    if reply.fault is Fault.BAD_TOOL_JSON and not reply.tool_calls:
        return (CalledTool(name=tool or next(iter(request.tools), "tool")),)
    return reply.tool_calls


def forced_tool(request: Request) -> str | None:
    """The tool by which the answer must be given, if there is one."""
    return request.schema_name if request.schema_name in request.tools else None


def slices(whole: str) -> list[str]:
    """`whole` in pieces as a model would stream them: words, and in a few thousand pieces at most."""
    size = max(6, len(whole) // 2000)
    return [whole[i : i + size] for i in range(0, len(whole), size)]


def usage(reply: Reply, request: Request) -> tuple[int, int]:
    """Input and output tokens."""
    said = written(reply, request) + "".join(
        json.dumps(call.arguments) for call in called(reply, request)
    )
    came = estimate_tokens(request.prompt) if reply.input_tokens is None else reply.input_tokens
    went = estimate_tokens(said) if reply.output_tokens is None else reply.output_tokens
    return came, went


def key_of(request: Request) -> str:
    """The key that was sent."""
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    return request.headers.get("x-api-key", bearer)


def as_object(raw: bytes) -> dict[str, JsonValue] | None:
    """The JSON object in `raw`, or None."""
    try:
        found: object = json.loads(raw or b"{}")
    except ValueError:
        return None
    return cast("dict[str, JsonValue]", found) if isinstance(found, dict) else None
