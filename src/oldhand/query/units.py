"""Units: minutes, kilos and bytes, and those in which columns hold their numbers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import SCALES, stem
from oldhand.lexicon.wordlists import word_lists
from oldhand.record.schema import Column

_WIDE = words("units.wide")
_SAID = re.compile(r"(?:\bin|\bunits?:?|[(\[])\s*(?:whole\s+)?([A-Za-z]+)\b")
_STRETCH = 3
"""How many times wider than what a column holds an amount may be that somebody compares with it."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What numbers count: a sort of quantity, in steps of a size."""

    kind: str
    """Such as `time`."""
    size: float
    """How many of the base unit it is."""
    word: str
    """As it was written."""

    @property
    def is_wide(self) -> bool:
        """True for days and longer, which are counted in columns that name no unit."""
        return self.word in _WIDE


@cache
def units() -> Mapping[str, Unit]:
    """Each word for a unit.

    >>> units()["mins"]
    Unit(kind='time', size=60.0, word='mins')
    """
    said = {word: meaning.split() for word, meaning in meanings("units.sizes").items()}
    return {word: Unit(kind, float(size), word) for word, (kind, size) in said.items()}


def unit_of(column: Column) -> Unit | None:
    """The unit of a column, as its name or its description tells it.

    >>> from oldhand.record.schema import Kind
    >>> def unit(name, text=""):
    ...     found = unit_of(Column(name=name, type="INT", kind=Kind.INTEGER, description=text))
    ...     return found and found.word
    >>> unit("Milliseconds"), unit("duration_ms"), unit("length", "Length in minutes."), unit("price_min"), unit("cap_m3")
    ('milliseconds', 'ms', 'minutes', None, 'm3')
    """
    return _unit_of(column.name, column.description)


def scale_of(name: str) -> int:
    """How many each number of a column stands for, as its name tells.

    >>> scale_of("profits_in_billion"), scale_of("population"), scale_of("million_sellers")
    (1000000000, 1, 1)
    """
    last = split_name(name)[-1:]
    return next((SCALES[word] for word in last if len(word) > 1 and word in SCALES), 1)


@cache
def _unit_of(name: str, description: str) -> Unit | None:
    said = split_name(name)
    if "per" in said[1:]:
        said = said[: said.index("per")]
    kinds = {kind for word in said for kind in kinds_of(word)}
    for word in reversed(said):
        unit = units().get(word)
        plural = len(word) > 2 and word.endswith("s") and (len(word) > 3 or word[:-1] in units())
        if unit and (plural or unit.kind in kinds or not word.isalpha()):
            return unit
    described = (units().get(word.lower()) for word in _SAID.findall(description))
    return next((unit for unit in described if unit), None)


def called(column: Column) -> Iterator[str]:
    """What a column is also called that bears nothing but the name of its unit.

    >>> from oldhand.record.schema import Kind
    >>> list(called(Column(name="Milliseconds", type="INT", kind=Kind.INTEGER)))
    ['length', 'duration', 'runtime']
    """
    unit = unit_of(column)
    if unit is not None and set(split_name(column.name)) <= units().keys():
        yield from (noun for noun, kind in meanings("units.names").items() if kind == unit.kind)


def kinds_of(word: str) -> tuple[str, ...]:
    """The sorts of quantity that a word for something measured may mean: `length` is one of time, too."""
    full = word_lists().abbreviations.get(word, (word,))
    return tuple(meanings("units.measured").get(full[-1], "").split())


@cache
def _kinds_by_stem() -> Mapping[str, tuple[str, ...]]:
    return {stem(word): tuple(kinds.split()) for word, kinds in meanings("units.measured").items()}


def kinds_of_stem(said: str) -> tuple[str, ...]:
    """The sorts of quantity that the stem of a word for something measured may mean; none for other words."""
    return _kinds_by_stem().get(said, ())


def likely_unit(column: Column, said: Unit, values: Sequence[float]) -> Unit | None:
    """The one unit in which a column may hold what an amount is compared with, going by the range of its values."""
    same = (unit for unit in units().values() if unit.kind == said.kind)
    sizes = {unit.size: unit for unit in sorted(same, key=lambda unit: len(unit.word))}
    fits = [
        unit
        for size, unit in sizes.items()
        if is_within(column, [value * said.size / size for value in values]) is True
    ]
    return fits[0] if len(fits) == 1 else None


def is_within(column: Column, values: Sequence[float]) -> bool | None:
    """Whether a column holds numbers of about this size; None where nobody knows."""
    profile = column.profile
    low, high = (profile.low, profile.high) if profile else (None, None)
    if not (isinstance(low, int | float) and isinstance(high, int | float)) or high <= 0:
        return None
    return all(low / _STRETCH <= value <= high * _STRETCH for value in values)
