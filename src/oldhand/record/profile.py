"""What the values of a database look like: measured once, kept beside the schema."""

from typing import Literal

from pydantic import Field

from oldhand.record.base import Cell, Record, is_none

Holds = Literal["date", "number", "flag", "json"]
"""What texts hold that is no text."""


class ColumnProfile(Record):
    """The values of one column."""

    rows: int
    """How many rows were looked at."""
    missing: int = 0
    """Rows without a value."""
    empty: int = 0
    """Rows with the empty text, which stands for no value."""
    distinct: int = 0
    """Different values, without missing and empty ones."""
    low: Cell = Field(default=None, exclude_if=is_none)
    """The smallest value; None where values have no order, or must not be shown."""
    high: Cell = Field(default=None, exclude_if=is_none)
    """The largest value."""
    values: tuple[Cell, ...] = ()
    """All values, where there are few different ones."""
    holds: Holds | None = Field(default=None, exclude_if=is_none)
    """What its texts are, where they are dates, numbers, flags or JSON."""
    form: str = ""
    """How its dates are written, such as `%d/%m/%Y`; empty for ISO dates. Of JSON the keys of its objects."""

    @property
    def present(self) -> int:
        """Rows with a value."""
        return self.rows - self.missing - self.empty

    @property
    def never_missing(self) -> bool:
        """True when every row looked at has a value."""
        return 0 < self.rows == self.present

    @property
    def tells_apart(self) -> bool:
        """True when every row looked at has a value of its own."""
        return 0 < self.rows == self.distinct
