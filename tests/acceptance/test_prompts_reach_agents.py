"""An instruction that was learned reaches the prompt of an agent, and changes what it does."""

from pathlib import Path

from oldhand import create_tool_use_agent
from oldhand.bootstrap import open_home
from oldhand.models.language_model import ToolCall
from oldhand.record.memory import MemoryType
from oldhand.testing import HeedingModel
from oldhand.testing.records import example_memory


def metres(distance: int) -> str:
    """A distance in metres."""
    return f"{distance} m"


def degrees(distance: int) -> str:
    """A distance in degrees."""
    return f"{distance} degrees"


def call(tool: str) -> list[ToolCall]:
    return [ToolCall(id="a", name=tool, arguments={"distance": 100})]


def test_a_version_of_the_prompt_changes_the_next_action_of_an_agent(tmp_path: Path) -> None:
    model = HeedingModel(
        {"100 m": "It is near.", "100 degrees": "It is far.", "use metres": call("metres")},
        otherwise=call("degrees"),
    )
    home = tmp_path / "home"
    with create_tool_use_agent(model_name=model, tools=[metres, degrees], home=home) as agent:
        assert agent.run("How far is it?").answer == "It is far."
    version = example_memory(
        "use_tools_v2", MemoryType.PROMPT, tags=("use_tools",), user_id="default",
        payload={"version": "v2", "text": "- Use metres, and ${no} placeholder."},
    )  # fmt: skip
    with open_home(home).store as store:
        store.save_memories("default", [version])
    with create_tool_use_agent(model_name=model, tools=[metres, degrees], home=home) as agent:
        state = agent.run("How far is it?")
    assert state.answer == "It is near."
    assert "${no} placeholder" in model.prompts[-1].messages[0].content
    with open_home(home).store as store:
        recollection = store.recollection("default", state.run_id)
        assert recollection is not None
        (used,) = recollection.items
    assert (used.kind, used.item_id, used.chance, used.used) == ("prompt", "use_tools_v2", 1.0, True)  # fmt: skip
