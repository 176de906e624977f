"""What happens in a run, as it happens: text as the model writes it, steps before and after their tools, the end."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from oldhand.agent.acting.run import GrowingRun
from oldhand.record.step import AgentState, Step


@dataclass(frozen=True)
class TextPiece:
    """A piece of what the model writes; what it makes of it is known with the step."""

    text: str


@dataclass(frozen=True)
class StepDecided:
    """A step whose tools are about to be called."""

    step: Step


@dataclass(frozen=True)
class StepTaken:
    """A step with what came of its tools."""

    step: Step


@dataclass(frozen=True)
class RunEnded:
    """The run, recorded."""

    state: AgentState


Event: TypeAlias = TextPiece | StepDecided | StepTaken | RunEnded


async def events_of(
    going: Callable[[GrowingRun], AsyncGenerator[Step]], run: GrowingRun
) -> AsyncGenerator[Event]:
    """Go on with a run, and tell what happens; leaving early cancels it."""
    waiting: asyncio.Queue[Event | None] = asyncio.Queue()

    async def work() -> None:
        try:
            async with aclosing(going(run)) as steps:
                async for step in steps:
                    waiting.put_nowait(StepTaken(step))
        finally:
            waiting.put_nowait(None)

    def heard(text: str) -> None:
        waiting.put_nowait(TextPiece(text))

    def decided(step: Step) -> None:
        waiting.put_nowait(StepDecided(step))

    run.brief = replace(run.brief, heard=heard, decided=decided)
    task = asyncio.create_task(work())
    try:
        while (event := await waiting.get()) is not None:
            yield event
        await task
        yield RunEnded(run.state)
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
