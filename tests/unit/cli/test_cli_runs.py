"""Operators look at runs that are not answered, and discard them."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oldhand import create_tool_use_agent
from oldhand.bootstrap import open_home
from oldhand.errors import ModelUnreachable, RunTakenOver
from oldhand.models.language_model import ToolCall
from oldhand.record.step import AgentState, Checkpoint
from oldhand.store import Store
from oldhand.testing import ScriptedModel

Run = Callable[..., Any]
PAY = [ToolCall(id="given", name="pay", arguments={"whom": "Ana \x1b[2J"})]


def pay(whom: str) -> str:
    """Pay somebody."""
    return f"paid {whom}"


@pytest.fixture
def run_id(tmp_path: Path) -> str:
    """A run whose model went away after a step."""
    model = ScriptedModel([PAY, ModelUnreachable("Away.")], name="gpt-4")
    with create_tool_use_agent([pay], model, home=tmp_path / "home", user="bo") as agent:
        return agent.run("Pay the bill").run_id


def test_there_is_nothing_to_list_in_a_new_home(oldhand: Run, home: Path) -> None:
    assert "No run of an agent is unfinished." in oldhand("runs", "list").output
    assert json.loads(oldhand("runs", "list", "--json").output) == []


def test_a_list_says_whose_each_is_and_what_it_was_at(oldhand: Run, run_id: str) -> None:
    output = oldhand("runs", "list").output
    for said in (run_id[:8], "bo", "failed: ModelUnreachable", "Pay the bill"):
        assert said in output
    (one,) = json.loads(oldhand("runs", "list", "--json").output)
    assert (one["run_id"], one["user_id"], one["models"]) == (run_id, "bo", ["gpt-4"])
    assert len(one["steps"]) == 1


def test_a_run_is_shown_with_its_steps_and_the_lines_that_go_on_with_it(
    oldhand: Run, run_id: str, tmp_path: Path
) -> None:
    output = oldhand("runs", "show", run_id[:6]).output
    assert 'pay(whom="Ana' in output
    assert "paid Ana" in output
    assert "\x1b" not in output
    lines = [line.removeprefix("    ") for line in output.splitlines() if line.startswith("    ")]
    program = "\n".join(lines).replace("'gpt-4'", "ScriptedModel(['It is paid.'], name='gpt-4')")
    known: dict[str, Any] = {"pay": pay, "ScriptedModel": ScriptedModel}
    exec(program, known)
    assert known["state"].answer == "It is paid."
    assert "No run of an agent is unfinished." in oldhand("runs", "list").output
    with open_home(tmp_path / "home").store as store:
        assert {one.user_id for one in store.episodes("default")} == {"bo"}


def test_a_call_under_way_is_shown_as_one_of_which_nobody_knows(oldhand: Run, run_id: str, tmp_path: Path) -> None:  # fmt: skip
    with open_home(tmp_path / "home").store as store:
        kept = store.checkpoints("default").find(run_id)
        step = kept.state.steps[0].model_copy(update={"observations": ()})
        state = kept.state.model_copy(update={"outcome": "running", "steps": (step,)})
        store.checkpoints("default", "bo").begin(Checkpoint(state=state))
    assert 'calling pay(whom="Ana' in oldhand("runs", "list").output
    assert "nobody knows what came of it" in oldhand("runs", "show", run_id).output


def test_a_run_is_discarded_when_somebody_says_so(oldhand: Run, run_id: str) -> None:
    assert oldhand("runs", "discard", run_id, input="n\n").exit_code != 0
    assert run_id[:8] in oldhand("runs", "list").output
    assert "Discarded" in oldhand("runs", "discard", run_id[:8], "--yes").output
    assert oldhand("runs", "discard", run_id, "--yes").exit_code == 2


def test_whoever_is_at_a_discarded_run_is_told_so(tmp_path: Path) -> None:
    def look() -> str:
        """Discard the run meanwhile."""
        agent.discard(agent.unfinished()[0].run_id)
        return "gone"

    model = ScriptedModel([[ToolCall(id="a", name="look", arguments={})], "It is gone."])
    with create_tool_use_agent([look], model, home=tmp_path / "home") as agent:
        with pytest.raises(RunTakenOver):
            agent.run("Look")
        assert agent.unfinished() == ()


def test_a_name_that_fits_none_or_several_is_an_error(oldhand: Run, home: Path) -> None:
    with open_home(home).store as store:
        for number in (1, 2):
            state = AgentState(run_id=f"run-{number}", query="Pay")
            store.checkpoints("default").begin(Checkpoint(state=state))
    assert "No unfinished run 'x'" in oldhand("runs", "show", "x").output
    assert re.search("2 runs begin with 'run'", oldhand("runs", "discard", "run", "-y").output)
    assert "run-1" in oldhand("runs", "show", "run-1").output


def test_old_runs_without_a_user_can_be_looked_at(oldhand: Run, home: Path) -> None:
    def begin(store: Store) -> None:
        state = AgentState(run_id="run-1", query="Pay")
        store.checkpoints("default", None).begin(Checkpoint(state=state))

    with open_home(home).store as store:
        begin(store)
    output = oldhand("runs", "list").output
    assert "?" in output
    assert "beginning" in output
    assert "user=" not in oldhand("runs", "show", "run-1").output
