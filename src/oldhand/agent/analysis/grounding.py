"""Whether a sentence says only what is known: the rows, the question, and what was understood of it.

A model that puts rows into words may round, may write a number or a date in any usual way, and may add up a column or set two of its
numbers against each other; it may not add a number, a name or a quotation of its own.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

from oldhand.agent.analysis.said_dates import Moments
from oldhand.lexicon.entries import meanings, words
from oldhand.record.base import Row

_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"(?<![.!?:\n-])(?<!\d)[ (/]([^\W\d_a-z][^\W\d_]+)")
"""A word with a capital inside a sentence."""
_QUOTED = re.compile(r"[\"“„«]([^\"”“»]{1,80})[\"”“»]|(?<!\w)'([^']{2,80})'(?!\w)")
_SCALES = {word: float(number) for word, number in meanings("saying.scales").items()}
_NUMBERS = {word: int(number) for word, number in meanings("saying.numbers").items()}
_TIMES = words("saying.times")
_NUMERAL = re.compile(
    r"(?<![\w])(?P<digits>(?:(?<![^\s(])\.)?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+)(?:[.,'\u2019\u00a0\u202f]\d+)*)"
    r"(?:(?P<percent>\s*(?:%|per ?cent\b|prozent\b))"
    rf"|[\s-]?(?P<scale>{'|'.join(sorted(_SCALES, key=len, reverse=True))})\b)?"
    rf"(?P<times>[\s-]?(?:{'|'.join(sorted(_TIMES))})\b)?",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"\d{1,3}(?:([ .,'\u2019\u00a0\u202f])\d{3})(?:\1\d{3})*")
_PLACE = re.compile(r"(?m)^\s*(\d{1,3})[.)]\s|\b(\d{1,3})(?:st|nd|rd|th)\b")
"""Of a list, or in a ranking."""
_IN_UNITS = re.compile(r"thousand|million|tausend|mill?i|milh|\bmio\b|\bmille\b", re.IGNORECASE)
_COMPARED = 6
"""Numbers that are set against each other; among more, any number would be found."""
_ADDED = 1_000


# What the numbers of a result come to, and how they compare: what a sentence may say of them beyond each number itself.
@dataclass(frozen=True)
class Figures:
    """Figures of a result.

    >>> found = Figures.of([("March", 1500), ("April", 1650)])
    >>> sorted(found.sums), sorted(found.differences), sorted(round(one, 2) for one in found.shares)
    ([1575.0, 3150.0], [150.0], [0.09, 0.1, 0.48, 0.52])
    """

    sums: frozenset[float] = field(default_factory=frozenset[float])
    """Sums and means of the columns."""
    differences: frozenset[float] = field(default_factory=frozenset[float])
    ratios: frozenset[float] = field(default_factory=frozenset[float])
    shares: frozenset[float] = field(default_factory=frozenset[float])
    """Of a sum, and changes from one number to another."""

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Figures":
        """Those of a column each; of one row, those of its numbers."""
        columns = [_numbers(column) for column in zip(*rows[:_ADDED], strict=True)]
        added = [column for column in columns if len(column) > 1]
        compared = [one for one in added if len(one) <= _COMPARED]
        if len(rows) == 1:
            row = _numbers(rows[0])
            compared = [row] if 1 < len(row) <= _COMPARED else []
        pairs = [pair for one in compared for pair in permutations(one, 2)]
        wholes = [(one, abs(sum(column))) for column in added for one in column]
        changes = [abs(a - b) / abs(b) for a, b in pairs if b]
        return cls(
            frozenset(abs(one) for column in added for one in (sum(column), _mean(column))),
            frozenset(abs(a - b) for a, b in pairs),
            frozenset(abs(a / b) for a, b in pairs if b),
            frozenset([*changes, *(abs(one) / whole for one, whole in wholes if whole)]),
        )


def _numbers(cells: Sequence[object]) -> list[float]:
    return list(_plain(cells))


def _plain(cells: Sequence[object]) -> Iterator[float]:
    for cell in cells:
        if isinstance(cell, int | float) and not isinstance(cell, bool):
            yield float(cell)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


@dataclass(frozen=True)
class Known:
    """What a sentence may draw on."""

    rows: tuple[Row, ...]
    texts: tuple[str, ...]
    """The question, names of columns, what was understood, and the like."""
    counts: tuple[int, ...] = ()
    """How many rows there are."""

    @cached_property
    def moments(self) -> Moments:
        """All dates and times that stand anywhere."""
        return Moments.of("\n".join(self._texts()))

    @cached_property
    def values(self) -> frozenset[float]:
        """All numbers that stand anywhere, years among them; without signs, which words can say."""
        written = (
            value
            for text in self._texts()
            for numeral in _NUMERAL.finditer(Moments.blanked(text))
            for value, _ in _read(numeral)
        )
        words = (float(_NUMBERS[w]) for text in self.texts for w in _folded(text) if w in _NUMBERS)
        plain = (abs(float(cell)) for cell in self._cells() if isinstance(cell, int | float))
        years = map(float, self.moments.years)
        return frozenset({*map(float, self.counts), *plain, *written, *words, *years})

    @cached_property
    def figures(self) -> Figures:
        """What the numbers of a column come to, and how they compare; nothing of rows that are not all there."""
        whole = bool(self.counts) and self.counts[-1] == len(self.rows)
        return Figures.of(self.rows if whole or len(self.counts) != 1 else ())

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that stand anywhere, folded."""
        return frozenset(word for text in self._texts() for word in _folded(text))

    def _cells(self) -> Iterator[object]:
        return (cell for row in self.rows for cell in row if cell is not None)

    def _texts(self) -> Iterable[str]:
        others = (str(c) for c in self._cells() if not isinstance(c, int | float))
        return (*self.texts, *others)


