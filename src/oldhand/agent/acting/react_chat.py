"""The loop: think, act, look, until there is an answer."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing
from dataclasses import dataclass, field
from operator import index
from typing import SupportsIndex, cast

from oldhand.agent.acting.approval import Approve
from oldhand.agent.acting.history import History, messages_before
from oldhand.agent.acting.judging import Learning, judge_plainly, recall_plainly
from oldhand.agent.acting.loop import Loop
from oldhand.agent.acting.policy import Policy
from oldhand.agent.acting.ports import (
    Beginning,
    Brief,
    Checkpoints,
    Evaluator,
    Keeper,
    Subject,
)
from oldhand.agent.acting.run import ANSWERED, Event, GrowingRun, events_of
from oldhand.agent.acting.transition import Transition
from oldhand.errors import UnknownRun, UsageError
from oldhand.models.blocking import blocking, blocking_items
from oldhand.models.clock import SystemClock
from oldhand.models.ledger import Ledger, booked_to
from oldhand.models.quoting import noted
from oldhand.record.base import checked_question
from oldhand.record.episode import Message
from oldhand.record.instructions import Instructions
from oldhand.record.ports import Clock, NewId, random_id
from oldhand.record.step import AgentState, RunOutcome, Step
from oldhand.settings import AgentSettings


@dataclass(frozen=True)
class LoopDependencies:
    """What the loop works with, the same for every run."""

    settings: AgentSettings = field(default_factory=AgentSettings)
    clock: Clock = field(default_factory=SystemClock)
    new_id: NewId = random_id
    """Names runs, when no keeper does."""
    checkpoints: Checkpoints | None = None
    """Where runs outlive their process; None keeps none."""
    keeper: Keeper | None = None
    """Who records runs; None records none."""
    approve: Approve | None = None
    """Is asked before each call of a tool; None allows all."""
    history: tuple[Message, ...] = ()
    """What was said before every run that is not given anything else."""


class ReActChat:
    """An agent that thinks, calls tools, looks at what they bring, and goes on until it knows the answer.

    The loop is that of Yao et al., ReAct (2022), arXiv:2210.03629. Evaluators make it a learning loop: what they found
    before is in each prompt, what they find now is in the next one.

    Args:
        policy: Decides on each step.
        transition: Carries it out.
        learning: Who judges, and under which names.
        dependencies: Limits, clock, checkpoints, records.

    >>> from oldhand.agent.acting.lm_policy import LMPolicy
    >>> from oldhand.models.language_model import ToolCall
    >>> from oldhand.testing import ScriptedModel
    >>> def now() -> str:
    ...     '''The time of day.'''
    ...     return "noon"
    >>> model = ScriptedModel([[ToolCall(id="a", name="now", arguments={})], "It is noon."])
    >>> agent = ReActChat(LMPolicy(model, [now]), Transition([now]))
    >>> state = agent.run("What time is it?")
    >>> state.outcome, state.answer, state.steps[0].observation.text
    ('answered', 'It is noon.', 'noon')
    """

    def __init__(
        self,
        policy: Policy,
        transition: Transition,
        *,
        learning: Learning | None = None,
        dependencies: LoopDependencies | None = None,
    ) -> None:
        learning = learning or Learning()
        self.policy = policy
        self.transition = transition
        self.dependencies = dependencies or LoopDependencies()
        self.step_evaluators = list(learning.step_evaluators)
        self.trajectory_evaluators = list(learning.trajectory_evaluators)
        self.policy_model_name = learning.policy_model_name or policy.model_name
        self.task_type = learning.task_type
        self._loop = Loop(policy, transition, self.dependencies.settings, self.dependencies.approve)
        self._judge = learning.judge or judge_plainly(policy.callbacks)
        self._recall = learning.recall or recall_plainly(policy.callbacks)
        if self.evaluators:
            self._setup_learning_loop()

    @property
    def evaluators(self) -> list[Evaluator]:
        """All of them, those of single steps first."""
        return [*self.step_evaluators, *self.trajectory_evaluators]

    def run(
        self, query: str, query_idx: int | None = None, *, history: History | None = None
    ) -> AgentState:
        """`arun`, for ordinary code."""
        return blocking(lambda: self.arun(query, query_idx, history=history))

    def stream(
        self, query: str, query_idx: int | None = None, *, history: History | None = None
    ) -> Generator[Step]:
        """`astream`, for ordinary code."""
        return blocking_items(lambda: self.astream(query, query_idx, history=history))

    def events(
        self, query: str, query_idx: int | None = None, *, history: History | None = None
    ) -> Generator[Event]:
        """`aevents`, for ordinary code."""
        return blocking_items(lambda: self.aevents(query, query_idx, history=history))

    def resume(self, run_id: str) -> AgentState:
        """`aresume`, for ordinary code."""
        return blocking(lambda: self.aresume(run_id))

    def unfinished(self) -> tuple[AgentState, ...]:
        """Runs that `resume` can go on with, the one that was saved last first; some may be under way elsewhere.

        Raises:
            StoreError: They could not be read.
        """
        checkpoints = self.dependencies.checkpoints
        if checkpoints is None:
            return ()
        kept = map(checkpoints.load, checkpoints.unfinished())
        return tuple(one.state for one in kept if one is not None)

    def discard(self, run_id: str) -> None:
        """Keep a run no longer: nobody can go on with it, and whoever is at it loses it; what is not kept is no error.

        Raises:
            StoreError: It could not be discarded.
        """
        if self.dependencies.checkpoints is not None:
            self.dependencies.checkpoints.drop(run_id)

    async def arun(
        self, query: str, query_idx: int | None = None, *, history: History | None = None
    ) -> AgentState:
        """Work until there is an answer, or a limit is reached, or it can't go on: `outcome` says which.

        Args:
            query: What is wanted.
            query_idx: Its number in a series of questions; evaluators note it.
            history: What was said before: earlier states, messages, or dicts; that of the agent when None.

        Raises:
            InvalidQuestion: The query is empty, or no text.
            UsageError: `query_idx` is no whole number, or `history` no conversation.
            StoreError: A checkpoint or record could not be kept.
        """
        return await self._finished(await self.begin(query, query_idx, history=history))

    async def aresume(self, run_id: str) -> AgentState:
        """Go on with a run that was interrupted, or that a limit has ended, where it stood.

        A tool call that was under way is made again when the tool is idempotent; else the model is told that nobody
        knows whether it was carried out. Whoever was at it before gets `RunTakenOver` as soon as they want to go on.

        Raises:
            UnknownRun: No unfinished run has that id.
            RunTakenOver: Somebody else has taken it up meanwhile.
            StoreError: A checkpoint or record could not be kept.
        """
        return await self._finished(await self.take_up(run_id))

    async def astream(
        self, query: str, query_idx: int | None = None, *, history: History | None = None
    ) -> AsyncGenerator[Step]:
        """As `arun`, yielding each step when its tools are done; wrap it in `contextlib.aclosing` to stop early."""
        run = await self.begin(query, query_idx, history=history)
        async with aclosing(self.going(run)) as steps:
            async for step in steps:
                yield step

    async def aevents(
        self, query: str, query_idx: int | None = None, *, history: History | None = None
    ) -> AsyncGenerator[Event]:
        """As `arun`, yielding text as the model writes it, each step before and after its tools, and the end.

        Wrap it in `contextlib.aclosing` to stop early.
        """
        run = await self.begin(query, query_idx, history=history)
        async with aclosing(events_of(self.going, run)) as events:
            async for event in events:
                yield event

    async def begin(
        self, query: str, query_idx: int | None = None, *, history: History | None = None
    ) -> GrowingRun:
        """A new run, which `going` goes on with; its `state` is how far it has come."""
        checked_question(query)
        query_idx = _checked_number(query_idx)
        before = self.dependencies.history if history is None else messages_before(history)
        beginning = Beginning(run_id=self.dependencies.new_id())
        if self.dependencies.keeper is not None:
            beginning = await asyncio.to_thread(self.dependencies.keeper.begin, query, query_idx)
        state = AgentState(
            run_id=beginning.run_id, query=query, query_idx=query_idx, history=before
        )
        run = GrowingRun(
            state, self._brief(beginning), beginning, checkpoints=self.dependencies.checkpoints
        )
        await run.keep()
        return run

    async def take_up(self, run_id: str) -> GrowingRun:
        """A run that was kept, which `going` goes on with, and nobody else any more.

        Raises:
            UnknownRun: No unfinished run has that id.
        """
        checkpoints = self.dependencies.checkpoints
        kept = None if checkpoints is None else await asyncio.to_thread(checkpoints.take_up, run_id)
        if checkpoints is None or kept is None:
            raise UnknownRun(f"No unfinished run {run_id!r} is kept: answered ones are done with.")
        told = Instructions(kept.instructions)
        beginning = Beginning(kept.run_id, kept.lessons, told, lambda: kept.recalled)
        if self.dependencies.keeper is not None:
            beginning = await asyncio.to_thread(self.dependencies.keeper.take_up, kept)
        return GrowingRun.resumed(kept, self._brief(beginning), beginning, checkpoints)

    def _brief(self, beginning: Beginning) -> Brief:
        ledger = Ledger(self.dependencies.clock)
        told = beginning.instructions
        return Brief(self.policy_model_name, self.task_type, beginning.lessons, ledger, told)

    async def going(self, run: GrowingRun) -> AsyncGenerator[Step]:
        """The loop with all that is around it: the run is judged as a whole, recorded, and kept when it is cut short."""
        began = run.going
        try:
            async with aclosing(self.steps(run)) as steps:
                async for step in steps:
                    yield step
            if self.policy.output is not None and run.state.outcome == "answered":
                run.conclude(self.policy.output.read(run.state.answer or ""))
            if began:
                await self._judge_whole(run)
        except BaseException as error:
            if run.going:
                outcome, why = _broken_off(error)
                run.end(outcome, error=why)
            await asyncio.shield(self._close(run))
            raise
        await asyncio.shield(self._close(run))

    def steps(self, run: GrowingRun) -> AsyncGenerator[Step]:
        """The bare loop: think, act, until the run has ended; nothing is judged or recorded at the end."""
        return self._loop.steps(run)

    async def _finished(self, run: GrowingRun) -> AgentState:
        async with aclosing(self.going(run)) as steps:
            async for _ in steps:
                pass
        return run.state

    async def _close(self, run: GrowingRun) -> None:
        """Keep the end of the run, have it recorded, and let go of it when there is nothing to go on with."""
        await run.save()
        if self.dependencies.keeper is not None:
            run.file_under(await asyncio.to_thread(self.dependencies.keeper.end, run.checkpoint))
            await run.save()
        if run.state.outcome in ANSWERED:
            await run.drop()

    def _setup_learning_loop(self) -> None:
        """Past issues into each prompt, and each new step before the step evaluators."""
        asked = self._subject
        self.policy.set_run_notes_fn(lambda one: noted(self._recall(self.evaluators, asked(one))))
        if self.step_evaluators:
            self.policy.set_run_post_generation_fn(
                lambda steps, _context, state: [
                    issue
                    for step in steps
                    for issue in self._judge(self.step_evaluators, step, self._subject(state))
                ]
            )

    async def _judge_whole(self, run: GrowingRun) -> None:
        """The trajectory evaluators look at what was done."""
        if self.trajectory_evaluators:
            subject = self._subject(run.state)
            with booked_to(run.brief.ledger):
                await self.policy.callbacks.run(
                    "trajectory",
                    lambda: self._judge(self.trajectory_evaluators, run.state, subject),
                )
            run.add_up()

    def _subject(self, state: AgentState) -> Subject:
        return Subject(state, self.policy_model_name, self.task_type)


def _checked_number(query_idx: object) -> int | None:
    try:
        return None if query_idx is None else index(cast("SupportsIndex", query_idx))
    except TypeError as error:
        raise UsageError(f"query_idx is a whole number, not {query_idx!r}.") from error


def _broken_off(error: BaseException) -> tuple[RunOutcome, str]:
    if isinstance(error, asyncio.CancelledError | GeneratorExit | KeyboardInterrupt):
        return "cancelled", "It was stopped before it had an answer."
    return "failed", f"{type(error).__name__}: {error}"
