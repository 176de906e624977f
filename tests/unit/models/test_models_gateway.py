"""The gateway against a server that really speaks the protocols, and misbehaves on demand."""

import asyncio
import json
import traceback
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from random import Random
from socket import socket

import pytest
from pydantic import BaseModel, JsonValue

from oldhand.errors import (
    ContextTooLong,
    CutStream,
    MalformedAnswer,
    MissingExtra,
    ModelError,
    ModelRefused,
    ModelServerError,
    ModelTimedOut,
    ModelUnreachable,
    RateLimited,
)
from oldhand.models import LanguageModel, Ledger, Message, ModelTool, get_lm
from oldhand.settings import ModelSettings
from oldhand.testing.fake_server import FakeServer, Fault, Reply, Request

KEY = "sk-a-key-that-nobody-may-see"
ASKED = [Message(role="system", content="Be brief."), Message(role="user", content="How many?")]
SAID = "one two three four five six seven eight nine"
LOOKUP = ModelTool(name="lookup", description="Look it up.", parameters={"type": "object"})
NAMES = ["openai:gpt-4o", "anthropic:claude-sonnet-5", "ollama:llama3.2"]

over_all = pytest.mark.parametrize("name", NAMES)


class City(BaseModel):
    name: str
    customers: int


class Waits:
    """A sleep that takes no time and remembers what it was asked for."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@asynccontextmanager
async def asked_of(
    server: FakeServer | str, name: str, waits: Waits | None = None, **settings: float
) -> AsyncIterator[LanguageModel]:
    url = server if isinstance(server, str) else server.url
    model = get_lm(
        name,
        settings=ModelSettings.model_validate({"timeout_seconds": 600, "retries": 2, **settings}),
        environ={
            "OPENAI_BASE_URL": f"{url}/v1",
            "OPENAI_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": KEY,
            "OLLAMA_BASE_URL": url,
            "OLLAMA_API_KEY": KEY,
        },
        random=Random(7),
        sleep=waits or Waits(),
    )
    try:
        yield model
    finally:
        await model.aclose()


async def complete(model: LanguageModel, ledger: Ledger) -> str:
    return (await model.complete(ASKED, stage="s", ledger=ledger)).text


async def stream(model: LanguageModel, ledger: Ledger) -> str:
    async with aclosing(model.stream(ASKED, stage="s", ledger=ledger)) as pieces:
        return "".join([piece async for piece in pieces])


Expected = type[ModelError] | tuple[type[ModelError], ...] | None
BROKEN_OFF = (ModelUnreachable, CutStream)
"""Anthropic's plain answers may be streamed behind the scenes."""

COMPLETE: dict[Fault, Expected] = {
    Fault.RATE_LIMIT: RateLimited,
    Fault.SERVER_ERROR: ModelServerError,
    Fault.UNAVAILABLE: ModelServerError,
    Fault.UNAUTHORIZED: ModelRefused,
    Fault.NOT_FOUND: ModelRefused,
    Fault.CONTEXT_LENGTH: ContextTooLong,
    Fault.NO_SCHEMA: None,
    Fault.RESET: ModelUnreachable,
    Fault.NO_CHOICES: MalformedAnswer,
    Fault.NOT_JSON: MalformedAnswer,
    Fault.WRONG_SHAPE: MalformedAnswer,
    Fault.BAD_TOOL_JSON: MalformedAnswer,
    Fault.CUT: BROKEN_OFF,
    Fault.CUT_AT_END: None,
    Fault.BREAK: BROKEN_OFF,
    Fault.LENGTH: None,
    Fault.REFUSAL: ModelRefused,
    Fault.HUGE: None,
}
"""`ERROR_IN_STREAM` has no plain form."""
STREAM: dict[Fault, Expected] = {
    **COMPLETE,
    Fault.NO_CHOICES: ModelError,
    Fault.BAD_TOOL_JSON: None,
    Fault.CUT: CutStream,
    Fault.BREAK: CutStream,
    Fault.ERROR_IN_STREAM: CutStream,
    Fault.LENGTH: CutStream,
}
TIMED = {Fault.HANG, Fault.DRIP}


