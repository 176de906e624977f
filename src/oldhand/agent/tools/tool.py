"""What a tool promises."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue
from pydantic_core import PydanticSerializationError, to_json

from oldhand.errors import InvalidTool, ToolFailed
from oldhand.record.base import Row
from oldhand.record.shortening import shortened
from oldhand.record.step import Conclusion, ResultRows

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
NOTHING = "Done; it returned nothing."
"""What the model reads when a tool returns None."""
_SHOWN_CHARS = 200


# What a tool gives back: text for the model, and the rows behind it for those who would rather not read text.
@dataclass(frozen=True)
class ToolOutput:
    r"""The result of one call.

    >>> found = ResultRows(columns=("n",), rows=((3,),), row_count=1)
    >>> ToolOutput("n\n3", result=found).rows
    ((3,),)
    """

    text: str
    """For the model; it may be of any length: who shows it cuts it."""
    is_error: bool = False
    """True when the tool failed; the text then says what is wrong and what to do next."""
    truncated: bool = False
    """True when the tool had more to say than `text` holds."""
    result: ResultRows | None = None
    """The table behind the text; None when there is none."""
    conclusion: Conclusion | None = None
    """What it says to a person, when it answers whole questions."""
    not_called: bool = False
    """True when nothing was done: there is no such tool, or the arguments do not fit it."""

    def __repr__(self) -> str:
        """Short, whatever the text: asyncio asks for it, too."""
        return f"ToolOutput({shortened(self.text, _SHOWN_CHARS)!r}, is_error={self.is_error})"

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the table's columns."""
        return () if self.result is None else self.result.columns

    @property
    def rows(self) -> tuple[Row, ...]:
        """The table's rows, as many cells in each as there are columns."""
        return () if self.result is None else self.result.rows


def output_of(value: object) -> ToolOutput:
    """Whatever a function returned, as text: strings as they are, everything else as JSON.

    Raises:
        ToolFailed: the value cannot be written as JSON, for example because it holds itself.

    >>> from datetime import date
    >>> output_of({"day": date(2024, 2, 29), "open": True}).text
    '{"day":"2024-02-29","open":true}'
    >>> output_of(None).text
    'Done; it returned nothing.'
    """
    if isinstance(value, ToolOutput):
        return value
    if isinstance(value, str):
        return ToolOutput(value)
    if value is None:
        return ToolOutput(NOTHING)
    try:
        written = to_json(value, fallback=str, inf_nan_mode="strings", bytes_mode="base64")
    except PydanticSerializationError as error:
        raise ToolFailed(f"What it returned cannot be written as JSON: {error}.") from error
    return ToolOutput(written.decode())


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
