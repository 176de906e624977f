"""Ollama by its own chat: the context is as large as what is asked needs, and nothing is dropped in silence."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from pydantic import BaseModel

from oldhand.errors import ContextTooLong, ModelRefused
from oldhand.models import LanguageModel, Ledger, Message, ModelTool, ToolResult, get_lm
from oldhand.models.tokens import estimate_tokens
from oldhand.settings import ModelSettings
from oldhand.testing.fake_replies import CalledTool
from oldhand.testing.fake_server import FakeServer, Fault, Reply, Request


@asynccontextmanager
async def asked_of(server: FakeServer) -> AsyncGenerator[LanguageModel]:
    settings = ModelSettings(base_url=server.openai_url, retries=0)
    model = get_lm("ollama:llama3.2", settings=settings, environ={})
    try:
        yield model
    finally:
        await model.aclose()


def context_of(request: Request) -> int:
    return request.body["options"]["num_ctx"]  # type: ignore[index, call-overload, return-value]


def forgetful(request: Request) -> Reply:
    """As Ollama does: what does not fit into the context is not read, from its beginning."""
    room = request.body.get("options", {}).get("num_ctx", 4_096)  # type: ignore[union-attr]
    words = request.prompt.split()
    while estimate_tokens(" ".join(words)) > room:  # type: ignore[operator]
        words = words[len(words) // 10 + 1 :]
    return Reply(text="I read the beginning." if words[0] == "First" else "Which schema?")


async def test_a_long_prompt_is_read_whole() -> None:
    schema = "First of all: " + "customers, orders and their items; " * 2_000
    asked = [Message(role="system", content=schema), Message(role="user", content="How many?")]
    with FakeServer(forgetful) as server:
        async with asked_of(server) as model:
            said = await model.complete(asked, stage="s", ledger=Ledger())
        (request,) = server.requests
    assert said.text == "I read the beginning."
    assert request.path == "/api/chat"
    assert request.body["truncate"] is False
    assert context_of(request) == 32_768


async def test_the_model_is_not_loaded_anew_for_each_size() -> None:
    sizes = [10, 7_000, 9_000, 10, 9_000]
    with FakeServer(["Yes."] * len(sizes)) as server:
        async with asked_of(server) as model:
            for size in sizes:
                asked = [Message(role="user", content="word " * size)]
                await model.complete(asked, stage="s", ledger=Ledger())
        assert [context_of(request) for request in server.requests] == [8_192, *[16_384] * 4]


class Count(BaseModel):
    number: int


async def test_a_form_is_kept_to_by_the_server() -> None:
    ledger = Ledger()
    with FakeServer([Reply(data={"number": 3}, input_tokens=70, output_tokens=5)]) as server:
        async with asked_of(server) as model:
            asked = [Message(role="user", content="How many?")]
            assert await model.structured(asked, Count, stage="s", ledger=ledger) == Count(number=3)
        (request,) = server.requests
    assert request.form["properties"] == {"number": {"title": "Number", "type": "integer"}}
    assert (ledger.total.input_tokens, ledger.total.output_tokens) == (70, 5)


async def test_tools_are_called_and_answered() -> None:
    tool = ModelTool(name="stock", description="How many", parameters={"type": "object"})
    called = Reply(tool_calls=(CalledTool(name="stock", arguments={"of": "ink"}),) * 2)
    asked = [Message(role="user", content="How much ink?")]
    with FakeServer([called, "Seven."]) as server:
        async with asked_of(server) as model:
            first = await model.complete(asked, stage="s", ledger=Ledger(), tools=[tool])
            told = [
                ToolResult(content="7", call_id=call.id, tool=call.name)
                for call in first.tool_calls
            ]
            await model.complete([*asked, first.message, *told], stage="s", ledger=Ledger())
        messages = server.requests[1].body["messages"]
    assert first.finish_reason == "tool_call"
    assert first.tool_calls[0].arguments == {"of": "ink"}
    assert first.tool_calls[0].id != first.tool_calls[1].id
    assert messages[1]["tool_calls"][0]["function"]["arguments"] == {"of": "ink"}  # type: ignore[index, call-overload]
    assert [message["role"] for message in messages[2:]] == ["tool", "tool"]  # type: ignore[index, call-overload]


async def test_a_stream_ends_with_its_usage() -> None:
    ledger = Ledger()
    with FakeServer([Reply(text="Three customers.", input_tokens=9, output_tokens=4)]) as server:
        async with asked_of(server) as model:
            asked = [Message(role="user", content="How many?")]
            said = [piece async for piece in model.stream(asked, stage="s", ledger=ledger)]
    assert "".join(said) == "Three customers."
    assert len(said) > 1
    assert (ledger.total.input_tokens, ledger.total.output_tokens) == (9, 4)


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        (Fault.CONTEXT_LENGTH, ContextTooLong, "exceeds the context length"),
        (Fault.NOT_FOUND, ModelRefused, "model 'llama3.2' not found"),
    ],
)
async def test_errors_in_its_own_words(fault: Fault, error: type[Exception], words: str) -> None:
    with FakeServer([Reply(fault=fault)]) as server:
        async with asked_of(server) as model:
            with pytest.raises(error, match=words):
                await model.complete(
                    [Message(role="user", content="x")], stage="s", ledger=Ledger()
                )


async def test_a_server_that_only_speaks_like_openai_is_asked_so() -> None:
    with FakeServer(["Yes.", "Yes."]) as server:
        address = server.openai_url.replace("/v1", "/proxy/v1")
        settings = ModelSettings(base_url=address, retries=0)
        model = get_lm("ollama:llama3.2", settings=settings, environ={})
        asked = [Message(role="user", content="Well?")]
        server.own_chat = False
        for _ in range(2):
            assert (await model.complete(asked, stage="s", ledger=Ledger())).text == "Yes."
        await model.aclose()
        assert [request.path for request in server.requests] == ["/proxy/v1/chat/completions"] * 2