def test_every_fault_is_tried() -> None:
    assert set(COMPLETE) | TIMED | {Fault.ERROR_IN_STREAM} == set(Fault)
    assert set(STREAM) | TIMED == set(Fault)


@over_all
@pytest.mark.parametrize(
    ("fault", "ask", "expected"),
    [(fault, complete, error) for fault, error in COMPLETE.items()]
    + [(fault, stream, error) for fault, error in STREAM.items()],
)
async def test_every_misbehaviour_ends_in_an_answer_or_a_named_error(
    name: str,
    fault: Fault,
    ask: Callable[[LanguageModel, Ledger], AbstractAsyncContextManager[str]],
    expected: Expected,
) -> None:
    ledger = Ledger()
    with FakeServer(lambda _: Reply(text=SAID, fault=fault)) as server:
        async with asked_of(server, name, retries=0) as model:
            if expected is None:
                answer = await ask(model, ledger)  # type: ignore[misc]
                assert answer.startswith(SAID)
            else:
                with pytest.raises(expected) as caught:
                    await ask(model, ledger)  # type: ignore[misc]
                assert KEY not in "".join(traceback.format_exception(caught.value))
    assert ledger.total.requests == 1


@over_all
@pytest.mark.parametrize("ask", [complete, stream])
async def test_a_server_that_hangs_is_left(name: str, ask: Callable[..., object]) -> None:
    ledger = Ledger()
    with FakeServer([Reply(fault=Fault.HANG)] * 2) as server:
        async with asked_of(server, name, retries=1, timeout_seconds=0.2) as model:
            with pytest.raises(ModelTimedOut):
                await ask(model, ledger)  # type: ignore[misc]
    # A busy machine may leave before the server has read the request: the ledger knows of both.
    assert ledger.total.requests == 2


@over_all
async def test_a_slow_drip_is_no_way_around_the_time_limit(name: str) -> None:
    with FakeServer([Reply(text=SAID, fault=Fault.DRIP, pause=0.1)]) as server:
        async with asked_of(server, name, retries=0, timeout_seconds=0.3) as model:
            with pytest.raises(ModelTimedOut):
                await complete(model, Ledger())


@over_all
async def test_a_slow_stream_is_read_as_long_as_pieces_come(name: str) -> None:
    with FakeServer([Reply(text=SAID, fault=Fault.DRIP, pause=0.02)]) as server:
        async with asked_of(server, name, retries=0) as model:
            assert await stream(model, Ledger()) == SAID


@over_all
async def test_a_stream_that_stalls_is_left(name: str) -> None:
    seen: list[str] = []
    with FakeServer([Reply(text=SAID, fault=Fault.DRIP, pause=3)]) as server:
        async with asked_of(server, name, retries=0, timeout_seconds=0.5) as model:
            with pytest.raises(ModelTimedOut):
                seen.append(await stream(model, Ledger()))
    assert not seen


@over_all
@pytest.mark.parametrize("ask", [complete, stream])
async def test_it_asks_again_while_the_model_is_unavailable(
    name: str, ask: Callable[..., object]
) -> None:
    waits, ledger = Waits(), Ledger()
    replies = [Reply(fault=Fault.SERVER_ERROR), Reply(fault=Fault.RESET), Reply(text=SAID)]
    with FakeServer(replies) as server:
        async with asked_of(server, name, waits, backoff_seconds=1) as model:
            assert await ask(model, ledger) == SAID  # type: ignore[misc]
    assert len(waits.seconds) == 2
    assert 0 <= waits.seconds[0] <= 1
    assert 0 <= waits.seconds[1] <= 2
    assert ledger.total.requests == 3


