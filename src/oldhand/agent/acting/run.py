"""One run on its way."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Self, TypeAlias

from oldhand.agent.acting.ports import Beginning, Brief, Checkpoints
from oldhand.record.step import Action, AgentState, Checkpoint, Observation, RunOutcome, Step
from oldhand.record.usage import LedgerEntry, Usage

ANSWERED = frozenset({"answered", "proposed", "clarify", "abstained"})
"""Outcomes after which there is nothing to go on with."""


@dataclass
class GrowingRun:
    """A run that grows: `state` is how far it has come."""

    state: AgentState
    brief: Brief
    """What its generations are made for; its ledger begins when this process takes the run up."""
    beginning: Beginning
    """What its keeper said when it began, or when it was taken up."""
    earlier: tuple[LedgerEntry, ...] = ()
    """Calls of the model before that."""
    checkpoints: Checkpoints | None = None
    """Where it outlives this process; None when it does not."""
    taken_up: int = 0
    """How often somebody has gone on with it; its newest step may have been interrupted then."""
    _used_before: Usage = field(init=False)
    _seconds_before: float = field(init=False)
    _steps_before: int = field(init=False)
    _began: float = field(init=False)
    _last_save: asyncio.Task[None] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._used_before = self.state.usage
        self._seconds_before = self.state.seconds
        self._steps_before = len(self.state.steps)
        self._began = self.brief.ledger.clock.monotonic()

    @classmethod
    def resumed(
        cls, kept: Checkpoint, brief: Brief, beginning: Beginning, checkpoints: Checkpoints
    ) -> Self:
        """A run that was kept; one that ended without an answer goes on."""
        state = kept.state
        if state.outcome not in ANSWERED:
            state = state.model_copy(update={"outcome": "running", "answer": None, "error": None})
        return cls(state, brief, beginning, kept.ledger, checkpoints, kept.taken_up)

    @property
    def going(self) -> bool:
        """True until it has ended."""
        return self.state.outcome == "running"

    @property
    def last(self) -> Step:
        """The newest step."""
        return self.state.steps[-1]

    @property
    def new_steps(self) -> tuple[Step, ...]:
        """Those that were taken since this process has it."""
        return self.state.steps[self._steps_before :]

    @property
    def open_actions(self) -> tuple[Action, ...]:
        """Actions of the newest step that nothing has come of yet."""
        if not self.state.steps:
            return ()
        seen = {one.action_id for one in self.last.observations}
        return tuple(action for action in self.last.actions if action.id not in seen)

    @property
    def checkpoint(self) -> Checkpoint:
        """All that is needed to go on with it elsewhere."""
        self.measure()
        return Checkpoint(
            state=self.state,
            lessons=self.brief.lessons,
            instructions=self.brief.instructions.by_role,
            recalled=self.beginning.recalled(),
            ledger=(*self.earlier, *self.brief.ledger.entries),
            taken_up=self.taken_up,
        )

    async def keep(self) -> None:
        """Keep it from now on."""
        if self.checkpoints is not None:
            await asyncio.to_thread(self.checkpoints.begin, self.checkpoint)

    async def save(self, *, durable: bool = False) -> None:
        """Keep it as it is now; saves happen in their order, also when whoever waits for one is cancelled."""
        if self.checkpoints is None:
            return
        save = partial(self.checkpoints.save, self.checkpoint, durable=durable)
        saving = _saved(save, self._last_save)
        self._last_save = asyncio.create_task(saving)
        await asyncio.shield(self._last_save)

    async def drop(self) -> None:
        """Keep it no longer."""
        if self.checkpoints is not None:
            await asyncio.to_thread(self.checkpoints.drop, self.state.run_id)

    def measure(self) -> None:
        """Bring time and cost of the state up to date; those of a run that has ended stay as they are."""
        if not self.going:
            return
        seconds = self._seconds_before + self.brief.ledger.clock.monotonic() - self._began
        self._change(seconds=seconds)
        self.add_up()

    def add_up(self) -> None:
        """Bring the cost of the state up to date: evaluators ask models when the run has ended, too."""
        self._change(usage=self._used_before + self.brief.ledger.total)

    def take(self, step: Step) -> None:
        """Add a step."""
        self._change(steps=(*self.state.steps, step))

    def alter(self, action: Action) -> None:
        """Put other arguments in place of those of an action of the newest step."""
        actions = tuple(action if one.id == action.id else one for one in self.last.actions)
        step = self.last.model_copy(update={"actions": actions})
        self._change(steps=(*self.state.steps[:-1], step))

    def note(self, observation: Observation) -> None:
        """Add what came of an action of the newest step."""
        seen = {one.action_id: one for one in (*self.last.observations, observation)}
        ordered = tuple(seen[action.id] for action in self.last.actions if action.id in seen)
        step = self.last.model_copy(update={"observations": ordered})
        self._change(steps=(*self.state.steps[:-1], step))

    def end(
        self, outcome: RunOutcome, *, answer: str | None = None, error: str | None = None
    ) -> None:
        """Nothing more happens."""
        self.measure()
        self._change(outcome=outcome, answer=answer, error=error)

    def conclude(self, output: object) -> None:
        """Add the answer as a value of the agent's type."""
        self._change(output=output)

    def file_under(self, episode_id: str | None) -> None:
        """Note where it is recorded."""
        self._change(episode_id=episode_id)

    def _change(self, **fields: object) -> None:
        self.state = self.state.model_copy(update=fields)


async def _saved(save: Callable[[], None], before: asyncio.Task[None] | None) -> None:
    if before is not None:
        await asyncio.wait([before])
    await asyncio.to_thread(save)


# What happens in a run, as it happens: text as the model writes it, steps before and after their tools, the end.
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
