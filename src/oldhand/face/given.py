"""What callers may give in place of an id or a text, and what they may not."""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import partial
from typing import TypeAlias, TypeVar, cast

from oldhand.errors import UsageError
from oldhand.record.answer import Answer
from oldhand.record.episode import Episode
from oldhand.record.feedback import Said
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.route import RouteResponse
from oldhand.record.stage import State
from oldhand.record.step import AgentState
from oldhand.settings import Effort

OfAnswer: TypeAlias = str | Answer | RouteResponse | AgentState | Episode
"""An answer by its id, the first characters of it, or the answer itself, however it was asked for."""

OfMemory: TypeAlias = str | Memory
"""A memory by its id, the first characters of it, or the memory itself."""

_E = TypeVar("_E", bound=StrEnum)
_NAME = re.compile(r"(?=.*\w)[^/\\\x00-\x1f\x7f\u2028\u2029]{1,120}")


def episode_id_of(given: object) -> str:
    """The id of an answer.

    Raises:
        UsageError: it is no `OfAnswer`, or it was not recorded.

    >>> episode_id_of(RouteResponse(text="4", model_used="builtin", episode_id="e-1")), episode_id_of("e-1")
    ('e-1', 'e-1')
    >>> episode_id_of(None)
    Traceback (most recent call last):
    ...
    oldhand.errors.UsageError: An answer or its id is expected, not NoneType.
    """
    match given:
        case str():
            return given
        case (
            Episode(id=found)
            | Answer(episode_id=found)
            | RouteResponse(episode_id=found)
            | AgentState(episode_id=found)
        ):
            if not found:
                raise UsageError("This answer was not recorded, so that it has no id.")
            return found
        case _:
            raise UsageError(f"An answer or its id is expected, not {type(given).__name__}.")


def memory_id_of(given: object) -> str:
    """The id of a memory.

    Raises:
        UsageError: it is no `OfMemory`.
    """
    match given:
        case str():
            return given
        case Memory(id=found):
            return found
        case _:
            raise UsageError(f"A memory or its id is expected, not {type(given).__name__}.")


def one_of(kind: type[_E], what: str, name: str | None) -> _E | None:
    """The member of that name; None where none is named.

    Raises:
        UsageError: there is none.

    >>> one_of(Effort, "effort", "quick").value
    'quick'
    >>> one_of(Effort, "effort", "much")
    Traceback (most recent call last):
    ...
    oldhand.errors.UsageError: There is no effort 'much': use quick, standard, thorough, auto.
    """
    if name is None:
        return None
    if name not in tuple(kind):
        raise UsageError(f"There is no {what} {name!r}: use {', '.join(kind)}.")
    return kind(name)


memory_type = partial(one_of, MemoryType, "memory type")
"""The type of that name."""
memory_state = partial(one_of, State, "state")
"""The state of that name."""
effort_given = partial(one_of, Effort, "effort")
"""The effort of that name; None for that of the settings."""


def text_given(name: str, value: object) -> str | None:
    """A text that may be missing.

    Raises:
        UsageError: it is something else.

    >>> text_given("session_id", 7)
    Traceback (most recent call last):
    ...
    oldhand.errors.UsageError: session_id is a text, not int.
    """
    if value is None or isinstance(value, str):
        return value
    raise UsageError(f"{name} is a text, not {type(value).__name__}.")


def whole_number(name: str, value: object, least: int = 0) -> int | None:
    """A limit that may be missing.

    Raises:
        UsageError: it is something else, or too small.

    >>> whole_number("limit", "3")
    Traceback (most recent call last):
    ...
    oldhand.errors.UsageError: limit: a whole number from 0 on is expected, not '3'.
    """
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UsageError(f"{name}: a whole number from {least} on is expected, not {value!r}.")
    return value


def several(name: str, words: object) -> tuple[str, ...]:
    """Words as a tuple; a single one is not taken apart.

    Raises:
        UsageError: it is neither a word nor several.

    >>> several("tags", "ana"), several("tags", ["ana", "bo"])
    (('ana',), ('ana', 'bo'))
    """
    if isinstance(words, str):
        return (words,)
    if not isinstance(words, Iterable):
        raise UsageError(f"{name} are words, not {type(words).__name__}.")
    given = tuple(cast("Iterable[object]", words))
    for one in given:
        if not isinstance(one, str):
            raise UsageError(f"{name} are words, and {one!r} is none.")
    return cast("tuple[str, ...]", given)


def said_of(
    rater: str,
    rating: int | None,
    text: object,
    correction: object,
    tags: object,
    passage: object = None,
) -> Said:
    """What somebody says about an answer.

    Raises:
        UsageError: text or correction are no texts, the tags are no words, or the passage is neither a number nor words.
    """
    number = whole_number("passage", passage, least=1) if isinstance(passage, int) else None
    return Said(
        rater,
        rating,
        text_given("text", text),
        text_given("correction", correction),
        several("tags", tags),
        text_given("passage", passage) if number is None else str(number),
    )


def named(name: str) -> str:
    """A name, its blanks put right.

    Raises:
        UsageError: it is none.
    """
    found = " ".join(one for one in name.split(" ") if one)
    if not _NAME.fullmatch(found):
        raise UsageError(f"{name[:40]!r} is no name: up to 120 letters and other signs, no slash.")
    return found