@over_all
async def test_it_waits_as_long_as_the_provider_says_within_bounds(name: str) -> None:
    waits = Waits()
    replies = [
        Reply(fault=Fault.RATE_LIMIT, retry_after=7),
        Reply(fault=Fault.UNAVAILABLE, retry_after=3600),
        Reply(text=SAID),
    ]
    with FakeServer(replies) as server:
        async with asked_of(server, name, waits, max_backoff_seconds=20) as model:
            await complete(model, Ledger())
    assert waits.seconds == [7, 20]


@over_all
async def test_when_it_gives_up_it_says_how_long_to_wait(name: str) -> None:
    with FakeServer(lambda _: Reply(fault=Fault.RATE_LIMIT, retry_after=7)) as server:
        async with asked_of(server, name) as model:
            with pytest.raises(RateLimited) as caught:
                await complete(model, Ledger())
        assert len(server.requests) == 3
    assert caught.value.retry_after == 7


@over_all
@pytest.mark.parametrize(
    "fault", [Fault.UNAUTHORIZED, Fault.NOT_FOUND, Fault.CONTEXT_LENGTH, Fault.NOT_JSON]
)
async def test_what_another_try_would_not_help_is_not_tried_again(name: str, fault: Fault) -> None:
    with FakeServer(lambda _: Reply(fault=fault)) as server:
        async with asked_of(server, name) as model:
            with pytest.raises(ModelError):
                await complete(model, Ledger())
        assert len(server.requests) == 1


@over_all
async def test_a_stream_that_breaks_after_its_first_piece_is_not_asked_for_again(name: str) -> None:
    with FakeServer(lambda _: Reply(text=SAID, fault=Fault.BREAK)) as server:
        async with asked_of(server, name) as model:
            with pytest.raises(CutStream):
                await stream(model, Ledger())
        assert len(server.requests) == 1


@over_all
async def test_a_server_that_is_not_there_is_unreachable(name: str) -> None:
    with socket() as nobody:  # it keeps the port, and does not listen
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        async with asked_of(url, name, retries=0) as model:
            with pytest.raises(ModelUnreachable, match=r"127\.0\.0\.1"):
                await complete(model, Ledger())


@over_all
@pytest.mark.parametrize("ask", [complete, stream])
async def test_cancelling_ends_the_request(name: str, ask: Callable[..., object]) -> None:
    arrived = asyncio.Event()
    loop = asyncio.get_running_loop()

    def answer(_: Request) -> Reply:
        loop.call_soon_threadsafe(arrived.set)
        return Reply(fault=Fault.HANG)

    ledger = Ledger()
    with FakeServer(answer) as server:
        async with asked_of(server, name) as model:
            task = asyncio.ensure_future(ask(model, ledger))  # type: ignore[arg-type]
            await arrived.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
    assert ledger.total.requests == 1


@over_all
async def test_leaving_a_stream_early_books_it_and_closes_it(name: str) -> None:
    ledger = Ledger()
    with FakeServer(lambda _: Reply(text=SAID, fault=Fault.DRIP, pause=0.05)) as server:
        async with (
            asked_of(server, name) as model,
            aclosing(model.stream(ASKED, stage="s", ledger=ledger)) as pieces,
        ):
            assert SAID.startswith(await anext(pieces))
    assert ledger.total.requests == 1


@over_all
async def test_bad_tool_arguments_are_quoted_not_passed_on(name: str) -> None:
    ledger = Ledger()
    with FakeServer([Reply(fault=Fault.BAD_TOOL_JSON)]) as server:
        async with asked_of(server, name) as model:
            with pytest.raises(MalformedAnswer, match=r"lookup.*Berlin"):
                await model.complete(ASKED, stage="s", ledger=ledger, tools=[LOOKUP])
    assert ledger.total.requests == 1


