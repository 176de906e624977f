"""Whether an agent goes round in circles."""

import json
from collections.abc import Iterable, Sequence

from oldhand.record.step import Action, Observation, Step

TOLD = (
    "\n(The same call brought the same result before. Do something else, or answer with what you know: "
    "once more, and the run ends.)"
)
"""Stands behind the observation one time before the run is ended."""


def times_alike(action: Action, steps: Iterable[Step]) -> int:
    """How often this very call was made and brought the same as the last time it was made.

    >>> look = Action(id="a", tool="look")
    >>> seen = Observation(action_id="a", text="nothing")
    >>> step = Step(number=1, actions=(look,), observations=(seen,))
    >>> times_alike(look, [step, step]), times_alike(Action(id="b", tool="see"), [step])
    (2, 0)
    """
    texts = _texts(action, steps)
    alike = 0
    for text in reversed(texts):
        if text != texts[-1]:
            break
        alike += 1
    return alike


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
        if seen.action_id == made.id and _same(made, action)
    ]


def _same(one: Action, other: Action) -> bool:
    return one.tool == other.tool and _written(one) == _written(other)


def _written(action: Action) -> str:
    return json.dumps(action.arguments, sort_keys=True)
