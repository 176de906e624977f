"""How far a run may go, and whether it goes round in circles."""

import json
from collections.abc import Iterable, Sequence
from itertools import takewhile

from oldhand.record.step import Action, AgentState, Observation, Step
from oldhand.settings import AgentSettings

TOLD = (
    "\n(The same call brought the same result before. Do something else, or answer with what you know: "
    "once more, and the run ends.)"
)
"""Stands behind the observation one time before the run is ended."""


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
