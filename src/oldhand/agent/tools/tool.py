"""What a tool promises."""

from collections.abc import Mapping
from typing import Protocol

from pydantic import JsonValue

from oldhand.agent.tools.output import ToolOutput


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
