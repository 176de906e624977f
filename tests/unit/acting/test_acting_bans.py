"""A tool that a lesson bans is not offered, and not called either."""

from oldhand.agent.acting import Brief, LMPolicy, TextPolicy
from oldhand.agent.acting.bans import offered
from oldhand.agent.tools import Tools
from oldhand.models.language_model import ToolCall
from oldhand.record.effect import ToolBan
from oldhand.record.lesson import Lesson
from oldhand.record.memory import MemoryType
from oldhand.record.step import AgentState
from oldhand.testing import ScriptedModel
from oldhand.testing.records import example_memory

STATE = AgentState(run_id="r", query="What is churn?")


def look_up(word: str) -> str:
    """Look up a word."""
    return word


def code_executor(code: str) -> str:
    """Run code."""
    return code


def ban(tool: str) -> Lesson:
    payload = {"rule": "Never run code for definitions", "applies_when": "intent == 'definition'"}
    memory = example_memory(kind=MemoryType.SEMANTIC, payload=payload, effect=ToolBan(tool=tool))
    return Lesson(memory=memory)


def test_only_what_is_banned_is_left_out() -> None:
    tools = Tools([look_up, code_executor])
    assert offered(tools, []) is tools
    assert offered(tools, [ban("unknown")]) is tools
    assert offered(tools, [ban("code_executor")]).names == ("look_up",)
    assert offered(tools, [ban("code_executor"), ban("look_up")]).names == ()


async def test_a_model_is_not_shown_a_banned_tool_and_told_when_it_calls_it_all_the_same() -> None:
    call = ToolCall(id="a", name="code_executor", arguments={"code": "1"})
    model = ScriptedModel([[call]])
    policy = LMPolicy(model, [look_up, code_executor])
    brief = Brief(lessons=(ban("code_executor"),))
    (step,) = await policy.aget_actions(STATE, STATE.query, brief=brief)
    assert list(model.prompts[0].tools) == ["look_up"]
    assert step.actions == ()
    assert step.fault == "Not to be used for this question: code_executor. There are: look_up."


async def test_without_the_ban_the_same_call_is_made() -> None:
    call = ToolCall(id="a", name="code_executor", arguments={"code": "1"})
    policy = LMPolicy(ScriptedModel([[call]]), [look_up, code_executor])
    (step,) = await policy.aget_actions(STATE, STATE.query)
    assert [action.tool for action in step.actions] == ["code_executor"]


async def test_a_model_that_reads_text_is_not_told_of_a_banned_tool() -> None:
    model = ScriptedModel(['Thought: run it\nAction: code_executor\nAction Input: {"code": "1"}'])
    policy = TextPolicy(model, [look_up, code_executor])
    brief = Brief(lessons=(ban("code_executor"),))
    (step,) = await policy.aget_actions(STATE, STATE.query, brief=brief)
    told = model.prompts[0].messages[0].content
    assert "look_up" in told
    assert "code_executor" not in told
    assert step.fault is not None
