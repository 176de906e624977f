"""How one user wants answers put."""

from typing import Literal

from oldhand.record.base import Record

Key = Literal["currency", "rounding", "language", "rows", "length", "ids"]
ROUNDED_TO = {"hundreds": 100, "thousands": 1_000, "millions": 1_000_000, "whole numbers": 1}
"""What figures are rounded to, by how people call it."""


class Preference(Record):
    """One wish of a user about all answers.

    >>> Preference(key="rounding", value="thousands").told
    'round figures to thousands'
    """

    key: Key
    value: str

    @property
    def told(self) -> str:
        """What is to be done, for whoever words an answer."""
        return _TOLD.get((self.key, self.value), _TOLD[self.key, ""]).format(self.value)


_TOLD: dict[tuple[Key, str], str] = {
    ("currency", ""): "give amounts of money in {} where the data has them so; never convert without a rate",
    ("rounding", ""): "round figures to {}",
    ("rounding", "exact"): "do not round figures",
    ("language", ""): "answer in {}",
    ("rows", ""): "show {} rows at most",
    ("length", ""): "keep answers {}",
    ("ids", ""): "leave out ids and keys",
    ("ids", "shown"): "show ids and keys",
}  # fmt: skip
"""What is to be done about each wish, and where that differs, about one of its values."""


class Preferences(Record):
    """All wishes of a user; the last one of a kind counts."""

    all: tuple[Preference, ...] = ()
    style: tuple[str, ...] = ()
    """How the owner likes answers put, as it was learned."""

    def value(self, key: Key) -> str | None:
        """What is wished in one respect."""
        return next((one.value for one in reversed(self.all) if one.key == key), None)

    @property
    def most_rows(self) -> int | None:
        """How many rows are shown at most."""
        rows = self.value("rows")
        return int(rows) if rows is not None and rows.isdigit() else None

    @property
    def rounded_to(self) -> int | float | None:
        """What figures are rounded to: thousands, or so many decimals."""
        wished = self.value("rounding") or ""
        digits = wished.removesuffix(" decimals")
        return 10.0 ** -int(digits) if digits.isdigit() else ROUNDED_TO.get(wished)


NO_PREFERENCES = Preferences()
"""Those of somebody who has said nothing."""
