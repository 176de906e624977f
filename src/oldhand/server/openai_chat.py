"""Chat completions as OpenAI's API has them, so that clients made for it can ask an assistant unchanged."""

import json
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Depends, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from oldhand.errors import OldhandError
from oldhand.record.access import Credential, Role
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.route import RouteResponse
from oldhand.server.access import Caller, caller_in, credential_of
from oldhand.server.problems import problem_of
from oldhand.server.signing_in import signed_in

router = APIRouter(prefix="/v1", tags=["OpenAI-compatible"])
MODEL = "oldhand"
_PIECE = 60
"""Characters of a streamed answer that come at once."""


class TextPart(BaseModel):
    """A piece of a message."""

    type: Literal["text"]
    text: str


class ChatMessage(BaseModel):
    """One message of a conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """All that it says."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


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
    metadata: dict[str, str] | None = Field(
        default=None,
        description="`feedback` (positive or negative) and `feedback_detail` are about the answer before.",
    )


@router.get("/models", operation_id="list_models")
async def list_models(
    request: Request, credential: Annotated[Credential, Depends(credential_of)]
) -> dict[str, Any]:
    """The assistants that the key is good for."""
    known = await signed_in(request, credential)
    return {"object": "list", "data": [_model(name) for name in known.clones]}


def _model(clone: str) -> dict[str, object]:
    name = MODEL if clone == DEFAULT_CLONE else f"{MODEL}/{clone}"
    return {"id": name, "object": "model", "created": 0, "owned_by": "oldhand"}


@router.post("/chat/completions", operation_id="chat_completions", response_model=None)
async def chat_completions(
    request: Request,
    _: Annotated[Credential, Depends(credential_of)],
    given: Annotated[ChatRequest, Body()],
) -> dict[str, Any] | StreamingResponse:
    """Answer the last message of a conversation.

    Tools of the client are never called: the assistant has its own.
    """
    name = given.model.partition("/")[2]
    caller = await caller_in(request, name or None, Role.MEMBER)
    answering = _answer(caller, given)
    if not given.stream:
        return _completion(given.model, await answering)
    return StreamingResponse(_streamed(given, answering), media_type="text/event-stream")


async def _answer(caller: Caller, given: ChatRequest) -> RouteResponse:
    said = [
        {"role": one.role, "content": one.text}
        for one in given.messages
        if one.role in {"user", "assistant"} and one.text
    ]
    return await caller.old.route(said, {"user": caller.user}, given.metadata)


def _completion(model: str, answer: RouteResponse) -> dict[str, Any]:
    message = {"role": "assistant", "content": _shown(answer), "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    head = _head(model, answer, "chat.completion")
    return {**head, "choices": [choice], "usage": _usage()}


def _shown(answer: RouteResponse) -> str:
    """The answer with its rows as a Markdown table, where there is more than one value."""
    if len(answer.rows) * len(answer.columns) <= 1:
        return answer.text
    lines = [answer.columns, ["---"] * len(answer.columns), *answer.rows[:50]]
    table = "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)
    return f"{answer.text}\n\n{table}"


def _cell(cell: object) -> str:
    return "" if cell is None else " ".join(str(cell).replace("|", "\\|").split())


def _head(model: str, answer: RouteResponse, kind: str) -> dict[str, object]:
    return {
        "id": f"chatcmpl-{answer.episode_id}",
        "object": kind,
        "created": int(time.time()),
        "model": model,
        "system_fingerprint": answer.model_used,
    }


def _usage() -> dict[str, int]:
    """Tokens are counted by `oldhand usage`; a built-in mind has none."""
    return {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


async def _streamed(given: ChatRequest, answering: Any) -> AsyncIterator[str]:
    try:
        answer: RouteResponse = await answering
    except OldhandError as error:
        problem = problem_of(error)
        told = {"error": {"message": problem.detail, "type": problem.type, "code": problem.status}}
        yield _line(told)
        return
    head = _head(given.model, answer, "chat.completion.chunk")
    yield _line(_chunk(head, {"role": "assistant", "content": ""}))
    text = _shown(answer)
    for start in range(0, len(text), _PIECE):
        yield _line(_chunk(head, {"content": text[start : start + _PIECE]}))
    yield _line(_chunk(head, {}, "stop"))
    if given.stream_options is not None and given.stream_options.include_usage:
        yield _line({**head, "choices": [], "usage": _usage()})
    yield "data: [DONE]\n\n"


def _chunk(
    head: Mapping[str, object], delta: Mapping[str, object], finish: str | None = None
) -> dict[str, object]:
    choices: Sequence[object] = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {**head, "choices": choices}


def _line(event: object) -> str:
    return f"data: {json.dumps(event)}\n\n"
