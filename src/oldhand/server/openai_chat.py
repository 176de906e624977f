"""Chat completions as OpenAI's API has them, so that clients made for it can ask an assistant unchanged."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Request
from fastapi.responses import StreamingResponse

from oldhand.errors import OldhandError
from oldhand.record.access import Credential, Role
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.ports import Observer
from oldhand.record.progress import Begun, Progress, TextDraft
from oldhand.server.access import Caller, caller_in, credential_of
from oldhand.server.openai_messages import MODEL, ChatReply, ChatRequest, conversed, tool_choice
from oldhand.server.problems import error_for_openai, problem_of
from oldhand.server.signing_in import signed_in

router = APIRouter(prefix="/v1", tags=["OpenAI-compatible"])


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


@router.post(
    "/chat/completions",
    operation_id="chat_completions",
    response_model=None,
    responses={200: {"content": {"application/json": {}, "text/event-stream": {}}}},
)
async def chat_completions(
    request: Request,
    _: Annotated[Credential, Depends(credential_of)],
    given: Annotated[ChatRequest, Body()],
) -> dict[str, Any] | StreamingResponse:
    """Answer the last message of a conversation.

    A language model may call the tools of the request, and asks the assistant as one more; what it calls comes back as
    `tool_calls`. The built-in mind calls none: it answers from databases and documents, and refuses a `tool_choice` that
    has to be met.
    """
    name = given.model.partition("/")[2]
    caller = await caller_in(request, name or None, Role.MEMBER)
    wanted = tool_choice(given)
    if wanted is not None and (wanted.must or caller.old.has_model):
        reply = await caller.old.reply_with_tools(conversed(given.messages), wanted, user=caller.user)  # fmt: skip
        return _sent(given, ChatReply.of_tools(reply))
    if not given.stream:
        return _completion(given.model, await _answer(caller, given))
    return StreamingResponse(_streamed(caller, given), media_type="text/event-stream")


async def _answer(caller: Caller, given: ChatRequest, observe: Observer | None = None) -> ChatReply:  # fmt: skip
    """The answer, and below it what people have answered meanwhile."""
    said = [
        {"role": one.role, "content": one.text}
        for one in given.messages
        if one.role in {"user", "assistant"} and one.text
    ]
    answer = await caller.old.route(said, {"user": caller.user}, given.metadata, observe)
    reply, news = ChatReply.of_route(answer), await caller.old.experts.news(caller.user)
    return reply.model_copy(update={"text": "\n\n".join((reply.text, *(one.told for one in news)))})


def _completion(model: str, reply: ChatReply) -> dict[str, Any]:
    message: dict[str, object] = {"role": "assistant", "content": reply.text or None, "refusal": None}  # fmt: skip
    if reply.tool_calls:
        message["tool_calls"] = [*reply.tool_calls]
    choice = {"index": 0, "message": message, "finish_reason": reply.finish, "logprobs": None}
    return {**_head(model, reply, "chat.completion"), "choices": [choice], "usage": reply.usage}


def _head(model: str, reply: ChatReply, kind: str) -> dict[str, object]:
    return {
        "id": reply.id,
        "object": kind,
        "created": int(time.time()),
        "model": model,
        "system_fingerprint": reply.model,
    }


def _sent(given: ChatRequest, reply: ChatReply) -> dict[str, Any] | StreamingResponse:
    """A reply that is there as a whole."""
    if not given.stream:
        return _completion(given.model, reply)

    async def lines() -> AsyncIterator[str]:
        head = _head(given.model, reply, "chat.completion.chunk")
        yield _chunk(head, {"role": "assistant", "content": ""})
        for line in _ended(given, reply, reply.text):
            yield line

    return StreamingResponse(lines(), media_type="text/event-stream")


async def _streamed(caller: Caller, given: ChatRequest) -> AsyncIterator[str]:  # noqa: C901
    """The answer as a language model writes it, as far as the rows bear it out; the built-in mind's comes as a whole."""
    seen: asyncio.Queue[str | None] = asyncio.Queue()
    loop, name = asyncio.get_running_loop(), ""

    def observe(progress: Progress) -> None:
        nonlocal name
        if isinstance(progress, Begun):
            name = progress.episode_id
        elif isinstance(progress, TextDraft):
            loop.call_soon_threadsafe(seen.put_nowait, progress.text)

    answering = asyncio.create_task(_answer(caller, given, observe))
    answering.add_done_callback(lambda _: seen.put_nowait(None))
    head, said = dict[str, object](), ""
    try:
        while (text := await seen.get()) is not None:
            if not said:
                draft = ChatReply(id=f"chatcmpl-{name}", model="")
                head = _head(given.model, draft, "chat.completion.chunk")
                yield _chunk(head, {"role": "assistant", "content": ""})
            if text.startswith(said) and text != said:
                yield _chunk(head, {"content": text[len(said) :]})
                said = text
        try:
            reply = answering.result()
        except OldhandError as error:
            yield _line({"error": error_for_openai(problem_of(error))})
            return
        if not said:
            head = _head(given.model, reply, "chat.completion.chunk")
            yield _chunk(head, {"role": "assistant", "content": ""})
        # What was said turned out otherwise: the answer follows as a whole.
        left = reply.text.removeprefix(said) if reply.text.startswith(said) else f"\n\n{reply.text}"
        for line in _ended(given, reply, left):
            yield line
    finally:
        if not caller.site.is_ending:
            answering.cancel()


def _ended(given: ChatRequest, reply: ChatReply, left: str) -> Iterator[str]:
    """The last lines of a stream: what is left to say, why it ends, and what it used."""
    head = _head(given.model, reply, "chat.completion.chunk")
    if left:
        yield _chunk(head, {"content": left})
    if reply.tool_calls:
        yield _chunk(head, {"tool_calls": [{"index": at, **it} for at, it in enumerate(reply.tool_calls)]})  # fmt: skip
    yield _chunk(head, {}, reply.finish)
    if given.stream_options is not None and given.stream_options.include_usage:
        yield _line({**head, "choices": [], "usage": reply.usage})
    yield "data: [DONE]\n\n"


def _chunk(
    head: Mapping[str, object], delta: Mapping[str, object], finish: str | None = None
) -> str:
    choices: Sequence[object] = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return _line({**head, "choices": choices})


def _line(event: object) -> str:
    return f"data: {json.dumps(event)}\n\n"
