"""What was said before a run, in whatever form a caller has it."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias, cast

from pydantic import ValidationError

from oldhand.errors import UsageError
from oldhand.record.episode import Message
from oldhand.record.step import AgentState

History: TypeAlias = Iterable[AgentState | Message | Mapping[str, str]]
"""Earlier runs, messages, or dicts with `role` (`user` or `assistant`) and `content`; oldest first."""


def messages_before(history: object) -> tuple[Message, ...]:
    """The messages of a `History`; runs without an answer are left out.

    Raises:
        UsageError: something in it is none of these.

    >>> ran = AgentState(run_id="r", query="How many?", answer="Three.", outcome="answered")
    >>> [message.content for message in messages_before([ran, {"role": "user", "content": "And now?"}])]
    ['How many?', 'Three.', 'And now?']
    """
    if isinstance(history, str | Mapping) or not isinstance(history, Iterable):
        raise UsageError("history is a list of messages or earlier runs: put brackets around it.")
    given = cast("Iterable[object]", history)
    return tuple(message for one in given for message in _messages(one))


def _messages(one: object) -> tuple[Message, ...]:
    if isinstance(one, AgentState):
        asked = Message(role="user", content=one.query)
        return (asked, Message(role="assistant", content=one.answer)) if one.answer else ()
    try:
        given = one if isinstance(one, Message) else Message(**cast("dict[str, str]", one))  # pyright: ignore[reportArgumentType]
    except (ValidationError, TypeError) as error:
        raise UsageError(
            f"{one!r} is no message: write {{'role': 'user', 'content': …}}."
        ) from error
    if given.role not in {"user", "assistant"}:
        raise UsageError(
            f"A message of {given.role} can't stand in history: give instructions=… instead."
        )
    return (given,)
