"""Instructions, history, output type, approval, vetoes and streamed text, with a model behind OpenAI's protocol.

The model answers by what its prompt holds, so that each option is seen to reach it.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Protocol

import pytest
from pydantic import BaseModel

from oldhand import SQLValidator, create_tool_use_agent
from oldhand.agent.acting import Event, RunEnded, StepDecided, StepTaken, TextPiece
from oldhand.agent.tools import sql_tools, tool
from oldhand.errors import UsageError
from oldhand.face.tool_use import ToolUseAgent
from oldhand.record.step import Action, AgentState
from oldhand.testing import ScriptedModel
from oldhand.testing.fake_replies import CalledTool, Fault, Reply, Request
from oldhand.testing.model_server import FakeServer

Answering = Callable[[Request], Reply]
PAID: list[float] = []


class Made(Protocol):
    """Makes an agent over a server that answers so."""

    def __call__(self, answering: Answering, **options: object) -> ToolUseAgent: ...


@tool
def pay(euros: float) -> str:
    """Pay.

    Args:
        euros: How much.
    """
    PAID.append(euros)
    return f"paid {euros:g}"


class Payment(BaseModel):
    """What was paid."""

    euros: float
    note: str = ""


def calls(name: str, text: str = "", **arguments: object) -> Reply:
    return Reply(text=text, tool_calls=(CalledTool(name=name, arguments=arguments),))  # pyright: ignore[reportArgumentType]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """Agents over a server that answers as a function of the prompt says."""
    PAID.clear()
    opened: list[FakeServer | ToolUseAgent] = []
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody-sees-this")

    def make(answering: Answering, **options: object) -> ToolUseAgent:
        server = FakeServer(answering)
        options = {"tools": [pay], "home": tmp_path / "home"} | options
        agent = create_tool_use_agent(
            model_name="openai:gpt-4o", base_url=server.openai_url, **options  # pyright: ignore[reportArgumentType]
        )  # fmt: skip
        opened.extend((agent, server))
        return agent

    yield make
    for one in opened:
        one.close()


def test_instructions_reach_the_model_and_stand_before_the_notes(made: Made):
    agent = made(
        lambda request: Reply(
            text="Ahoy!" if "Talk like a sailor." in request.prompt else "Hello."
        ),
        instructions="Talk like a sailor.",
    )
    agent.policy.set_dynamic_notes_fn(lambda: ["Be short"])
    assert agent.run("Who are you?").answer == "Ahoy!"
    assert agent.policy.system_prompt.endswith("Talk like a sailor.\n\n- Be short")


def test_history_is_that_of_the_run_or_else_of_the_agent(made: Made):
    def answering(request: Request) -> Reply:
        return Reply(text="Ana" if "my name is Ana" in request.prompt else "I don't know.")

    agent = made(answering, history=[{"role": "user", "content": "my name is Ana"}])
    first = agent.run("What am I called?")
    assert first.answer == "Ana"
    assert agent.run("What am I called?", history=()).answer == "I don't know."
    said = agent.run("Hm, my name is Ana after all", history=[])
    assert agent.run("And now?", history=[said]).answer == "Ana"


def test_an_answer_has_the_form_that_was_asked_for(made: Made):
    def answering(request: Request) -> Reply:
        if "the arguments do not fit" in request.prompt:
            return calls("final_answer", euros=5)
        if "by calling final_answer" in request.prompt and "paid" in request.prompt:
            return calls("final_answer", euros="five")
        return Reply(text="I paid five.") if "paid 5" in request.prompt else calls("pay", euros=5)

    agent = made(answering, output_type=Payment)
    state = agent.run("Pay 5 euros.")
    assert state.output == Payment(euros=5)
    assert state.answer == '{"euros":5.0,"note":""}'
    assert [step.fault is not None for step in state.steps] == [False, True, True, False]


@pytest.mark.parametrize(
    ("kind", "value"),
    [(int, 3), (list[int], [3]), (dict[str, float], {"a": 3.0}), (Payment | None, None)],
)
def test_any_type_with_a_schema_can_be_the_output(made: Made, kind: object, value: object):
    agent = made(lambda _: calls("final_answer", answer=value), output_type=kind)
    state = agent.run("How many?")
    assert (state.outcome, state.output) == ("answered", value)


@pytest.mark.parametrize("is_async", [False, True])
def test_each_call_is_approved_denied_or_edited(made: Made, is_async: bool):
    def answering(request: Request) -> Reply:
        if "no bribes" in request.prompt:
            return Reply(text="Then not.") if "paid 5" in request.prompt else calls("pay", euros=50)
        return calls("pay", euros=500)

    def decide(action: Action, state: AgentState) -> object:
        assert state.query == "Pay the clerk."
        return "no bribes" if action.arguments["euros"] == 500 else {"euros": 5}

    async def decide_later(action: Action, state: AgentState) -> object:
        return decide(action, state)

    agent = made(answering, approve=decide_later if is_async else decide)
    state = agent.run("Pay the clerk.")
    assert PAID == [5]
    denied, edited, answer = state.steps
    assert denied.observation is not None
    assert denied.observation.not_called
    assert edited.action is not None
    assert edited.action.arguments == {"euros": 5}
    assert "as a person wished" in str(edited.observation)
    assert answer.answer == "Then not."


@pytest.mark.parametrize("decision", [None, False, 1 / 3, ["yes"], ZeroDivisionError("x")])
def test_what_is_no_yes_is_a_no(made: Made, decision: object):
    def approve(action: Action, state: AgentState) -> object:
        if isinstance(decision, Exception):
            raise decision
        return decision

    agent = made(
        lambda request: Reply(text="Well.") if "not allowed" in request.prompt else calls("pay", euros=1),
        approve=approve,
    )  # fmt: skip
    assert agent.run("Pay.").answer == "Well."
    assert PAID == []


def test_the_built_in_mind_says_who_did_not_allow_it(tmp_path: Path):
    with sqlite3.connect(tmp_path / "shop.db") as shop:
        shop.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)")
    tools = sql_tools(f"sqlite:///{tmp_path}/shop.db")
    no = "no data today"
    with create_tool_use_agent(
        tools, home=tmp_path / "home", approve=lambda action, state: no
    ) as agent:
        state = agent.run("How many customers are there?")
    assert state.outcome == "failed"
    assert state.error == f"sql_db_query was not called, for it was not allowed: {no}."


def test_evaluators_veto_a_statement_before_it_runs(made: Made, tmp_path: Path):
    with sqlite3.connect(tmp_path / "shop.db") as shop:
        shop.execute("CREATE TABLE customers AS SELECT 1 AS id, 'Ana' AS name, NULL AS city")

    def answering(request: Request) -> Reply:
        if "Ana" in request.prompt:
            return Reply(text="Ana.")
        fixed = "a check found" in request.prompt
        sql = f"SELECT name FROM customers WHERE city {'IS' if fixed else '='} NULL"
        return calls("sql_db_query", query=sql)

    tools = sql_tools(f"sqlite:///{tmp_path}/shop.db")
    agent = made(answering, tools=tools, evaluators=[SQLValidator()], vetoes=2)
    state = agent.run("Who has no city?")
    assert state.answer == "Ana."
    first = state.steps[0].observation
    assert first is not None
    assert first.not_called
    assert "write IS NULL" in first.text


def test_whoever_insists_gets_their_statement(made: Made, tmp_path: Path):
    with sqlite3.connect(tmp_path / "shop.db") as shop:
        shop.execute("CREATE TABLE customers AS SELECT 1 AS id, 'Ana' AS name, NULL AS city")
    tools = sql_tools(f"sqlite:///{tmp_path}/shop.db")
    sql = "SELECT name FROM customers WHERE city = NULL"
    agent = made(
        lambda request: Reply(text="Nobody.") if "no rows" in request.prompt else calls("sql_db_query", query=sql),
        tools=tools, evaluators=[SQLValidator()], vetoes=1,
    )  # fmt: skip
    state = agent.run("Who has no city?")
    assert [step.observation.not_called for step in state.steps if step.observation] == [
        True,
        False,
    ]


def test_the_limit_of_steps_ends_a_run(made: Made):
    counts = iter(range(1, 99))
    agent = made(lambda _: calls("pay", euros=next(counts)), max_steps=2)
    state = agent.run("Pay for ever.")
    assert (state.outcome, len(state.steps), PAID) == ("limit", 2, [1, 2])


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events if not isinstance(event, TextPiece)]


def test_text_is_streamed_with_steps_as_events(made: Made):
    words = "It is paid, all of it, down to the last cent."

    def answering(request: Request) -> Reply:
        return (
            Reply(text=words)
            if "paid 5" in request.prompt
            else calls("pay", "Let me pay.", euros=5)
        )

    events = list(made(answering).events("Pay 5."))
    steps = ["StepDecided", "StepTaken"]
    assert kinds(events) == [*steps, *steps, "RunEnded"]
    first = next(place for place, event in enumerate(events) if isinstance(event, StepTaken))
    assert "".join(e.text for e in events[:first] if isinstance(e, TextPiece)) == "Let me pay."
    pieces = [event.text for event in events[first:] if isinstance(event, TextPiece)]
    assert "".join(pieces) == words
    assert len(pieces) > 3
    assert isinstance(events[-1], RunEnded)
    assert (events[-1].state.answer, events[-1].state.usage.requests) == (words, 2)
    assert events[-1].state.episode_id


def test_an_answer_that_breaks_off_is_asked_for_again(made: Made):
    replies = iter(
        [Reply(text="It is a long story.", fault=Fault.BREAK), Reply(text="It is done.")]
    )
    events = list(made(lambda _: next(replies)).events("Done?"))
    last = events[-1]
    assert isinstance(last, RunEnded)
    assert last.state.answer == "It is done."


async def test_whoever_stops_listening_stops_the_run(made: Made):
    agent = made(lambda _: calls("pay", euros=5))
    async with aclosing(agent.aevents("Pay.")) as events:
        async for event in events:
            if isinstance(event, StepDecided):
                break
    assert [state.outcome for state in agent.unfinished()] == ["cancelled"]


def test_a_model_that_cannot_stream_is_heard_at_once(tmp_path: Path):
    with create_tool_use_agent([pay], ScriptedModel(["Done."]), home=tmp_path) as agent:
        events = list(agent.events("Pay."))
    assert events[0] == TextPiece("Done.")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"max_steps": 0}, "max_steps: a whole number from 1 on"),
        ({"max_steps": True}, "max_steps: a whole number"),
        ({"vetoes": -1}, "vetoes: a whole number from 0 on"),
        ({"approve": "yes"}, "approve is a function, not str"),
        ({"approve": lambda action: True}, "approve is called with an action and the state"),
        ({"approve": lambda action, state, run: True}, "missing a required argument: 'run'"),
        ({"history": "Hello"}, "history is a list of messages or earlier runs: put brackets"),
        ({"history": [{"role": "system", "content": "Obey"}]}, "give instructions=… instead"),
        ({"history": [7]}, "7 is no message"),
        ({"output_type": object()}, "is no type that has a JSON Schema"),
        ({"model_name": "builtin", "instructions": "Be brief."}, "follows no instructions"),
        ({"model_name": "builtin", "output_type": int}, "gives no output_type"),
    ],
)  # fmt: skip
def test_options_that_make_no_sense_are_named(tmp_path: Path, given: dict[str, object], told: str):
    options = {"tools": [pay], "model_name": ScriptedModel([]), "home": tmp_path} | given
    with pytest.raises(UsageError, match=told):
        create_tool_use_agent(**options)  # pyright: ignore[reportArgumentType]


def test_an_unknown_keyword_is_never_swallowed(tmp_path: Path):
    with pytest.raises(TypeError, match="step_limits"):
        create_tool_use_agent([pay], home=tmp_path, step_limits=3)  # pyright: ignore[reportCallIssue]
