"""Nodes for a graph over messages, near and far."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.server.conftest import Served

from oldhand import AsyncClient, AsyncOldhand, Remembering
from oldhand.errors import UsageError

QUESTION = "How many customers live in Berlin?"


async def through(old: AsyncOldhand, *messages: Any) -> dict[str, Any]:
    """As a graph of recall, model and record would go."""
    remembering = Remembering(old)
    state: dict[str, Any] = {"messages": [messages[0]]}
    state |= await remembering.recall(state)
    state["messages"] = [messages[0], *state["messages"], *messages[1:]]
    return state | await remembering.record(state)


@pytest.mark.parametrize("far", [False, True])
async def test_an_answer_is_kept_with_what_was_recalled(served: Served, far: bool):
    opened = AsyncClient(served.url, served.keys["owner"]) if far else AsyncOldhand(served.home)
    async with opened as old:
        state = await through(old, {"role": "user", "content": QUESTION}, SimpleNamespace(type="ai", content="Two."))  # fmt: skip
        kept = await old.episodes.get(state["oldhand_episode"])
    assert (kept.answer.question, kept.answer.text) == (QUESTION, "Two.")


async def test_a_state_without_messages_is_named(tmp_path: Path):
    async with AsyncOldhand(tmp_path / "home") as old:
        with pytest.raises(UsageError, match="human or user"):
            await Remembering(old).recall({"messages": []})
