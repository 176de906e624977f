"""Runs that were cut short, and how they go on."""

import asyncio

import pytest

from oldhand.agent.tools import as_tool
from oldhand.errors import ModelUnreachable, RunTakenOver, StoreFull, UnknownRun
from oldhand.models.language_model import ToolCall
from oldhand.record.lesson import Lesson
from oldhand.record.memory import MemoryType
from oldhand.record.step import AgentState, Checkpoint, Step
from oldhand.testing import MemoryCheckpoints, MemoryKeeper, ScriptedModel
from oldhand.testing.records import example_memory


def call(tool: str, **arguments: object) -> ToolCall:
    return ToolCall.model_validate({"id": "given", "name": tool, "arguments": arguments})


class Tools:
    """Two tools that note their calls; a third one lets the process be interrupted."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.reached = asyncio.Event()
        self.stopped = False

    def look(self, at: str) -> str:
        """Look; does no harm."""
        self.calls.append(f"look {at}")
        return f"saw {at}"

    def pay(self, whom: str) -> str:
        """Pay; once is enough."""
        self.calls.append(f"pay {whom}")
        return f"paid {whom}"

    async def wait(self) -> str:
        """Wait for ever; does no harm."""
        self.calls.append("wait")
        self.reached.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped = True
        return "never"

    def all(self):
        return (as_tool(self.look, idempotent=True), as_tool(self.pay), self.wait)


@pytest.fixture
def tools() -> Tools:
    return Tools()


async def test_cancelling_a_run_stops_its_tools_and_keeps_what_was_done(make_agent, tools):
    kept, keeper = MemoryCheckpoints(), MemoryKeeper()
    model = ScriptedModel([[call("look", at="a")], [call("pay", whom="b"), call("wait")]])
    agent = make_agent(model, tools.all(), checkpoints=kept, keeper=keeper)
    running = asyncio.create_task(agent.arun("What?"))
    await tools.reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert tools.stopped
    state = kept.load("run-1").state
    assert (state.outcome, state.error) == (
        "cancelled",
        "It was stopped before it had an answer.",
    )
    assert [seen.text for step in state.steps for seen in step.observations] == ["saw a", "paid b"]
    assert [one.state.outcome for one in keeper.ended] == ["cancelled"]


async def test_a_cancelled_run_goes_on_without_repeating_what_was_done(make_agent, tools):
    kept = MemoryCheckpoints()
    model = ScriptedModel([[call("look", at="a"), call("pay", whom="b"), call("wait")], "Enough."])
    agent = make_agent(model, tools.all(), checkpoints=kept)
    running = asyncio.create_task(agent.arun("What?"))
    await tools.reached.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    state = await agent.aresume("run-1")
    assert (state.outcome, state.answer, state.run_id) == ("answered", "Enough.", "run-1")
    assert tools.calls == ["look a", "pay b", "wait"]
    assert "not known whether wait was carried out" in state.steps[0].observations[2].text


@pytest.mark.parametrize(("tool", "told"), [("look", "saw x"), ("pay", "It is not known")])
def test_a_call_under_way_is_made_again_only_when_that_does_no_harm(make_agent, tools, tool, told):
    kept = MemoryCheckpoints()
    argument = {"look": {"at": "x"}, "pay": {"whom": "x"}}[tool]
    model = ScriptedModel([[call(tool, **argument)], "Done."])
    agent = make_agent(model, tools.all(), checkpoints=kept)
    agent.run("What?")
    before = next(
        saved
        for saved in kept.saved
        if saved.state.steps and not saved.state.steps[-1].observations
    )
    kept.begin(before)
    tools.calls.clear()
    again = make_agent(ScriptedModel(["Done."]), tools.all(), checkpoints=kept)
    state = again.resume("run-1")
    assert state.steps[0].observation.text.startswith(told)
    assert tools.calls == (["look x"] if tool == "look" else [])
    assert state.answer == "Done."


def test_each_step_is_kept_before_its_tools_are_called(make_agent, tools):
    kept = MemoryCheckpoints()
    seen_by_tool: list[AgentState] = []

    def peek() -> str:
        """Look at what is kept."""
        seen_by_tool.append(kept.load("run-1").state)
        return "seen"

    make_agent(ScriptedModel([[call("peek")], "Done."]), [peek], checkpoints=kept).run("What?")
    assert seen_by_tool[0].steps[0].action.tool == "peek"
    assert seen_by_tool[0].steps[0].observations == ()


def test_answered_runs_are_kept_no_longer(make_agent):
    kept = MemoryCheckpoints()
    agent = make_agent(ScriptedModel(["Done."]), checkpoints=kept)
    agent.run("What?")
    assert kept.unfinished() == ()
    with pytest.raises(UnknownRun, match="'run-1'"):
        agent.resume("run-1")


def test_unfinished_runs_are_known_by_what_was_asked(make_agent):
    kept = MemoryCheckpoints()
    away = [ModelUnreachable("Away."), "Done.", ModelUnreachable("Away.")]
    agent = make_agent(ScriptedModel(away), checkpoints=kept)
    for query in ("What?", "Who?", "Where?"):
        agent.run(query)
    assert [(state.run_id, state.query) for state in agent.unfinished()] == [
        ("run-3", "Where?"),
        ("run-1", "What?"),
    ]
    assert make_agent(ScriptedModel([])).unfinished() == ()


def test_an_agent_without_checkpoints_says_so(make_agent):
    with pytest.raises(UnknownRun):
        make_agent(ScriptedModel([])).resume("run-1")


def test_a_run_that_reached_a_limit_goes_on_where_it_stood(make_agent, tools):
    kept = MemoryCheckpoints()
    model = ScriptedModel([[call("look", at="a")], [call("look", at="b")], "Done."])
    first = make_agent(model, tools.all(), checkpoints=kept, steps=2).run("What?")
    assert first.outcome == "limit"
    state = make_agent(model, tools.all(), checkpoints=kept, steps=5).resume(first.run_id)
    assert (state.outcome, state.answer, len(state.steps)) == ("answered", "Done.", 3)
    assert state.error is None
    assert state.usage.requests == 3
    assert tools.calls == ["look a", "look b"]


def test_a_run_whose_model_was_away_goes_on(make_agent, tools):
    kept = MemoryCheckpoints()
    model = ScriptedModel([[call("look", at="a")], ModelUnreachable("Away."), "Done."])
    agent = make_agent(model, tools.all(), checkpoints=kept)
    assert agent.run("What?").outcome == "failed"
    assert agent.resume("run-1").answer == "Done."


def test_an_interrupted_end_is_recorded_when_the_run_is_taken_up(make_agent):
    kept, keeper = MemoryCheckpoints(), MemoryKeeper()
    state = AgentState(
        run_id="r1",
        query="What?",
        steps=(Step(number=1, answer="Done."),),
        outcome="answered",
        answer="Done.",
    )
    kept.begin(Checkpoint(state=state))
    agent = make_agent(ScriptedModel([]), checkpoints=kept, keeper=keeper)
    assert agent.resume("r1").episode_id == "r1"
    assert [one.run_id for one in keeper.ended] == ["r1"]
    assert kept.unfinished() == ()


def test_lessons_and_costs_survive(make_agent, tools):
    lesson = Lesson(memory=example_memory("e1", MemoryType.EXAMPLE))
    kept, keeper = MemoryCheckpoints(), MemoryKeeper([lesson])
    model = ScriptedModel([[call("look", at="a")], ModelUnreachable("Away."), "Done."])
    make_agent(model, tools.all(), checkpoints=kept, keeper=keeper).run("What?")
    make_agent(model, tools.all(), checkpoints=kept, keeper=keeper).resume("run-1")
    assert all("SELECT COUNT(*) FROM customers" in prompt.text for prompt in model.prompts)
    ended = keeper.ended[-1]
    assert (ended.state.outcome, ended.lessons) == ("answered", (lesson,))
    assert len(ended.ledger) == 3
    assert ended.state.usage.requests == 3


async def test_who_stops_listening_to_the_steps_leaves_a_run_that_can_go_on(make_agent, tools):
    kept = MemoryCheckpoints()
    model = ScriptedModel([[call("look", at="a")], "Done."])
    agent = make_agent(model, tools.all(), checkpoints=kept)
    steps = agent.astream("What?")
    assert (await anext(steps)).observation.text == "saw a"
    await steps.aclose()
    assert kept.load("run-1").state.outcome == "cancelled"
    assert (await agent.aresume("run-1")).answer == "Done."


def test_who_stops_listening_in_plain_code_leaves_a_run_that_can_go_on(make_agent, tools):
    kept = MemoryCheckpoints()
    agent = make_agent(
        ScriptedModel([[call("look", at="a")], "Done."]), tools.all(), checkpoints=kept
    )
    steps = agent.stream("What?")
    next(steps)
    steps.close()
    assert kept.load("run-1").state.outcome == "cancelled"


async def test_the_state_of_a_streamed_run_can_be_followed(make_agent, tools):
    agent = make_agent(ScriptedModel([[call("look", at="a")], "Done."]), tools.all())
    run = await agent.begin("What?")
    seen = [(step.number, run.state.outcome) async for step in agent.going(run)]
    assert seen == [(1, "running"), (2, "answered")]
    assert run.state.answer == "Done."


async def test_who_lost_a_run_to_somebody_else_calls_no_tool_and_records_nothing(make_agent, tools):
    kept, keeper = MemoryCheckpoints(), MemoryKeeper()
    model = ScriptedModel([[call("wait")], ModelUnreachable("Away."), [call("pay", whom="b")]])
    first = make_agent(model, tools.all(), checkpoints=kept, keeper=keeper)
    running = asyncio.create_task(first.arun("What?"))
    await tools.reached.wait()
    second = make_agent(ScriptedModel(["Done."]), tools.all(), checkpoints=kept, keeper=keeper)
    assert (await second.aresume("run-1")).answer == "Done."
    running.cancel()
    with pytest.raises(RunTakenOver):
        await running
    assert tools.calls == ["wait"]
    assert [one.state.outcome for one in keeper.ended] == ["answered"]
    assert kept.unfinished() == ()


async def test_of_two_that_resume_a_run_at_once_one_goes_on(make_agent, tools):
    kept = MemoryCheckpoints()
    away = make_agent(ScriptedModel([ModelUnreachable("Away.")]), tools.all(), checkpoints=kept)
    await away.arun("What?")
    agents = [
        make_agent(ScriptedModel([[call("pay", whom="b")], "Done."]), tools.all(), checkpoints=kept)
        for _ in range(2)
    ]
    runs = [await agent.take_up("run-1") for agent in agents]
    with pytest.raises(RunTakenOver):
        _ = [step async for step in agents[0].going(runs[0])]
    assert [step.number async for step in agents[1].going(runs[1])] == [1, 2]
    assert tools.calls == ["pay b"]


@pytest.mark.parametrize("again", ["nothing", "look"])
def test_a_run_that_went_in_circles_gets_another_chance_when_it_is_resumed(
    make_agent, tools, again
):
    kept = MemoryCheckpoints()
    model = ScriptedModel([*[[call(again, at="a")]] * 3, "Done."])
    agent = make_agent(model, tools.all(), checkpoints=kept)
    assert agent.run("What?").outcome == "repeated"
    assert agent.resume("run-1").answer == "Done."


class FullDisk(MemoryCheckpoints):
    """Has room for the beginning only."""

    def save(self, checkpoint: Checkpoint, *, durable: bool = False) -> None:
        if checkpoint.state.steps:
            raise StoreFull
        super().save(checkpoint, durable=durable)


def test_no_tool_is_called_when_its_step_cannot_be_kept(make_agent, tools):
    model = ScriptedModel([[call("pay", whom="b")]])
    agent = make_agent(model, tools.all(), checkpoints=FullDisk())
    with pytest.raises(StoreFull):
        agent.run("What?")
    assert tools.calls == []


class Durable(MemoryCheckpoints):
    """Notes which saves have to survive a loss of power."""

    def __init__(self) -> None:
        super().__init__()
        self.tools: list[str] = []

    def save(self, checkpoint: Checkpoint, *, durable: bool = False) -> None:
        if durable:
            self.tools += [action.tool for action in checkpoint.state.steps[-1].actions]
        super().save(checkpoint)


def test_a_call_that_must_not_be_made_twice_is_on_the_disk_before_it_is_made(make_agent, tools):
    kept = Durable()
    model = ScriptedModel([[call("look", at="a")], [call("pay", whom="b")], "Done."])
    make_agent(model, tools.all(), checkpoints=kept).run("What?")
    assert kept.tools == ["pay"]
