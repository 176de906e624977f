"""The transition: carries out the actions of a step, side by side, and says what came of each."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

from oldhand.agent.tools import ToolOutput, Tools
from oldhand.agent.tools.tool import Tool
from oldhand.models.clock import SystemClock
from oldhand.models.quoting import visible
from oldhand.models.tokens import first_tokens
from oldhand.record.base import Row
from oldhand.record.ports import Clock
from oldhand.record.step import Action, Observation, ResultRows
from oldhand.settings import AgentSettings

Keep = Callable[[Observation], Awaitable[None]]
"""Is given each observation as soon as it is there, in the order in which the tools come back."""
MAX_RESULT_CHARS = 1_000_000
"""Characters in the rows that are kept beside the text."""


class Transition:
    """Calls tools. Whatever goes wrong with one is an observation that says so; only cancelling ends it early.

    >>> def add(a: int, b: int) -> int:
    ...     '''Add two numbers.'''
    ...     return a + b
    >>> transition = Transition([add])
    >>> action = Action(id="call_1_1", tool="add", arguments={"a": 2, "b": 3})
    >>> asyncio.run(transition.carry_out([action]))[0].text
    '5'
    """

    def __init__(
        self,
        tools: Iterable[Tool | Callable[..., object]],
        *,
        settings: AgentSettings | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.tools = tools if isinstance(tools, Tools) else Tools(tools)
        self._settings = settings or AgentSettings()
        self._clock = clock or SystemClock()

    async def carry_out(
        self, actions: Sequence[Action], keep: Keep | None = None
    ) -> tuple[Observation, ...]:
        """Call the tools of these actions at the same time, as many as may be; in their order, what came of each."""
        room = asyncio.Semaphore(self._settings.parallel_calls)

        async def one(action: Action) -> Observation:
            async with room:
                seen = await self._observed(action)
            if keep is not None:
                await keep(seen)
            return seen

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(action)) for action in actions]
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from errors  # of `keep`: tools raise nothing
        return tuple(task.result() for task in tasks)

    def may_repeat(self, action: Action) -> bool:
        """True when calling it again does no harm, so that it may be called after a crash."""
        tool = self.tools.get(action.tool)
        # A tool of somebody else's making may not say so.
        return tool is None or bool(getattr(tool, "idempotent", False))

    def _limit(self, action: Action) -> float:
        """Seconds that a call may take: a tool that waits for people has a time of its own, `seconds`."""
        own = getattr(self.tools.get(action.tool), "seconds", None)
        return max(self._settings.tool_seconds, own if isinstance(own, int | float) else 0.0)

    async def _observed(self, action: Action) -> Observation:
        began = self._clock.monotonic()
        limit = self._limit(action)
        timeout = asyncio.timeout(limit)
        try:
            async with timeout:
                output = await self.tools.call(action)
        except TimeoutError:
            if not timeout.expired():
                raise
            output = ToolOutput(
                f"{action.tool} was stopped after {limit:g} seconds. Ask it for less, or do without it.",
                is_error=True,
            )
        seconds = self._clock.monotonic() - began
        return observation(action, output, seconds, self._settings.observation_tokens)


def observation(action: Action, output: ToolOutput, seconds: float, tokens: int) -> Observation:
    """The observation of one call; takes no longer for an output of any size.

    >>> action = Action(id="call_1_1", tool="read")
    >>> print(observation(action, ToolOutput("one two three four"), 0.0, tokens=2).text)
    one two
    (cut: the first 8 of 18 characters; ask for less to see the rest)
    """
    head = first_tokens(output.text, tokens)
    text = visible(head)
    if cut := len(head) < len(output.text):
        of = f"the first {len(head):,} of {len(output.text):,} characters"
        text = f"{text.rstrip()}\n(cut: {of}; ask for less to see the rest)"
    return Observation(
        action_id=action.id,
        text=text,
        is_error=output.is_error,
        not_called=output.not_called,
        truncated=cut or output.truncated,
        seconds=seconds,
        result=None if output.result is None else _kept(output.result),
        conclusion=output.conclusion,
    )


def unknown_end(action: Action) -> Observation:
    """For a call that was under way when the process died, and that must not simply be made again."""
    return Observation(
        action_id=action.id,
        text=(
            f"It is not known whether {action.tool} was carried out: the program was interrupted while it was under way. "
            "Find out before you call it again."
        ),
        is_error=True,
    )


def _kept(result: ResultRows) -> ResultRows:
    """The first rows, as many as fit."""
    room = MAX_RESULT_CHARS
    kept: list[Row] = []
    for row in result.rows:
        room -= sum(len(cell) for cell in row if isinstance(cell, str)) + len(row)
        if room < 0:
            return result.model_copy(update={"rows": tuple(kept)})
        kept.append(row)
    return result