def unfounded(text: str, known: Known) -> tuple[str, ...]:
    """Numbers, dates, quotations and names of a text that stand nowhere in what is known.

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
    found = list(known.moments.unknown_in(text, known.values, known.words))
    rest = _PLACE.sub(lambda place: _without_place(place, known), Moments.blanked(text))
    numerals = _NUMERAL.finditer(rest)
    found += (one["digits"].strip() for one in numerals if not _stands(one, known, units))
    found += _unknown_number_words(rest, known)
    quoted = (one[1] or one[2] for one in _QUOTED.finditer(text))
    found += (one for one in quoted if not known.words.issuperset(_folded(one)))
    if len(words("function_words.english") & set(_folded(text))) > 1:
        names = (name for name in _NAME.findall(rest) if name != "I")
        found += (name for name in names if not known.words.issuperset(_folded(name)))
    return tuple(dict.fromkeys(found))


def _without_place(place: re.Match[str], known: Known) -> str:
    """Nothing in place of a number that only counts the rows up to here."""
    return " " if int(place[1] or place[2]) <= max(known.counts, default=0) else place[0]


def _unknown_number_words(text: str, known: Known) -> Iterator[str]:
    """`four`, where there are neither as many rows nor such a number; small ones may count some of the rows."""
    most = max(known.counts, default=0)
    for word in _WORD.findall(text):
        number = _NUMBERS.get(word.casefold())
        if number is not None and not (1 < most >= number) and number not in known.values:
            yield word


def _stands(numeral: re.Match[str], known: Known, units: tuple[float, ...]) -> bool:
    """Whether a known number is written so, rounded to as many digits as are shown."""
    figures = known.figures
    if numeral["percent"]:
        ways = ((known.values, (1.0, 0.01)), (figures.shares, (0.01,)))
    elif numeral["times"]:
        ways = ((known.values | figures.ratios, (1.0,)),)
    else:
        factors = (1.0,) if numeral["scale"] else units
        ways = ((known.values | figures.sums | figures.differences, factors),)
    return any(
        abs(value * factor - one) <= 0.5 * unit * factor + 1e-9 * one
        for value, unit in _read(numeral)
        for numbers, allowed in ways
        for factor in allowed
        for one in numbers
    )


def _read(numeral: re.Match[str]) -> Iterator[tuple[float, float]]:
    """What a numeral may say, with the unit of its last digit: `1.234` is one number here and another there."""
    digits = numeral["digits"]
    if len(numeral["scale"] or "") == 1:  # metres, or millions
        yield from _plainly(digits, 1.0)
    scale = _SCALES.get((numeral["scale"] or "").casefold(), 1.0)
    yield from _plainly(digits, scale)


def _plainly(digits: str, scale: float) -> Iterator[tuple[float, float]]:
    if (grouped := _GROUPED.match(digits)) and (rest := digits[grouped.end() :])[:1] in (
        "",
        ".",
        ",",
    ):
        whole = "".join(c for c in grouped[0] if c.isdigit())
        unit = 10.0 ** -len(rest[1:]) if rest else _rounded_to(whole)
        yield float(f"{whole}.{rest[1:]}") * scale, scale * unit
    parts = re.split(r"[.,]", digits)
    if len(parts) < 3 and all(part.isdigit() for part in parts if part):
        decimals = parts[1] if len(parts) == 2 else ""
        unit = 10.0 ** -len(decimals) if decimals else _rounded_to(parts[0])
        yield float(f"{parts[0]}.{decimals}") * scale, scale * unit


def _rounded_to(whole: str) -> float:
    """The unit to which a large number is rounded: 12,300 may stand for 12,345, but 20 only for 20."""
    kept = whole.rstrip("0")
    return 10.0 ** (len(whole) - max(len(kept), 2)) if len(whole) > 3 else 1.0


def _folded(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
