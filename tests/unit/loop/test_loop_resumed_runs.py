"""A run that another process goes on with has the same recollection as an unbroken one."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from oldhand import create_tool_use_agent
from oldhand.bootstrap import open_home
from oldhand.errors import ModelUnreachable
from oldhand.evaluators import VerbalEvaluator
from oldhand.face.tool_use import ToolUseAgent
from oldhand.models.language_model import ToolCall
from oldhand.record.episode import Recalled
from oldhand.record.memory import MemoryType
from oldhand.record.step import Step
from oldhand.store import Store
from oldhand.testing import ScriptedModel
from oldhand.testing.records import example_memory

QUESTION = "How far is the harbour?"
AWAY = ModelUnreachable("Away.")
LOOK = [ToolCall(id="given", name="look", arguments={})]
PROMPT = {"version": "v1", "text": ""}
TRIED = {"version": "v2", "text": "- Use metres."}


class Fussy(VerbalEvaluator):
    """Objects to every step."""

    def evaluate(self, step: object, **kwargs: object) -> object:
        assert isinstance(step, Step)
        self._save_eval({"issues": [f"Step {step.number} is vague"]}, None, "scripted", "default")
        return None


def look() -> str:
    """See how far it is."""
    return "100"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with two lessons and two versions of the agent's prompt, one of each on trial."""
    folder = tmp_path / "home"
    lessons = [
        example_memory(
            f"rule-{number}", MemoryType.SEMANTIC, tags=("rule", stage), user_id="default",
            payload={"rule": "Say how far the harbour is in metres."},
        )
        for number, stage in enumerate(("candidate", "trusted", "retired"), 1)
    ]  # fmt: skip
    versions = [
        example_memory(
            f"use_tools_v{number}", MemoryType.PROMPT, tags=("use_tools", state),
            user_id="default", payload=payload,
        )
        for number, state, payload in ((1, "active", PROMPT), (2, "candidate", TRIED))
    ]  # fmt: skip
    with open_home(folder).store as store:
        store.save_memories("default", [*lessons, *versions])
    return folder


def agent_of(home: Path, said: Sequence[object]) -> ToolUseAgent:
    model = ScriptedModel(said)  # pyright: ignore
    return create_tool_use_agent([look], model, evaluators=[Fussy()], home=home)


def recollected(store: Store, episode_id: str | None) -> tuple[Recalled, ...]:
    recollection = store.recollection("default", episode_id or "")
    assert recollection is not None
    return recollection.items


def test_a_run_that_another_process_ends_is_credited_with_what_it_began_with(home: Path) -> None:
    with agent_of(home, [LOOK, LOOK, AWAY]) as agent:
        broken = agent.run(QUESTION)
        told = agent.policy.system_prompt
    with agent_of(home, ["100 metres."]) as agent:
        ended = agent.resume(broken.run_id)
        told_then = agent.policy.system_prompt
    assert (broken.outcome, ended.outcome) == ("failed", "answered")
    with open_home(home).store as store:
        before, after = (recollected(store, one.episode_id) for one in (broken, ended))
    kinds = [one.kind for one in before]
    assert (kinds.count("memory") >= 2, kinds.count("prompt"), "evaluation" in kinds) == (True, 2, True)  # fmt: skip
    assert after[: len(before)] == before
    assert all(one.score > 0 for one in after if one.kind == "memory")
    assert [one.rank for one in after] == list(range(1, len(after) + 1))
    shown = {one.item_id for one in after if one.kind == "prompt" and one.used}
    assert len(shown) == 1
    assert ("Use metres." in told) == ("Use metres." in told_then) == (shown == {"use_tools_v2"})


def test_nothing_is_drawn_again_when_a_run_goes_on(home: Path) -> None:
    for _ in range(6):  # each with a draw of its own
        with agent_of(home, [AWAY]) as agent:
            broken = agent.run(QUESTION)
        seen: list[tuple[Recalled, ...]] = []
        for said in (AWAY, AWAY, "100 metres."):
            with agent_of(home, [LOOK, said]) as agent:
                state = agent.resume(broken.run_id)
            with open_home(home).store as store:
                items = recollected(store, state.episode_id)
            seen.append(tuple(one for one in items if one.kind != "evaluation"))
        assert len({tuple((one.item_id, one.shown) for one in items) for items in seen}) == 1


def test_a_run_of_an_older_version_goes_on_without_what_is_not_known(home: Path) -> None:
    with agent_of(home, [AWAY]) as agent:
        broken = agent.run(QUESTION)
        checkpoints = agent.dependencies.checkpoints
        assert checkpoints is not None
        kept = checkpoints.load(broken.run_id)
        assert kept is not None
        old = kept.model_copy(update={"recalled": (), "instructions": {}})
        checkpoints.begin(old)
    with agent_of(home, ["100 metres."]) as agent:
        ended = agent.resume(broken.run_id)
    with open_home(home).store as store:
        kinds = {one.kind for one in recollected(store, ended.episode_id)}
    assert ended.answer == "100 metres."
    assert kinds <= {"evaluation"}
