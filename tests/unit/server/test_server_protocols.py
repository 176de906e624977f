"""Clients that know nothing of us: OpenAI's, and one of MCP."""

import asyncio
import json

import httpx2 as http
import openai
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from tests.unit.server.conftest import Served

from oldhand import Oldhand

BERLIN = "How many customers live in Berlin?"


@pytest.fixture
def client(served: Served) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{served.url}/v1", api_key=served.keys["owner"], max_retries=0)


def test_openais_client_asks(client: openai.OpenAI):
    assert [one.id for one in client.models.list()] == ["oldhand"]
    said = client.chat.completions.create(model="oldhand", messages=[{"role": "user", "content": BERLIN}])  # fmt: skip
    assert said.choices[0].message.content == "There are 2 customers in Berlin."
    assert said.choices[0].finish_reason == "stop"


def test_rows_come_as_a_table(client: openai.OpenAI):
    asked = [{"role": "user", "content": "How many customers per city?"}]
    said = client.chat.completions.create(model="oldhand", messages=asked)
    assert "| Berlin | 2 |" in (said.choices[0].message.content or "")


def test_an_answer_is_streamed(client: openai.OpenAI):
    asked = [{"role": "user", "content": BERLIN}]
    usage = {"include_usage": True}
    pieces = [*client.chat.completions.create(model="oldhand", messages=asked, stream=True, stream_options=usage)]  # fmt: skip
    text = "".join(one.choices[0].delta.content or "" for one in pieces if one.choices)
    assert text == "There are 2 customers in Berlin."
    assert pieces[-1].usage is not None
    assert pieces[-2].choices[0].finish_reason == "stop"


def test_feedback_comes_along_with_the_next_question(client: openai.OpenAI, served: Served):
    first = client.chat.completions.create(model="oldhand", messages=[{"role": "user", "content": BERLIN}])  # fmt: skip
    said = [
        {"role": "user", "content": BERLIN},
        {"role": "assistant", "content": first.choices[0].message.content},
        {"role": "user", "content": "and in Oslo?"},
    ]
    detail = {"feedback": "positive", "feedback_detail": "Thanks"}
    second = client.chat.completions.create(model="oldhand", messages=said, metadata=detail)
    assert second.choices[0].message.content == "There is 1 customer in Oslo."
    own = {"Authorization": f"Bearer {served.keys['owner']}"}
    episode = first.id.removeprefix("chatcmpl-")
    found = http.get(f"{served.url}/api/clones/default/answers/{episode}", headers=own).json()
    assert found["success"] is True


def test_what_people_answered_stands_below_the_next_reply(client: openai.OpenAI, served: Served):
    with Oldhand(served.home) as old:
        one = old.experts.ask("Who waters the plants?", user="ana", experts="eve")
        old.experts.answer(one.id, "Cleo does.", expert="eve")
    said = [{"role": "user", "content": BERLIN}]
    first = client.chat.completions.create(model="oldhand", messages=said).choices[0].message
    told = "eve answered your question 'Who waters the plants?': Cleo does."
    assert first.content == f"There are 2 customers in Berlin.\n\n{told}"
    said += [
        {"role": "assistant", "content": first.content},
        {"role": "user", "content": "and in Oslo?"},
    ]
    second = client.chat.completions.create(model="oldhand", messages=said).choices[0].message
    assert second.content == "There is 1 customer in Oslo."


def test_errors_are_those_that_the_client_knows(served: Served):
    stranger = openai.OpenAI(base_url=f"{served.url}/v1", api_key="nobody", max_retries=0)
    with pytest.raises(openai.AuthenticationError):
        stranger.models.list()
    known = openai.OpenAI(base_url=f"{served.url}/v1", api_key=served.keys["owner"], max_retries=0)
    with pytest.raises(openai.NotFoundError):
        known.chat.completions.create(model="oldhand/none", messages=[{"role": "user", "content": BERLIN}])  # fmt: skip


async def conversed(served: Served, key: str) -> dict[str, str]:
    headers = {"Authorization": f"Bearer {key}"}
    said: dict[str, str] = {}
    async with (
        http.AsyncClient(headers=headers, follow_redirects=True) as wire,
        streamable_http_client(f"{served.url}/mcp/", http_client=wire) as (read, write, *_),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        said["tools"] = " ".join(one.name for one in (await session.list_tools()).tools)

        async def call(name: str, **given: object) -> str:
            result = await session.call_tool(name, given)
            said[name] = result.content[0].text
            return said[name]

        await call("ask", question=BERLIN)
        recalled = await call("recall", question=BERLIN)
        if "recall_id" in recalled:
            one = json.loads(recalled)["recall_id"]
            kept = await call("record_outcome", question=BERLIN, answer="2", recall_id=one)
            await call("give_feedback", episode_id=json.loads(kept)["episode_id"], rating=1)
        await call("state_rule", sentence="clients means customers")
    return said


def test_an_agent_asks_records_and_teaches_over_mcp(served: Served):
    said = asyncio.run(conversed(served, served.keys["owner"]))
    assert said["tools"] == "ask recall record_outcome give_feedback state_rule"
    assert json.loads(said["ask"])["text"] == "There are 2 customers in Berlin."
    assert json.loads(said["give_feedback"])["source"] == "owner"
    assert json.loads(said["state_rule"])["rule"]["name"] == "clients"


def test_mcp_asks_who_it_is(served: Served):
    said = asyncio.run(conversed(served, "nobody"))
    assert "NotSignedIn" in said["ask"]
    member = asyncio.run(conversed(served, served.keys["member"]))
    assert "neither" in member["state_rule"] or "say" in member["state_rule"]
