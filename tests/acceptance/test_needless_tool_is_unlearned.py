"""A tool that ran code for a definition is not offered for definitions any more: from the answer to the lesson and back.

Log → reflect → distil → adapt, as one person lives through it, without a network.
"""

import json
from pathlib import Path

import pytest

from oldhand import Oldhand, create_tool_use_agent
from oldhand.face.tool_use import ToolUseAgent
from oldhand.models.language_model import ToolCall
from oldhand.record.effect import ToolBan
from oldhand.record.memory import ChecklistPayload, MemoryType, SemanticPayload
from oldhand.testing import HeedingModel
from oldhand.testing.prompts import Prompt


def code_executor(code: str) -> str:
    """Run Python.

    Args:
        code: a program.
    """
    return f"ran {code}"


def eager(prompt: Prompt) -> object:
    """A model that runs code whenever it may."""
    if "code_executor" in prompt.tools:
        return [ToolCall(id="a", name="code_executor", arguments={"code": "print(1)"})]
    return "In words: it is a library."


@pytest.fixture
def model() -> HeedingModel:
    return HeedingModel({"ran print(1)": "It printed 1."}, otherwise=eager)


def agent_in(home: Path, model: HeedingModel) -> ToolUseAgent:
    return create_tool_use_agent(tools=[code_executor], model_name=model, home=home)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Every lesson that fits is shown, so that chance has no say."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "settings.yaml").write_text("trial: {young: 1.0}\n", "utf-8")
    return folder


def test_from_a_disliked_answer_to_the_next_one(home: Path, model: HeedingModel, tmp_path: Path):
    with agent_in(home, model) as agent:
        state = agent.run("What is Python?")
        assert state.answer == "It printed 1."
        # 1. LOG: the episode is there with its tools, and /bad
        agent.feedback(state.episode_id, rating=-1)
    with Oldhand(home, model=model) as old:
        episode = old.episodes.get(state.episode_id)
        assert (episode.tools_used, episode.success) == (("code_executor",), False)
        # 2. REFLECT: what went wrong, why, and a rule
        reflection = old.episodes.reflect(state.episode_id).payload
        assert "code_executor" in reflection.learnings.improvements[0]
        assert reflection.root_cause
        assert "Never use code_executor for intent='definition'" in reflection.learnings.rules
        # 3. DISTIL: a rule and a step of a checklist, with their evidence
        old.learn()
        (rule,) = old.memories.list(type=MemoryType.SEMANTIC)
        (step,) = old.memories.list(type=MemoryType.CHECKLIST)
    assert isinstance(rule.payload, SemanticPayload)
    assert rule.payload.rule == "Never use code_executor for intent='definition'"
    assert rule.payload.applies_when == "intent == 'definition'"
    assert rule.effect == ToolBan(tool="code_executor")
    assert rule.payload.evidence[0].startswith(state.episode_id)
    assert isinstance(step.payload, ChecklistPayload)
    lines = (home / "memory" / "default" / "semantic.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == [rule.id]

    # 4. ADAPT: a similar question is answered in words; one that computes still runs code
    with agent_in(home, model) as agent:
        again = agent.run("What is asyncio?")
        assert (again.answer, again.steps[0].actions) == ("In words: it is a library.", ())
        assert agent.run("Compute the sum of 17 and 25 with code").answer == "It printed 1."

    with Oldhand(home, model=model) as old:
        used = {cause.id: cause for cause in old.episodes.why(again.episode_id).causes}
        assert rule.id in used
        assert used[rule.id].recalled is not None
        assert used[rule.id].recalled.shown
        # taken back, it is as it was
        old.memories.retire(rule.id, reason="to see what happens without it")
    with agent_in(home, model) as agent:
        assert agent.run("What is asyncio?").answer == "It printed 1."