@pytest.mark.parametrize("name", ["gpt-4", *NAMES])
async def test_a_server_that_refuses_schemas_is_asked_in_another_way_from_then_on(
    name: str,
) -> None:
    reply = Reply(text='{"name": "Bern", "customers": 2}', fault=Fault.NO_SCHEMA)
    with FakeServer(lambda _: reply) as server:
        async with asked_of(server, name) as model:
            first = await model.structured(ASKED, City, stage="s", ledger=Ledger())
            tried = len(server.requests)
            second = await model.structured(ASKED, City, stage="s", ledger=Ledger())
    assert first == second == City(name="Bern", customers=2)
    assert 1 < tried <= 3
    assert len(server.requests) == tried + 1
    assert "customers" in json.dumps(server.requests[-1].body)


async def test_bad_json_in_a_tool_call_is_asked_for_once_more() -> None:
    replies = [Reply(fault=Fault.BAD_TOOL_JSON), Reply(data={"name": "Bern", "customers": 2})]
    with FakeServer(replies) as server:
        async with asked_of(server, "anthropic:claude-of-our-own") as model:
            city = await model.structured(ASKED, City, stage="s", ledger=Ledger())
    assert city.name == "Bern"


@over_all
async def test_an_answer_cut_at_the_token_limit_is_not_asked_for_again(name: str) -> None:
    with FakeServer(lambda _: Reply(text='{"name": "Be', fault=Fault.LENGTH)) as server:
        async with asked_of(server, name) as model:
            with pytest.raises(CutStream):
                await model.structured(ASKED, City, stage="s", ledger=Ledger())
            answer = await model.complete(ASKED, stage="s", ledger=Ledger())
        assert len(server.requests) == 2
    assert answer.finish_reason == "length"


@over_all
async def test_usage_is_what_the_server_reported(name: str) -> None:
    ledger = Ledger()
    with FakeServer(lambda _: Reply(text=SAID, input_tokens=120, output_tokens=34)) as server:
        async with asked_of(server, name) as model:
            answer = await model.complete(ASKED, stage="plan", ledger=ledger)
            await stream(model, ledger)
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (120, 34)
    assert (ledger.total.input_tokens, ledger.total.output_tokens) == (240, 68)
    assert [entry.model for entry in ledger.entries] == [name, name]


@pytest.mark.parametrize("name", NAMES[:2])
async def test_tokens_that_the_provider_had_read_before_are_told(name: str) -> None:
    ledger = Ledger()
    with FakeServer(lambda _: Reply(text=SAID, input_tokens=120, cached_tokens=100)) as server:
        async with asked_of(server, name) as model:
            await model.complete(ASKED, stage="plan", ledger=ledger)
            await stream(model, ledger)
    assert (ledger.total.input_tokens, ledger.total.cached_tokens) == (240, 200)


async def test_what_does_not_change_is_marked_where_the_protocol_has_marks() -> None:
    with FakeServer([SAID, SAID]) as server:
        async with asked_of(server, "anthropic:claude-sonnet-5") as model:
            await model.complete(ASKED, stage="plan", ledger=Ledger(), tools=[LOOKUP])
        body = server.requests[0].body
    mark = {"cache_control": {"type": "ephemeral", "ttl": "5m"}}
    assert body["system"] == [{"type": "text", "text": "Be brief.", **mark}]
    assert json.dumps(body["tools"]).count("cache_control") == 1
    assert "cache_control" not in json.dumps(body["messages"])


async def test_a_call_costs_what_its_maker_lists_and_nothing_where_no_price_is_known() -> None:
    costs: list[float] = []
    with FakeServer(lambda _: Reply(text=SAID, input_tokens=1000, output_tokens=1000)) as server:
        for name in ["gpt-4", "anthropic:claude-sonnet-5", "ollama:llama3.2", "openai:my-model"]:
            async with asked_of(server, name) as model:
                costs.append((await model.complete(ASKED, stage="s", ledger=Ledger())).usage.cost)
    assert costs[0] == pytest.approx(0.03 + 0.06)
    assert costs[1] > 0
    assert costs[2:] == [0, 0]


