"""Tools that callers of chat completions bring, and text as a language model writes it; through OpenAI's own client."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import openai
import pytest
from tests.unit.server.conftest import Served, running

from oldhand import Oldhand
from oldhand.testing import FakeServer, PromptReader
from oldhand.testing.fake_replies import CalledTool
from oldhand.testing.fake_server import Reply, Request

WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather of a town.",
        "parameters": {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]},
    },
}  # fmt: skip
READER = PromptReader({"Which towns are there?": "SELECT name FROM towns ORDER BY name"})
SENTENCE = "There are three of them in all: Basel, Bern and Chur."


def reply(request: Request) -> Reply | str:  # noqa: PLR0911 - one for each thing said
    if request.stage == "summarise":
        return Reply(data={"text": SENTENCE})
    if request.stage != "client_tools":
        return READER.reply(request)
    last = request.messages[-1][1]
    if "sunny" in last:
        return "Take a hat: it is sunny."
    if "Rows:" in last:
        return "They live in Basel, Bern and Chur."
    if "towns" in last:
        called = CalledTool(name="ask_oldhand", arguments={"question": "Which towns are there?"})
        return Reply(tool_calls=(called,))
    if "hat" in last and "weather" in request.tools:
        return Reply(tool_calls=(CalledTool(name="weather", arguments={"town": "Oslo"}),))
    return "Hello."


@pytest.fixture(scope="module")
def thinking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[openai.OpenAI]:
    folder = tmp_path_factory.mktemp("thinking")
    home = folder / "home"
    with FakeServer(reply) as model, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", model.openai_url)
        with Oldhand(home) as old:
            with closing(sqlite3.connect(folder / "shop.db")) as shop, shop:
                shop.execute("CREATE TABLE towns (name TEXT)")
                shop.execute("INSERT INTO towns VALUES ('Basel'), ('Bern'), ('Chur')")
            old.databases.add(f"sqlite:///{folder}/shop.db", name="shop")
            key = old.access.issue_key("default").token
        Path(home / "settings.yaml").write_text("model: openai:fake\n", "utf-8")
        with running(home) as url:
            yield openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0)


def asked(content: str) -> list[dict[str, object]]:
    return [{"role": "user", "content": content}]


def test_a_model_calls_the_tools_of_the_request(thinking: openai.OpenAI):
    messages = asked("Do I need a hat?")
    first = thinking.chat.completions.create(model="oldhand", messages=messages, tools=[WEATHER]).choices[0]  # fmt: skip
    assert first.finish_reason == "tool_calls"
    (call,) = first.message.tool_calls or []
    assert (call.function.name, call.function.arguments) == ("weather", '{"town": "Oslo"}')
    messages += [first.message.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": call.id, "content": "sunny"}]  # fmt: skip
    second = thinking.chat.completions.create(model="oldhand", messages=messages, tools=[WEATHER])
    assert second.choices[0].message.content == "Take a hat: it is sunny."
    assert second.usage is not None
    assert second.usage.total_tokens > 0


def test_a_model_asks_the_assistant_between(thinking: openai.OpenAI):
    said = thinking.chat.completions.create(model="oldhand", messages=asked("In which towns do they live?"), tools=[WEATHER])  # fmt: skip
    assert said.choices[0].message.content == "They live in Basel, Bern and Chur."


def test_calls_are_streamed_and_must_be_made_where_asked_for(thinking: openai.OpenAI):
    named = {"type": "function", "function": {"name": "weather"}}
    pieces = [*thinking.chat.completions.create(model="oldhand", messages=asked("A hat?"), tools=[WEATHER], tool_choice=named, stream=True)]  # fmt: skip
    calls = [it for one in pieces for it in one.choices[0].delta.tool_calls or []]
    assert [one.function.name for one in calls if one.function] == ["weather"]
    assert pieces[-1].choices[0].finish_reason == "tool_calls"
    with pytest.raises(openai.InternalServerError, match="none of the tools"):
        thinking.chat.completions.create(model="oldhand", messages=asked("Hi"), tools=[WEATHER], tool_choice="required")  # fmt: skip


def test_the_sentence_is_streamed_as_it_is_written(thinking: openai.OpenAI):
    usage = {"include_usage": True}
    pieces = [*thinking.chat.completions.create(model="oldhand", messages=asked("Which towns are there?"), stream=True, stream_options=usage)]  # fmt: skip
    texts = [one.choices[0].delta.content for one in pieces if one.choices and one.choices[0].delta.content]  # fmt: skip
    assert "".join(texts).startswith(SENTENCE)
    assert len(texts) > 3
    assert pieces[-1].usage is not None
    assert pieces[-1].usage.completion_tokens > 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"tools": [{"type": "function", "function": {"name": "a b"}}]},
        {"tools": [{"type": "function", "function": {"name": "ask_oldhand"}}]},
        {"tools": [{"type": "function", "function": {"name": "x", "parameters": {"type": "array"}}}]},
        {"tools": [WEATHER], "tool_choice": {"type": "function", "function": {"name": "other"}}},
        {"messages": [{"role": "tool", "tool_call_id": "9", "content": "x"}], "tools": [WEATHER]},
    ],
)  # fmt: skip
def test_what_cannot_be_called_is_named(thinking: openai.OpenAI, wrong: dict[str, object]):
    with pytest.raises(openai.BadRequestError):
        thinking.chat.completions.create(**{"model": "oldhand", "messages": asked("Hi"), **wrong})


def test_the_built_in_mind_answers_without_tools_and_says_so_when_it_has_to(served: Served):
    plain = openai.OpenAI(base_url=f"{served.url}/v1", api_key=served.keys["owner"], max_retries=0)
    messages = asked("How many customers live in Berlin?")
    said = plain.chat.completions.create(model="oldhand", messages=messages, tools=[WEATHER])
    assert said.choices[0].message.content == "There are 2 customers in Berlin."
    with pytest.raises(openai.BadRequestError, match="built-in mind calls no tools"):
        plain.chat.completions.create(model="oldhand", messages=messages, tools=[WEATHER], tool_choice="required")  # fmt: skip
