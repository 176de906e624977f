"""Agents over scripted models and plain functions as tools."""

from collections.abc import Callable, Iterable

import pytest

from oldhand.agent.acting import Learning, LMPolicy, LoopDependencies, ReActChat, Transition
from oldhand.agent.tools import Tool, as_tool
from oldhand.models.language_model import ToolCall
from oldhand.settings import AgentSettings
from oldhand.testing import CountingIds, FixedClock, ScriptedModel

MakeAgent = Callable[..., ReActChat]


def call(tool: str, **arguments: object) -> ToolCall:
    return ToolCall.model_validate({"id": "given", "name": tool, "arguments": arguments})


def look_up(city: str) -> str:
    """Look up a city.

    Args:
        city: Its name.
    """
    return f"{city} has 3 customers"


@pytest.fixture
def make_agent() -> MakeAgent:
    def make(
        model: ScriptedModel,
        tools: Iterable[Tool | Callable[..., object]] = (as_tool(look_up, idempotent=True),),
        *,
        learning: Learning | None = None,
        clock: FixedClock | None = None,
        checkpoints: object = None,
        keeper: object = None,
        **settings: object,
    ) -> ReActChat:
        limits = AgentSettings.model_validate(settings)
        chosen_clock = clock or FixedClock()
        tools = tuple(tools)
        return ReActChat(
            LMPolicy(model, tools),
            Transition(tools, settings=limits, clock=chosen_clock),
            learning=learning,
            dependencies=LoopDependencies(
                limits, chosen_clock, CountingIds("run"), checkpoints, keeper
            ),  # pyright: ignore[reportArgumentType]
        )

    return make
