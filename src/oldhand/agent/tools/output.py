"""What a tool gives back: text for the model, and the rows behind it for those who would rather not read text."""

from dataclasses import dataclass

from pydantic_core import PydanticSerializationError, to_json

from oldhand.errors import ToolFailed
from oldhand.record.base import Row
from oldhand.record.shortening import shortened
from oldhand.record.step import Conclusion, ResultRows

NOTHING = "Done; it returned nothing."
"""What the model reads when a tool returns None."""
_SHOWN_CHARS = 200


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
