"""The frozen base of all nouns, the names that may become part of a path, and what can be asked."""

import re
from collections.abc import Iterator
from typing import Annotated, TypeAlias, cast

from pydantic import AfterValidator, BaseModel, ConfigDict

from oldhand.errors import InvalidId, InvalidQuestion
from oldhand.record.shortening import shortened

Cell: TypeAlias = str | int | float | bool | None
"""One value of a result as every face shows it: dates, decimals and bytes are already text or numbers."""

Row: TypeAlias = tuple[Cell, ...]


class Record(BaseModel):
    """A frozen noun: it is replaced by a new version, never changed in place."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def is_none(value: object) -> bool:
    """For fields that are left out of JSON where they are None."""
    return value is None


def texts_in(value: object) -> Iterator[str]:
    """All texts in a JSON value, outer ones first.

    >>> list(texts_in({"a": ["one", {"b": "two"}], "c": 3}))
    ['one', 'two']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in cast("dict[str, object]", value).values():
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from texts_in(inner)


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,127}")


def checked_name(name: str) -> str:
    """Return `name` if it can safely be one part of a path, else raise `InvalidId`.

    >>> checked_name("ana@example.org")
    'ana@example.org'
    >>> checked_name("../../evil")
    Traceback (most recent call last):
    ...
    oldhand.errors.InvalidId: '../../evil' is not a valid id: letters, digits and . _ @ - only, starting with a letter or digit, at most 128 characters.
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidId(f"An id is a text, not {type(name).__name__}.")
    if not _NAME.fullmatch(name) or name.endswith("."):
        raise InvalidId(
            f"{shortened(name, 40)!r} is not a valid id: letters, digits and . _ @ - only, "
            "starting with a letter or digit, at most 128 characters."
        )
    return name


def checked_question(question: object) -> str:
    r"""Return `question` if it is text that says something, else raise `InvalidQuestion`.

    >>> checked_question("How many customers are there?")
    'How many customers are there?'
    >>> checked_question("How many \udcff?")
    Traceback (most recent call last):
    ...
    oldhand.errors.InvalidQuestion: The question holds bytes that are not text in UTF-8.
    """
    if not isinstance(question, str):
        raise InvalidQuestion(f"A question is text, not {type(question).__name__}.")
    if not question.strip():
        raise InvalidQuestion("The question is empty.")
    try:
        question.encode()
    except UnicodeEncodeError as error:
        raise InvalidQuestion("The question holds bytes that are not text in UTF-8.") from error
    return question


SafeName = Annotated[str, AfterValidator(checked_name)]
"""An id of a clone, user or database: it can never leave its folder."""
