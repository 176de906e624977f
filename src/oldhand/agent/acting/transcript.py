"""The steps of a run as messages for a model; everything that tools said stands in blocks, as data."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from oldhand.models.language_model import AssistantMessage, ToolCall, ToolResult
from oldhand.models.quoting import block
from oldhand.models.tokens import first_tokens
from oldhand.record.episode import Message
from oldhand.record.step import Action, Observation, Step

LEFT_OUT = "(left out, to make room)"
"""What stands in place of an old observation when a prompt has become too long."""
CUT = "(cut, to make room; ask for less to see the rest)"
"""What stands behind one that was cut for the same reason."""
_WAYS_TO_SHORTEN: tuple[tuple[int, int | None], ...] = ((3, None), (1, None), (1, 500))
"""One after the other: how many of the last steps keep their observations, and how many tokens of each."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


def action_id(number: int, place: int) -> str:
    """Names an action within its run, whatever the model has called it.

    >>> action_id(number=2, place=1)
    'call_2_1'
    """
    return f"call_{number}_{place}"


def native_messages(steps: Iterable[Step]) -> list[Message]:
    """Steps as tool calls and their results, in the way that models with tool calls have them."""
    messages: list[Message] = []
    for step in steps:
        calls = tuple(
            ToolCall(id=one.id, name=_name(one.tool), arguments=one.arguments)
            for one in step.actions
        )
        said = step.answer or step.thought
        if said or calls:
            messages.append(AssistantMessage(content=said, tool_calls=calls))
        messages += (
            ToolResult(content=quoted(seen), call_id=action.id, tool=_name(action.tool))
            for action, seen in _seen(step)
        )
        if step.fault is not None:
            messages.append(Message(role="user", content=step.fault))
    return messages


def text_messages(steps: Iterable[Step], spoken: Callable[[Step], str]) -> list[Message]:
    """Steps in the textual form: what the model wrote, and what came of it."""
    messages: list[Message] = []
    for step in steps:
        if said := spoken(step):
            messages.append(AssistantMessage(content=said))
        came = [f"Observation:\n{quoted(seen)}" for _, seen in _seen(step)]
        came += [step.fault] if step.fault is not None else []
        messages += (Message(role="user", content=text) for text in came)
    return messages


def quoted(observation: Observation) -> str:
    """An observation as data."""
    return block("observation", observation.text)


def shortened_steps(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    """The steps with less and less of their observations, for when a prompt has become too long.

    The last ones stay longest, and something of the very last one always does.
    """
    given = tuple(steps)
    for keep, tokens in _WAYS_TO_SHORTEN:
        old = given[:-keep]
        last = given[-keep:]
        shorter = (
            *(_with_texts(step, _left_out) for step in old),
            *(_with_texts(step, partial(_cut, tokens=tokens)) for step in last),
        )
        if shorter != given:
            yield shorter
        given = shorter


def _with_texts(step: Step, short: Callable[[str], str]) -> Step:
    seen = tuple(one.model_copy(update={"text": short(one.text)}) for one in step.observations)
    return step.model_copy(update={"observations": seen})


def _left_out(text: str) -> str:  # noqa: ARG001
    return LEFT_OUT


def _cut(text: str, tokens: int | None) -> str:
    head = text if tokens is None else first_tokens(text, tokens)
    return text if head == text else f"{head.rstrip()}\n{CUT}"


def _seen(step: Step) -> list[tuple[Action, Observation]]:
    """The actions with what came of them; providers refuse a call without a result."""
    found = {seen.action_id: seen for seen in step.observations}
    missing = "There is no result."
    return [
        (one, found.get(one.id, Observation(action_id=one.id, text=missing, is_error=True)))
        for one in step.actions
    ]


def _name(name: str) -> str:
    """A name that every provider takes, also when the model made it up."""
    return _NOT_IN_NAMES.sub("_", name)[:64] or "_"
