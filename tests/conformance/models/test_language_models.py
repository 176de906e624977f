"""One suite over everything that claims to be a `LanguageModel`: the doubles, and the gateway to each provider."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from pydantic import BaseModel

from oldhand.errors import (
    ContextTooLong,
    CutStream,
    MalformedAnswer,
    ModelError,
    ModelServerError,
    ModelUnavailable,
    RateLimited,
)
from oldhand.models import (
    Completion,
    LanguageModel,
    Ledger,
    Message,
    ModelTool,
    ToolCall,
    ToolResult,
    get_lm,
)
from oldhand.settings import ModelSettings
from oldhand.testing.clock import FixedClock
from oldhand.testing.fake_server import CalledTool, FakeServer, Fault, Reply
from oldhand.testing.replay import RecordingModel, ReplayModel
from oldhand.testing.scripted import BreaksOff, Scripted, ScriptedModel

R = TypeVar("R")
Action = Callable[[LanguageModel, Ledger], Awaitable[R]]

OVER_THE_NETWORK = {
    "openai": "openai:gpt-4o",
    "openai, before schemas": "gpt-4",
    "openai-compatible": "openai:my-model",
    "anthropic": "anthropic:claude-sonnet-5",
    "anthropic, before schemas": "anthropic:claude-of-our-own",
    "ollama": "ollama:llama3.2:3b",
}
ANSWERING = ["scripted", "replay", *OVER_THE_NETWORK]
FAILING = ["scripted", *OVER_THE_NETWORK]
"""A replayed model has no failures: a call that fails is not recorded."""

ASKED = [
    Message(role="system", content="Be brief."),
    Message(role="user", content="Where do most customers live?"),
]


class City(BaseModel):
    name: str
    customers: int


class Town(BaseModel):
    """A form with parts, choices and defaults, as real prompts have them."""

    city: City
    twins: list[City] = []
    note: str | None = None


LOOKUP = ModelTool(
    name="lookup",
    description="Look a city up.",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
)

ERRORS: dict[Fault, ModelError] = {
    Fault.RATE_LIMIT: RateLimited(),
    Fault.SERVER_ERROR: ModelServerError(),
    Fault.CONTEXT_LENGTH: ContextTooLong(),
}


def scripted(reply: Reply) -> Scripted:
    """The same answer for the scripted model."""
    if reply.fault is Fault.CUT:
        return BreaksOff(reply.text[: len(reply.text) // 2], CutStream())
    if reply.fault is not None:
        return ERRORS[reply.fault]
    if reply.tool_calls:
        calls = [
            ToolCall(id=f"call-{number}", name=call.name, arguments=call.arguments)
            for number, call in enumerate(reply.tool_calls)
        ]
        return Completion(text=reply.text, tool_calls=tuple(calls), finish_reason="tool_call")
    return reply.text if reply.data is None else dict(reply.data)  # type: ignore[arg-type]


@asynccontextmanager
async def over_the_network(name: str, replies: Sequence[Reply]) -> AsyncIterator[LanguageModel]:
    async def no_wait(seconds: float) -> None:
        pass

    with FakeServer(replies) as server:
        environ = {
            "OPENAI_BASE_URL": server.openai_url,
            "OLLAMA_BASE_URL": server.url,
            "ANTHROPIC_BASE_URL": server.url,
        }
        settings = ModelSettings(retries=1, timeout_seconds=600)
        model = get_lm(OVER_THE_NETWORK[name], settings=settings, environ=environ, sleep=no_wait)
        try:
            yield model
        finally:
            await model.aclose()


async def run(kind: str, replies: Sequence[Reply], action: Action[R], folder: Path) -> R:
    """Do `action` with a model of that kind which gives these answers."""
    ledger = Ledger(FixedClock())
    if kind in OVER_THE_NETWORK:
        async with over_the_network(kind, replies) as model:
            return await action(model, ledger)
    original = ScriptedModel([scripted(reply) for reply in replies])
    if kind == "scripted":
        return await action(original, ledger)
    path = folder / "recorded.jsonl"
    await action(RecordingModel(original, path), Ledger(FixedClock()))
    return await action(ReplayModel(path), ledger)


async def read(model: LanguageModel, ledger: Ledger) -> str:
    """The whole of a streamed answer."""
    async with aclosing(model.stream(ASKED, stage="chat", ledger=ledger)) as pieces:
        return "".join([piece async for piece in pieces])


def test_the_suite_runs_over_all_kinds_of_model() -> None:
    assert len(ANSWERING) == 8
    assert len(FAILING) == 7


@pytest.mark.parametrize("kind", ANSWERING)
async def test_a_text_comes_back_as_it_was_written(kind: str, tmp_path: Path) -> None:
    said = 'Most live in Zürich: "7".\n\n  • 日本語 🙂'

    async def ask(model: LanguageModel, ledger: Ledger) -> Completion:
        return await model.complete(ASKED, stage="chat", ledger=ledger)

    answer = await run(kind, [Reply(text=said)], ask, tmp_path)
    assert answer.text == said
    assert answer.finish_reason == "stop"
    assert answer.tool_calls == ()


@pytest.mark.parametrize("kind", ANSWERING)
async def test_each_call_is_booked_under_its_stage(kind: str, tmp_path: Path) -> None:
    async def ask(model: LanguageModel, ledger: Ledger) -> Ledger:
        await model.complete(ASKED, stage="plan", ledger=ledger)
        await model.structured(ASKED, City, stage="generate_sql", ledger=ledger)
        await read(model, ledger)
        return ledger

    replies = [Reply(text="One."), Reply(data={"name": "Bern", "customers": 2}), Reply(text="Two.")]
    ledger = await run(kind, replies, ask, tmp_path)
    assert [entry.stage for entry in ledger.entries] == ["plan", "generate_sql", "chat"]
    assert all(entry.usage.requests == 1 for entry in ledger.entries)
    assert all(entry.usage.input_tokens > 0 for entry in ledger.entries)
    assert all(entry.usage.output_tokens > 0 for entry in ledger.entries)


@pytest.mark.parametrize("kind", ANSWERING)
async def test_an_answer_has_the_form_that_was_asked_for(kind: str, tmp_path: Path) -> None:
    async def ask(model: LanguageModel, ledger: Ledger) -> Town:
        return await model.structured(ASKED, Town, stage="chat", ledger=ledger)

    bern = {"name": "Bern", "customers": 2}
    town = await run(kind, [Reply(data={"city": bern, "twins": [bern]})], ask, tmp_path)
    assert town == Town(city=City(**bern), twins=[City(**bern)])  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ANSWERING)
async def test_json_is_found_in_chatter(kind: str, tmp_path: Path) -> None:
    async def ask(model: LanguageModel, ledger: Ledger) -> City:
        return await model.structured(ASKED, City, stage="chat", ledger=ledger)

    said = 'Sure {I think}:\n```json\n{"name": "Bern", "customers": 2}\n```\nAnything else?'
    assert await run(kind, [Reply(text=said)], ask, tmp_path) == City(name="Bern", customers=2)


@pytest.mark.parametrize("kind", ANSWERING)
async def test_an_answer_that_misses_the_form_is_asked_for_once_more(
    kind: str, tmp_path: Path
) -> None:
    async def ask(model: LanguageModel, ledger: Ledger) -> tuple[City, Ledger]:
        return await model.structured(ASKED, City, stage="chat", ledger=ledger), ledger

    replies = [Reply(data={"name": "Bern"}), Reply(data={"name": "Bern", "customers": 2})]
    city, ledger = await run(kind, replies, ask, tmp_path)
    assert city.customers == 2
    assert ledger.total.requests == 2


@pytest.mark.parametrize("kind", ANSWERING)
async def test_the_pieces_of_a_stream_are_the_text(kind: str, tmp_path: Path) -> None:
    said = "  Most of them live in Bern,\nnot in Zürich.  "
    assert await run(kind, [Reply(text=said)], read, tmp_path) == said


@pytest.mark.parametrize("kind", ANSWERING)
async def test_several_tools_may_be_called_at_once(kind: str, tmp_path: Path) -> None:
    async def ask(model: LanguageModel, ledger: Ledger) -> Completion:
        return await model.complete(ASKED, stage="chat", ledger=ledger, tools=[LOOKUP])

    calls = tuple(CalledTool(name="lookup", arguments={"city": c}) for c in ("Bern", "Köln"))
    answer = await run(kind, [Reply(tool_calls=calls)], ask, tmp_path)
    assert [call.arguments for call in answer.tool_calls] == [{"city": "Bern"}, {"city": "Köln"}]
    assert len({call.id for call in answer.tool_calls}) == 2
    assert answer.finish_reason == "tool_call"


@pytest.mark.parametrize("kind", ANSWERING)
async def test_what_tools_gave_back_goes_into_the_next_call(kind: str, tmp_path: Path) -> None:
    async def ask(model: LanguageModel, ledger: Ledger) -> str:
        first = await model.complete(ASKED, stage="chat", ledger=ledger, tools=[LOOKUP])
        results = [
            ToolResult(call_id=call.id, tool=call.name, content=f"{call.arguments['city']}: 3")
            for call in first.tool_calls
        ]
        talk = [*ASKED, first.message, *results]
        return (await model.complete(talk, stage="chat", ledger=ledger, tools=[LOOKUP])).text

    calls = tuple(CalledTool(name="lookup", arguments={"city": c}) for c in ("Bern", "Köln"))
    replies = [Reply(text="I look.", tool_calls=calls), Reply(text="Both have 3.")]
    assert await run(kind, replies, ask, tmp_path) == "Both have 3."


@pytest.mark.parametrize("kind", FAILING)
async def test_a_second_miss_is_malformed_and_quoted(kind: str, tmp_path: Path) -> None:
    async def ask(model: LanguageModel, ledger: Ledger) -> City:
        return await model.structured(ASKED, City, stage="chat", ledger=ledger)

    replies = [Reply(text="No idea."), Reply(data={"name": "Bern", "customers": "many"})]
    with pytest.raises(MalformedAnswer, match=r"customers: Input should be a valid integer.*many"):
        await run(kind, replies, ask, tmp_path)


@pytest.mark.parametrize("fault", ERRORS)
@pytest.mark.parametrize("kind", FAILING)
async def test_a_failure_has_its_name_and_is_booked(
    kind: str, fault: Fault, tmp_path: Path
) -> None:
    async def ask(model: LanguageModel, ledger: Ledger) -> tuple[ModelError, Ledger]:
        with pytest.raises(ModelError) as caught:
            await model.complete(ASKED, stage="chat", ledger=ledger)
        return caught.value, ledger

    error, ledger = await run(kind, [Reply(fault=fault)] * 2, ask, tmp_path)
    assert type(error) is type(ERRORS[fault])
    repeated = isinstance(error, ModelUnavailable) and kind in OVER_THE_NETWORK
    assert ledger.total.requests == (2 if repeated else 1)


@pytest.mark.parametrize("kind", FAILING)
async def test_a_stream_that_just_stops_is_cut_not_complete(kind: str, tmp_path: Path) -> None:
    seen: list[str] = []

    async def ask(model: LanguageModel, ledger: Ledger) -> None:
        async for piece in model.stream(ASKED, stage="chat", ledger=ledger):
            seen.append(piece)  # noqa: PERF401 - what was seen counts when it breaks off

    said = "one two three four five six"
    with pytest.raises(CutStream):
        await run(kind, [Reply(text=said, fault=Fault.CUT)], ask, tmp_path)
    assert seen
    assert said.startswith("".join(seen).strip())


@pytest.mark.parametrize("kind", ANSWERING)
async def test_a_stream_may_be_left_early(kind: str, tmp_path: Path) -> None:
    async def ask(model: LanguageModel, ledger: Ledger) -> tuple[str, str]:
        whole = await read(model, ledger)
        async with aclosing(model.stream(ASKED, stage="chat", ledger=ledger)) as pieces:
            return whole, await anext(pieces)

    replies = [Reply(text="one two three four")] * 2
    whole, first = await run(kind, replies, ask, tmp_path)
    assert whole.startswith(first)
    assert len(first) < len(whole)
