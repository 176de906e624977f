"""Ollama's own protocol under a client of OpenAI's: only there can the size of the context be asked for.

Ollama reads what fits into a context of 4,096 tokens unless it is told otherwise, and drops the rest without a word. Its
OpenAI-compatible address takes no such size, so requests to that go to `/api/chat`, and its answers are put back.
"""

import json
from collections.abc import AsyncIterator
from typing import TypeAlias, cast
from uuid import uuid4

import httpx2
from openai import DefaultAsyncHttpxClient
from pydantic import JsonValue

from oldhand.models.tokens import estimate_tokens

_COMPATIBLE, _OWN = "v1/chat/completions", "api/chat"
_LEAST = 8_192
"""Tokens of the smallest context that is asked for: a model is loaded anew for each other size."""
_ANSWER = 2_048
"""Tokens that are left for the answer."""
_MARGIN = 1.3
"""Tokenizers differ from our estimate."""

Node: TypeAlias = dict[str, JsonValue]


class OllamaHttpClient(DefaultAsyncHttpxClient):
    """Sends what is meant for OpenAI's chat completions to Ollama's own; to a server that has no such, as it is."""

    _size = _LEAST
    _is_own = True

    async def send(self, request: httpx2.Request, **options: object) -> httpx2.Response:
        """See `httpx2.AsyncClient.send`."""
        if not self._is_own or not request.url.path.endswith(_COMPATIBLE):
            return await super().send(request, **options)  # type: ignore[arg-type]
        body = cast("Node", json.loads(request.content))
        self._size = max(self._size, context_size(body))
        sent = _own_request(request, own_body(body, self._size))
        response = await super().send(sent, **options)  # type: ignore[arg-type]
        if response.status_code == 404 and "json" not in response.headers.get("content-type", ""):
            await response.aclose()
            self._is_own = False
            return await super().send(request, **options)  # type: ignore[arg-type]
        if response.status_code != 200:
            return response
        if body.get("stream"):
            return httpx2.Response(
                200,
                headers={"content-type": "text/event-stream"},
                stream=_Events(response),
                request=request,
            )
        said = cast("Node", json.loads(await response.aread()))
        return httpx2.Response(200, json=completion(said), request=request)


def context_size(body: Node) -> int:
    """Tokens of context that a request needs, its answer included: a power of two, so that few sizes come up."""
    words = json.dumps([body.get("messages"), body.get("tools")], ensure_ascii=False)
    size, needed = _LEAST, estimate_tokens(words) * _MARGIN + _ANSWER
    while size < needed:
        size *= 2
    return size


def own_body(body: Node, size: int) -> Node:
    """A request for OpenAI's chat completions as one for `/api/chat`."""
    options: Node = {"num_ctx": size}
    if "temperature" in body:
        options["temperature"] = body["temperature"]
    form = _node(_node(body.get("response_format")).get("json_schema")).get("schema")
    own: Node = {
        "model": body.get("model"),
        "messages": [_message(_node(one)) for one in _list(body.get("messages"))],
        "stream": body.get("stream") is True,
        "options": options,
        "truncate": False,  # what is too long after all is an error, not a shorter prompt
    }
    return (
        own
        | ({"format": form} if form else {})
        | ({"tools": body["tools"]} if body.get("tools") else {})
    )


def _message(said: Node) -> Node:
    content = said.get("content")
    parts = [str(_node(part).get("text", "")) for part in _list(content)]
    own: Node = {"role": said.get("role"), "content": "\n".join(parts) if parts else content or ""}
    calls = [_node(_node(call).get("function")) for call in _list(said.get("tool_calls"))]
    if calls:
        own["tool_calls"] = [
            {"function": {**call, "arguments": json.loads(str(call.get("arguments") or "{}"))}}
            for call in calls
        ]
    return own


def completion(said: Node) -> Node:
    """An answer of `/api/chat` as one of OpenAI's chat completions."""
    message = _node(said["message"])
    told: Node = {"role": "assistant", "content": message.get("content")} | _calls(message)
    choice: Node = {"index": 0, "message": told, "finish_reason": _reason(said)}
    return {**_frame(said, "chat.completion"), "choices": [choice], "usage": _usage(said)}


def _chunks(said: Node) -> list[Node]:
    """A line of a streamed answer as the chunks of OpenAI's."""
    if "error" in said:
        return [{"error": {"message": said["error"], "type": "server_error"}}]
    if "message" not in said:
        return []  # an answer without any chunk is malformed
    message, frame = _node(said["message"]), _frame(said, "chat.completion.chunk")
    delta: Node = {"role": "assistant", "content": message.get("content") or ""} | _calls(message)
    choice: Node = {"index": 0, "delta": delta, "finish_reason": _reason(said)}
    chunks: list[Node] = [{**frame, "choices": [choice]}]
    if said.get("done"):
        chunks.append({**frame, "choices": [], "usage": _usage(said)})
    return chunks


class _Events(httpx2.AsyncByteStream):
    """The lines of a streamed answer as server-sent events."""

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for line in self._response.aiter_lines():
            for chunk in _chunks(cast("Node", json.loads(line))) if line.strip() else ():
                yield f"data: {json.dumps(chunk)}\n\n".encode()
        yield b"data: [DONE]\n\n"

    async def aclose(self) -> None:
        await self._response.aclose()


def _own_request(request: httpx2.Request, body: Node) -> httpx2.Request:
    path = request.url.path.removesuffix(_COMPATIBLE) + _OWN
    kept = {k: v for k, v in request.headers.items() if k not in {"content-length", "content-type"}}
    return httpx2.Request(
        "POST",
        request.url.copy_with(path=path),
        headers=kept,
        json=body,
        extensions=request.extensions,
    )


def _frame(said: Node, kind: str) -> Node:
    return {"id": "ollama", "object": kind, "created": 0, "model": said.get("model") or ""}


def _calls(message: Node) -> Node:
    functions = [_node(_node(call).get("function")) for call in _list(message.get("tool_calls"))]
    calls: list[JsonValue] = [
        {
            "index": number,
            "id": f"call_{uuid4().hex[:12]}",
            "type": "function",
            "function": {
                "name": one.get("name"),
                "arguments": one["arguments"]
                if isinstance(one.get("arguments"), str)
                else json.dumps(one.get("arguments") or {}),
            },
        }
        for number, one in enumerate(functions)
    ]
    return {"tool_calls": calls} if calls else {}


def _reason(said: Node) -> JsonValue:
    if not said.get("done"):
        return None
    if _node(said.get("message")).get("tool_calls"):
        return "tool_calls"
    return said.get("done_reason") or "stop"


def _usage(said: Node) -> Node:
    came, went = (int(str(said.get(k) or 0)) for k in ("prompt_eval_count", "eval_count"))
    return {"prompt_tokens": came, "completion_tokens": went, "total_tokens": came + went}


def _node(value: JsonValue) -> Node:
    return value if isinstance(value, dict) else {}


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