@over_all
async def test_messages_temperature_stage_and_key_reach_the_server(name: str) -> None:
    talk = [
        *ASKED,
        Message(role="assistant", content="Of what?"),
        Message(role="user", content="Cats"),
    ]
    with FakeServer([SAID]) as server:
        async with asked_of(server, name, temperature=0.5) as model:
            await model.complete(talk, stage="plan", ledger=Ledger())
        request = server.requests[0]
    assert request.messages == tuple((message.role, message.content) for message in talk)
    assert request.stage == "plan"
    assert KEY in json.dumps(dict(request.headers))
    assert request.model == name.partition(":")[2]
    if not name.startswith("anthropic:claude-sonnet-5"):
        assert (request.body.get("options") or request.body)["temperature"] == 0.5


async def test_a_reasoning_model_is_sent_no_temperature() -> None:
    with FakeServer([SAID]) as server:
        async with asked_of(server, "o3-mini") as model:
            await complete(model, Ledger())
        assert "temperature" not in server.requests[0].body


async def test_no_key_is_needed_for_a_server_of_ones_own() -> None:
    with FakeServer([SAID]) as server:
        settings = ModelSettings(base_url=server.openai_url)
        model = get_lm("openai:my-model", settings=settings, environ={})
        assert await complete(model, Ledger()) == SAID
        await model.aclose()


async def test_many_questions_may_be_asked_at_once() -> None:
    def echo(request: Request) -> Reply:
        return Reply(text=f"You said {request.messages[-1][1]}")

    with FakeServer(echo) as server:
        async with asked_of(server, "openai:m") as model:
            ledger = Ledger()
            asked: Sequence[list[Message]] = [
                [Message(role="user", content=str(number))] for number in range(20)
            ]
            answers = await asyncio.gather(
                *(model.complete(talk, stage="s", ledger=ledger) for talk in asked)
            )
    assert [answer.text for answer in answers] == [f"You said {number}" for number in range(20)]
    assert ledger.total.requests == 20


def test_one_model_serves_one_event_loop_after_another() -> None:
    async def ask(model: LanguageModel) -> str:
        return await complete(model, Ledger())

    with FakeServer(lambda _: SAID) as server:
        settings = ModelSettings(base_url=server.openai_url)
        model = get_lm("openai:m", settings=settings, environ={})
        assert [asyncio.run(ask(model)) for _ in range(3)] == [SAID] * 3


async def test_a_closed_model_may_be_used_again() -> None:
    with FakeServer(lambda _: SAID) as server:
        async with asked_of(server, "openai:m") as model:
            await model.aclose()
            await model.aclose()
            assert await complete(model, Ledger()) == SAID
            await model.aclose()
            assert await complete(model, Ledger()) == SAID


async def test_strange_characters_survive() -> None:
    strange: JsonValue = 'naïve \u2028 \x00 🙂 "quoted" \\n <|im_start|>'
    with FakeServer(lambda request: request.messages[-1][1]) as server:
        async with asked_of(server, "openai:m") as model:
            talk = [Message(role="user", content=str(strange))]
            answer = await model.complete(talk, stage="später…", ledger=Ledger())
    assert answer.text == strange


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [
        ("openai:m", "openai", "openai"),
        ("ollama:m", "openai", "ollama"),
        ("anthropic:m", "anthropic", "anthropic"),
    ],
)
def test_a_missing_package_says_how_to_install_it(
    name: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)  # as if it were not installed
    with pytest.raises(MissingExtra, match=rf"pip install 'oldhand\[{extra}\]'"):
        get_lm(name, api_key="sk-1", environ={})


@over_all
async def test_system_messages_in_a_row_reach_the_server_as_one(name: str) -> None:
    talk = [Message(role="system", content="Be kind."), *ASKED]
    with FakeServer([Reply(text=SAID)]) as server:
        async with asked_of(server, name) as model:
            await model.complete(talk, stage="s", ledger=Ledger())
        said = server.requests[0].messages
    assert said == (("system", "Be kind.\n\nBe brief."), ("user", "How many?"))
