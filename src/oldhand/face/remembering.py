"""Learning for agents that are written elsewhere: what was learned goes into their prompt, what they answer is kept."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from oldhand.errors import UsageError
from oldhand.face.async_face import AsyncOldhand
from oldhand.record.clone import DEFAULT_USER

if TYPE_CHECKING:
    from pydantic_ai import Agent
    from pydantic_ai.run import AgentRunResult

EPISODE_ID = "oldhand_episode"
"""The key under which a graph's state has the id to give feedback on."""
_RECALL_ID = "oldhand_recall"


class Remembering:
    """Recall before an agent answers and recording afterwards; works in a home, and with an `AsyncClient`.

    Args:
        old: the assistant that learns.
        user: in whose name the agent asks.
        model: the name under which its answers are kept.

    >>> import asyncio
    >>> from pydantic_ai import Agent
    >>> from pydantic_ai.models.test import TestModel
    >>> from oldhand import AsyncOldhand
    >>> async def asked(home):
    ...     async with AsyncOldhand(home) as old:
    ...         agent = Agent(TestModel(custom_output_text="Three."))
    ...         result, episode_id = await Remembering(old).run(agent, "How many shops are there?")
    ...         kept = await old.episodes.get(episode_id)
    ...         return result.output, kept.answer.text
    >>> asyncio.run(asked(getfixture("tmp_path")))
    ('Three.', 'Three.')
    """

    def __init__(self, old: AsyncOldhand, *, user: str = DEFAULT_USER, model: str = "agent") -> None:  # fmt: skip
        self._old = old
        self._user = user
        self._model = model

    async def run(
        self, agent: "Agent[Any, Any]", question: str, **given: Any
    ) -> "tuple[AgentRunResult[Any], str]":
        """Run an agent of pydantic-ai, with what was learned as further instructions.

        Args:
            agent: yours.
            question: what it is asked.
            given: whatever else `agent.run` takes, but `instructions`.

        Returns:
            the result of the run, and the id to give feedback on.
        """
        found = await self._old.recall(question, user=self._user)
        result = await agent.run(question, instructions=found.text or None, **given)
        called = [one.tool_name for message in result.new_messages() for one in message.parts if one.part_kind == "tool-call"]  # fmt: skip
        episode_id = await self._old.record(
            question,
            str(result.output),
            model=self._model,
            tools=called,
            recall_id=found.recall_id,
            user=self._user,
        )
        return result, episode_id

    async def recall(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Stand before the model in a graph of LangGraph: adds what was learned as a system message.

        Raises:
            UsageError: the state has no `messages` with a question.
        """
        found = await self._old.recall(_last(state, {"human", "user"}), user=self._user)
        told = [{"role": "system", "content": found.text}] if found.text else []
        return {"messages": told, _RECALL_ID: found.recall_id}

    async def record(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Stand behind the model in a graph of LangGraph: keeps the answer; the state then has the id as `oldhand_episode`.

        Raises:
            UsageError: the state has no `messages` with a question and an answer.
        """
        episode_id = await self._old.record(
            _last(state, {"human", "user"}),
            _last(state, {"ai", "assistant"}),
            model=self._model,
            recall_id=state.get(_RECALL_ID),
            user=self._user,
        )
        return {EPISODE_ID: episode_id}


def _last(state: Mapping[str, Any], roles: set[str]) -> str:
    """What somebody of these roles said last; messages are objects of LangChain, or mappings."""
    messages: Sequence[Any] = state.get("messages", ())
    for one in reversed(messages):
        fields = cast("dict[str, Any]", one if isinstance(one, Mapping) else vars(one))
        role, content = fields.get("role") or fields.get("type"), fields.get("content")
        if role in roles and isinstance(content, str) and content:
            return content
    raise UsageError(f"The state has no message of {' or '.join(sorted(roles))}.")
