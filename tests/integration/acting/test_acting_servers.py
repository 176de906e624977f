"""The agent against servers that speak the protocols of OpenAI, Anthropic and Ollama."""

from collections.abc import Callable

import pytest

from oldhand.agent.acting import LMPolicy, ReActChat, Transition
from oldhand.agent.tools import as_tool
from oldhand.models import LanguageModel, get_lm
from oldhand.settings import ModelSettings
from oldhand.testing.fake_replies import CalledTool, Fault, Reply, Request
from oldhand.testing.model_server import FakeServer

NAMES = ["openai:gpt-4o", "anthropic:claude-sonnet-5", "ollama:llama3.2"]


def look_up(city: str) -> str:
    """Look up a city.

    Args:
        city: Its name.
    """
    return f"{city} has 3 customers"


def model_of(server: FakeServer, name: str) -> LanguageModel:
    return get_lm(
        name,
        settings=ModelSettings(retries=0),
        environ={
            "OPENAI_BASE_URL": server.openai_url,
            "OPENAI_API_KEY": "sk-nobody-sees-this",
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "sk-nobody-sees-this",
            "OLLAMA_BASE_URL": server.url,
        },
    )


def agent_of(server: FakeServer, name: str) -> ReActChat:
    tools = [as_tool(look_up, idempotent=True)]
    return ReActChat(LMPolicy(model_of(server, name), tools), Transition(tools))


def asked_for(city: str) -> CalledTool:
    return CalledTool(name="look_up", arguments={"city": city})


@pytest.mark.parametrize("name", NAMES)
def test_tools_are_called_in_the_protocol_of_the_provider(name: str):
    replies = [
        Reply(text="Two at once.", tool_calls=(asked_for("Bonn"), asked_for("Ulm"))),
        Reply(tool_calls=(asked_for("Kiel"),)),
        Reply(text="Nine."),
    ]
    with FakeServer(replies) as server:
        state = agent_of(server, name).run("How many customers are there?")
    assert (state.outcome, state.answer) == ("answered", "Nine.")
    assert state.steps[0].thought == "Two at once."
    texts = [seen.text for step in state.steps for seen in step.observations]
    assert texts == [f"{city} has 3 customers" for city in ("Bonn", "Ulm", "Kiel")]
    assert {request.stage for request in server.requests} == {"act"}
    last = server.requests[-1]
    assert last.tools == ("look_up",)
    assert all(f"<observation>\n{text}\n</observation>" in last.prompt for text in texts)
    assert state.usage.requests == 3
    assert state.usage.input_tokens > 0


@pytest.mark.parametrize("name", NAMES)
def test_notes_are_in_every_request(name: str):
    replies = [Reply(tool_calls=(asked_for("Bonn"),)), Reply(text="Three.")]
    counts = iter(range(1, 9))
    with FakeServer(replies) as server:
        agent = agent_of(server, name)
        agent.policy.set_dynamic_notes_fn(lambda: [f"Note {next(counts)}"])
        agent.run("How many?")
    assert ["- Note 1" in server.requests[0].prompt, "- Note 2" in server.requests[1].prompt] == [
        True,
        True,
    ]
    assert "- Note 1" not in server.requests[1].prompt


def refusing_tools(answers: list[str]) -> Callable[[Request], Reply]:
    left = iter(answers)

    def answer(request: Request) -> Reply:
        return Reply(fault=Fault.NO_SCHEMA) if request.tools else Reply(text=next(left))

    return answer


@pytest.mark.parametrize("name", NAMES)
def test_a_server_that_refuses_tools_gets_them_as_text(name: str):
    texts = [
        'Thought: look\nAction: look_up\nAction Input: {"city": "Bonn"}',
        "Thought: so\nFinal Answer: Three.",
    ]
    with FakeServer(refusing_tools(texts)) as server:
        state = agent_of(server, name).run("How many?")
    assert (state.outcome, state.answer) == ("answered", "Three.")
    assert state.steps[0].observation.text == "Bonn has 3 customers"
    assert [bool(request.tools) for request in server.requests] == [True, False, False]


@pytest.mark.parametrize("name", NAMES)
def test_arguments_that_are_no_json_are_told_to_the_model(name: str):
    def answer(request: Request) -> Reply:
        if "no JSON object" in request.prompt:
            return Reply(text="Three.")
        return Reply(tool_calls=(asked_for("Bonn"),), fault=Fault.BAD_TOOL_JSON)

    with FakeServer(answer) as server:
        state = agent_of(server, name).run("How many?")
    assert (state.outcome, state.answer) == ("answered", "Three.")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "fault", [Fault.RATE_LIMIT, Fault.SERVER_ERROR, Fault.UNAUTHORIZED, Fault.RESET]
)
def test_a_server_that_fails_ends_the_run_by_name(name: str, fault: Fault):
    with FakeServer([Reply(tool_calls=(asked_for("Bonn"),)), Reply(fault=fault)]) as server:
        state = agent_of(server, name).run("How many?")
    assert (state.outcome, len(state.steps)) == ("failed", 1)
    assert state.error is not None
    assert "sk-nobody" not in state.error
