"""What a tool promises."""

import re
from collections.abc import Mapping
from typing import Protocol

from pydantic import JsonValue

from oldhand.agent.tools.output import ToolOutput
from oldhand.errors import InvalidTool
from oldhand.record.shortening import shortened

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Tool(Protocol):
    """Something that the model may call."""

    @property
    def name(self) -> str:
        """Letters, digits, `_` and `-`, at most 64 characters: what OpenAI and Anthropic accept."""
        ...

    @property
    def description(self) -> str:
        """What it does and when to call it, for the model to read."""
        ...

    @property
    def parameters(self) -> dict[str, JsonValue]:
        """A JSON Schema of type `object`."""
        ...

    @property
    def idempotent(self) -> bool:
        """True when calling it twice does no more than calling it once: after a crash it is simply called again."""
        ...

    async def call(self, arguments: Mapping[str, JsonValue]) -> str | ToolOutput:
        """Do the work.

        Raises:
            ToolError: it did not work; the message is for the model and says what to do next.
        """
        ...


def checked_tool_name(name: str) -> str:
    """Return `name` when every provider takes it for the name of a tool.

    Raises:
        InvalidTool: it is empty, too long, or holds other characters.

    >>> checked_tool_name("weather.today")
    Traceback (most recent call last):
    ...
    oldhand.errors.InvalidTool: 'weather.today' cannot be the name of a tool: letters, digits, _ and - only, at most 64 characters.
    """
    if not _NAME.fullmatch(name):
        raise InvalidTool(
            f"{shortened(name, 70)!r} cannot be the name of a tool: letters, digits, _ and - only, at most 64 characters."
        )
    return name


def checked_parameters(name: str, parameters: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the JSON Schema when it is one of an object; one without properties gets none.

    Raises:
        InvalidTool: it describes something else than an object, or its properties are no schemas.

    >>> checked_parameters("now", {"type": "object"})
    {'type': 'object', 'properties': {}}
    """
    kind, properties = parameters.get("type"), parameters.get("properties", {})
    if kind != "object":
        raise InvalidTool(f"{name}: the schema of its arguments has type {kind!r}, not 'object'.")
    if not isinstance(properties, dict):
        raise InvalidTool(f"{name}: `properties` of its schema is no object.")
    for field, schema in properties.items():
        if not isinstance(schema, dict | bool):
            raise InvalidTool(
                f"{name}: the schema of {field!r} is neither an object nor a truth value."
            )
    required = parameters.get("required", [])
    if not isinstance(required, list) or not all(isinstance(field, str) for field in required):
        raise InvalidTool(f"{name}: `required` of its schema is no list of names.")
    return {**parameters, "properties": properties}
