"""What a tool promises, and what it gives back."""

from collections.abc import Mapping
from typing import Protocol

from pydantic import JsonValue

from oldhand.record.base import Record
from oldhand.record.step import ResultRows


class ToolOutput(Record):
    """What a tool gave back when it is more than a text."""

    text: str
    """As the model reads it; it is cut to what a prompt can take by whoever shows it."""
    result: ResultRows | None = None
    """The rows of a query."""


class Tool(Protocol):
    """Something that a model may call; name, description and parameters are what it gets to know."""

    @property
    def name(self) -> str:
        """Letters, digits, `_` and `-`, at most 64 characters; unique among the tools of an agent."""
        ...

    @property
    def description(self) -> str:
        """What it does and when to call it, for the model."""
        ...

    @property
    def parameters(self) -> dict[str, JsonValue]:
        """A JSON Schema of type `object`."""
        ...

    @property
    def idempotent(self) -> bool:
        """True when calling it again with the same arguments does no harm, as with everything that only reads."""
        ...

    async def call(self, arguments: Mapping[str, JsonValue], /) -> str | ToolOutput:
        """Do it; cancelling the task ends it.

        Raises:
            OldhandError: it could not be done; the message says what to do next, in words for the model.
        """
        ...
