"""The bare loop: think, act, look, until the run has ended."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from itertools import takewhile

from oldhand.agent.acting.approval import Approve, decided, edited, vetoed
from oldhand.agent.acting.policy import Policy
from oldhand.agent.acting.run import GrowingRun
from oldhand.agent.acting.transition import Transition, unknown_end
from oldhand.errors import OldhandError, StoreError
from oldhand.record.step import Action, AgentState, Observation, RunOutcome, Step
from oldhand.settings import AgentSettings

TOLD = (
    "\n(The same call brought the same result before. Do something else, or answer with what you know: "
    "once more, and the run ends.)"
)
"""Stands behind the observation one time before the run is ended."""


class Loop:
    """Takes the steps of runs; it keeps nothing between them."""

    def __init__(
        self,
        policy: Policy,
        transition: Transition,
        settings: AgentSettings,
        approve: Approve | None = None,
    ) -> None:
        self._policy = policy
        self._approve = approve
        self._transition = transition
        self._settings = settings

    async def steps(self, run: GrowingRun) -> AsyncGenerator[Step]:
        """The bare loop: think, act, until the run has ended."""
        if run.taken_up and run.open_actions:
            await self._within_limits(run, self._settle)
            yield run.last
        while run.going:
            before = len(run.state.steps)
            await self._within_limits(run, self._step)
            if len(run.state.steps) > before:
                yield run.last

    async def _step(self, run: GrowingRun) -> None:
        await self._think(run)
        await self._act(run)

    async def _think(self, run: GrowingRun) -> None:
        """The next step, not carried out yet."""
        state = run.state
        (step,) = await self._policy.aget_actions(
            state, state.query, state.query_idx, brief=run.brief
        )
        run.take(step)
        if run.brief.decided is not None:
            run.brief.decided(step)
        if step.answer is not None and not step.actions:
            failed = step.ending == "failed"
            run.end(
                step.ending,
                answer=None if failed else step.answer,
                error=step.answer if failed else None,
            )
        once_only = [one for one in step.actions if not self._transition.may_repeat(one)]
        await run.save(durable=bool(once_only))

    async def _act(self, run: GrowingRun) -> None:
        """Carry out what the newest step wants, and keep each observation as soon as it is there."""
        actions, before = run.open_actions, run.state.steps[:-1]
        if self._is_vetoed(run):
            for action in actions:
                run.note(vetoed(action, run.last.issues))
            await run.save()
            return
        limit = self._settings.repeats
        useless = [one for one in actions if times_alike(one, before) >= limit - 1]
        for action in useless:
            run.note(refused_repetition(action))
        useful = {one.id: one for one in actions if one not in useless}
        allowed = await self._allowed(run, useful.values())

        async def keep(seen: Observation) -> None:
            made = allowed[seen.action_id]
            told = edited(made, useful[made.id], seen)
            run.note(told_of_repetition(made, told, before, limit))
            await run.save()

        await self._transition.carry_out(tuple(allowed.values()), keep)
        if useless and not useful:
            called = ", ".join(dict.fromkeys(one.tool for one in useless))
            self._stop(
                run,
                "repeated",
                f"The same call of {called} brought the same result {limit - 1} times; it was not made again.",
            )

    def _is_vetoed(self, run: GrowingRun) -> bool:
        """Whether evaluators object to the newest step, and the model has another try at it."""
        tries = self._settings.vetoes
        last = run.new_steps[-tries - 1 :]
        is_new = len(last) <= tries or not all(step.issues for step in last)
        return bool(run.last.issues) and tries > 0 and is_new

    async def _allowed(self, run: GrowingRun, actions: Iterable[Action]) -> dict[str, Action]:
        """The calls that nobody objects to, as they are to be made; the model is told of the others."""
        if self._approve is None:
            return {one.id: one for one in actions}
        found = [await decided(self._approve, one, run.state) for one in actions]
        for answer in found:
            if isinstance(answer, Observation):
                run.note(answer)
            else:
                run.alter(answer)
        return {one.id: one for one in found if isinstance(one, Action)}

    async def _settle(self, run: GrowingRun) -> None:
        """Calls that were under way when the process died: made again where that does no harm."""
        for action in run.open_actions:
            if not self._transition.may_repeat(action):
                run.note(unknown_end(action))
        await run.save()
        await self._act(run)

    async def _within_limits(
        self, run: GrowingRun, work: Callable[[GrowingRun], Awaitable[None]]
    ) -> None:
        """Do the work, unless a limit is reached; time that runs out meanwhile stops it."""
        run.measure()
        if self._has_to_stop(run):
            return
        seconds = self._settings.seconds
        left = None if seconds is None else seconds - run.state.seconds
        timeout = asyncio.timeout(left)
        try:
            async with timeout:
                await work(run)
        except TimeoutError:
            if not timeout.expired():
                raise
            self._stop(run, "limit", time_is_up(self._settings))
        except StoreError:
            raise
        except OldhandError as error:
            run.end("failed", error=f"{type(error).__name__}: {error}")
        finally:
            run.measure()

    def _has_to_stop(self, run: GrowingRun) -> bool:
        settings = self._settings
        if limit := limit_reached(run.state, settings):
            self._stop(run, "limit", limit)
        elif impossible_in_a_row(run.new_steps) >= settings.repeats:
            last = run.last.fault or run.last.observations[0].text
            self._stop(
                run,
                "repeated",
                f"{settings.repeats} actions in a row were impossible. The last time: {last}",
            )
        return not run.going

    def _stop(self, run: GrowingRun, outcome: RunOutcome, error: str) -> None:
        if outcome == "limit" and run.checkpoints is not None:
            error = f"{error} Then go on with resume({run.state.run_id!r})."
        run.end(outcome, answer=self._policy.partial_answer(run.state), error=error)


# How far a run may go, and whether it goes round in circles.
def limit_reached(state: AgentState, settings: AgentSettings) -> str | None:
    """Which limit keeps a run from going on, and how to raise it; None when it may go on.

    >>> state = AgentState(run_id="r1", query="?", seconds=700)
    >>> print(limit_reached(state, AgentSettings()))
    The limit of 600 seconds for one run is reached. Raise agent.seconds in settings.yaml, or AgentSettings(seconds=…).
    """
    tokens = state.usage.input_tokens + state.usage.output_tokens
    checks = (
        ("steps", len(state.steps), settings.steps, f"{settings.steps} steps"),
        ("tokens", tokens, settings.tokens, f"{settings.tokens or 0:,} tokens"),
        ("cost", state.usage.cost, settings.cost, f"{settings.cost or 0:g} US dollars"),
        ("seconds", state.seconds, settings.seconds, f"{settings.seconds or 0:g} seconds"),
    )
    for name, used, limit, said in checks:
        if limit is not None and used >= limit:
            return _reached(name, said)
    return None


def time_is_up(settings: AgentSettings) -> str:
    """As `limit_reached`, for a run that was stopped in the middle of a step."""
    return _reached("seconds", f"{settings.seconds or 0:g} seconds")


def _reached(name: str, said: str) -> str:
    return (
        f"The limit of {said} for one run is reached. "
        f"Raise agent.{name} in settings.yaml, or AgentSettings({name}=…)."
    )


def times_alike(action: Action, steps: Iterable[Step]) -> int:
    """How often this very call was made and brought the same as the last time it was made.

    >>> look = Action(id="a", tool="look")
    >>> seen = Observation(action_id="a", text="nothing")
    >>> step = Step(number=1, actions=(look,), observations=(seen,))
    >>> times_alike(look, [step, step]), times_alike(Action(id="b", tool="see"), [step])
    (2, 0)
    """
    texts = _texts(action, steps)
    return sum(1 for _ in takewhile(lambda text: text == texts[-1], reversed(texts)))


def told_of_repetition(
    action: Action, seen: Observation, steps: Sequence[Step], limit: int
) -> Observation:
    """The observation; with a warning when it is one short of the limit."""
    text = seen.text.removesuffix(TOLD)
    same = text in _texts(action, steps)[-1:]
    if not same or times_alike(action, steps) + 1 < limit - 1:
        return seen
    return seen.model_copy(update={"text": text + TOLD})


def refused_repetition(action: Action) -> Observation:
    """For a call that was not made any more."""
    return Observation(
        action_id=action.id,
        text=f"{action.tool} was not called: it brought the same result each time. Do something else.",
        is_error=True,
        not_called=True,
    )


def impossible_in_a_row(steps: Sequence[Step]) -> int:
    """How many of the last steps could not be carried out at all: unreadable, no such tool, arguments that don't fit."""
    count = 0
    for step in reversed(steps):
        nothing = bool(step.observations) and all(seen.not_called for seen in step.observations)
        if step.fault is None and not nothing:
            break
        count += 1
    return count


def _texts(action: Action, steps: Iterable[Step]) -> list[str]:
    """What this very call brought, each time that it was made."""
    return [
        seen.text.removesuffix(TOLD)
        for step in steps
        for made in step.actions
        for seen in step.observations
        if seen.action_id == made.id and _call(made) == _call(action)
    ]


def _call(action: Action) -> tuple[str, str]:
    return action.tool, json.dumps(action.arguments, sort_keys=True)
