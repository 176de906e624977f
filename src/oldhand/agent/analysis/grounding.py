"""Whether a sentence says only what is known: the rows, the question, and what was understood of it.

A model that puts rows into words may round, and may write a number in any usual way; it may not add a number, a name or a
quotation of its own.
"""

import calendar
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from oldhand.lexicon.entries import words as words_of
from oldhand.record.base import Row

_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"(?<![.!?:\n-])(?<!\d)[ (/]([^\W\d_a-z][^\W\d_]+)")
"""A word with a capital inside a sentence."""
_QUOTED = re.compile(r"[\"“„«]([^\"”“»]{1,80})[\"”“»]|(?<!\w)'([^']{2,80})'(?!\w)")
_NUMERAL = re.compile(
    r"(?<![\w])(?P<digits>(?:(?<![^\s(])\.)?\d+(?:[.,'\u2019\u00a0\u202f]\d+)*)(?P<percent>\s*(?:%|per ?cent\b))?"
    r"(?:\s?(?P<scale>thousand|million|billion|bn|k|m)\b)?",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"\d{1,3}(?:([.,'\u2019\u00a0\u202f])\d{3})(?:\1\d{3})*")
_SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9}
_IN_UNITS = re.compile(r"thousand|million|tausend|mill?i|milh|\bmio\b|\bmille\b", re.IGNORECASE)
_CALENDAR = frozenset(
    name.casefold() for name in (*calendar.month_name, *calendar.month_abbr, *calendar.day_name)
)


@dataclass(frozen=True)
class Known:
    """What a sentence may draw on."""

    rows: tuple[Row, ...]
    texts: tuple[str, ...]
    """The question, names of columns, what was understood, and the like."""
    counts: tuple[int, ...] = ()
    """How many rows there are."""

    @cached_property
    def values(self) -> frozenset[float]:
        """All numbers that stand anywhere, parts of dates among them; without signs, which words can say."""
        written = (value for text in self._texts() for value, _ in _readings(text))
        plain = (abs(float(cell)) for cell in self._cells() if isinstance(cell, int | float))
        return frozenset({*map(float, self.counts), *plain, *written})

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that stand anywhere, folded."""
        return frozenset(word for text in self._texts() for word in _folded(text)) | _CALENDAR

    def _cells(self) -> Iterator[object]:
        return (cell for row in self.rows for cell in row if cell is not None)

    def _texts(self) -> Iterable[str]:
        return (*self.texts, *(cell for cell in self._cells() if isinstance(cell, str)))


def unfounded(text: str, known: Known) -> tuple[str, ...]:
    """Numbers, quotations and names of a text that stand nowhere in what is known.

    Names are looked for in English only: other languages write other words with capitals.

    >>> known = Known((("Ann Lee", 1234.5),), ("Who spent most?",))
    >>> unfounded("It was Ann Lee, who spent about 1.2 thousand in all.", known)
    ()
    >>> unfounded("It was Bob Lee with 1,300 in all, twice the sum of 'Carl'.", known)
    ('1,300', 'Carl', 'Bob')
    """
    # A table in thousands says so once, in its head or in what the reader asked for.
    larger = any(_IN_UNITS.search(said) for said in (text, *known.texts))
    units = (1.0, 1e3, 1e6) if larger else (1.0,)
    found = [one["digits"] for one in _NUMERAL.finditer(text) if not _stands(one, known, units)]
    quoted = (one[1] or one[2] for one in _QUOTED.finditer(text))
    found += (one for one in quoted if not known.words.issuperset(_folded(one)))
    if len(words_of("function_words.english") & set(_folded(text))) > 1:
        names = (name for name in _NAME.findall(text) if name != "I")
        found += (name for name in names if not known.words.issuperset(_folded(name)))
    return tuple(dict.fromkeys(found))


def _stands(numeral: re.Match[str], known: Known, units: tuple[float, ...]) -> bool:
    """Whether a known number is written so, rounded to as many digits as are shown."""
    factors = (1.0, 0.01) if numeral["percent"] else units
    return any(
        abs(value * factor - one) <= 0.5 * unit * factor + 1e-9 * one
        for value, unit in _read(numeral)
        for factor in factors
        for one in known.values
    )


def _readings(text: str) -> Iterator[tuple[float, float]]:
    return (reading for numeral in _NUMERAL.finditer(text) for reading in _read(numeral))


def _read(numeral: re.Match[str]) -> Iterator[tuple[float, float]]:
    """What a numeral may say, with the unit of its last digit: `1.234` is one number here and another there."""
    digits = numeral["digits"]
    scale = _SCALES.get((numeral["scale"] or "").casefold(), 1.0)
    if (grouped := _GROUPED.match(digits)) and (rest := digits[grouped.end() :])[:1] in (
        "",
        ".",
        ",",
    ):
        whole = "".join(c for c in grouped[0] if c.isdigit())
        yield float(f"{whole}.{rest[1:]}"), scale * 10.0 ** -len(rest[1:])
    parts = re.split(r"[.,]", digits)
    if len(parts) < 3 and all(part.isdigit() for part in parts if part):
        decimals = parts[1] if len(parts) == 2 else ""
        yield float(f"{parts[0]}.{decimals}") * scale, scale * 10.0 ** -len(decimals)
    elif len(parts) > 2:  # a date such as 1.5.2026, each part for itself
        yield from ((float(part), 1.0) for part in parts if part.isdigit())


def _folded(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
