"""Finds the amounts of a question: numbers that count units, such as `5 minutes`, `half a kilo`, `an hour and a half`."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import NumberMention, Span
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, Token, word_stems
from oldhand.lexicon.wording import plain_number
from oldhand.query.units import Unit, units

_SIGN = re.compile(r"([$\u20ac])\s?$")
_OF_MORE = re.compile(r"[/\d\u00b2\u00b3]")
_RATES = word_stems("money.per_unit")
_BEFORE_ONE, _ONE = words("units.before_one"), words("units.one")


def amounts(
    tokens: Sequence[Token], question: str, things: AbstractSet[int]
) -> Iterator[NumberMention]:
    """The numbers that count units, with these; one behind the other are one amount.

    Args:
        tokens: of the question.
        question: as it was asked.
        things: where tables are named; these are counted themselves.
    """
    place = 0
    while place < len(tokens):
        found = None if tokens[place].quoted else _amount_at(tokens, question, place, things)
        if found is not None:
            yield found
        place = found.end if found is not None else place + 1


def before_unit(tokens: Sequence[Token], place: int) -> bool:
    """Whether a unit stands at a place that is none of time: the number before it counts that."""
    said = tokens[place].lower if place < len(tokens) else ""
    unit = units().get(said) if said not in STOP_WORDS else None
    return unit is not None and unit.kind != "time"


def is_rate_of(entry: ColumnEntry, said: Sequence[Token]) -> bool:
    """True for the hourly rate that only the hours of `most hours` name: it is paid for each, and is no number of them."""
    counted = all(token.lower in units() and token.lower.endswith("s") for token in said)
    return counted and entry.measures and bool(entry.words & _RATES) and entry.unit is None


def _amount_at(
    tokens: Sequence[Token], question: str, place: int, things: AbstractSet[int]
) -> NumberMention | None:
    lower = [token.lower for token in tokens]
    value, end = _number_at(tokens, lower, place)
    if value is None:
        return None
    alone = end < len(lower) and end not in things and lower[end] != "s"  # `1990s` are no seconds
    unit = units().get(lower[end]) if alone else None
    if unit is None:
        sign = _SIGN.search(question, 0, tokens[place].start)
        made = _made(Span(place, end), value, tokens, units()[sign[1]], end) if sign else None
        return replace(made, text=f"{sign[1]}{made.text}") if sign and made else None
    if lower[end + 1 : end + 2] == ["per"] or _OF_MORE.match(question, tokens[end].end):
        return None  # `km/h` and `m2` measure something else
    if place and lower[place - 1] == "the":
        return None  # `each of the three years` is no length of time
    stop = end + 1
    if lower[stop : stop + 3] == ["and", "a", "half"]:
        value, stop = value + 0.5, stop + 3
    after = stop + (lower[stop : stop + 1] == ["and"])
    more = _amount_at(tokens, question, after, things) if after < len(tokens) else None
    joined = more is not None and more.unit is not None and lower[place - 1] != "between"
    if more and more.unit and joined and more.unit.kind == unit.kind and more.unit.size < unit.size:
        value, stop = value + more.value * more.unit.size / unit.size, more.end
    return _made(Span(place, end), value, tokens, unit, stop)


def _number_at(tokens: Sequence[Token], lower: list[str], place: int) -> tuple[float | None, int]:
    """The number at a place, said in any way, and where its unit should stand."""
    if lower[place] == "half":
        place += lower[place + 1 : place + 2] in (["a"], ["an"])
        return 0.5, place + 1
    if lower[place : place + 2] == ["quarter", "of"] and lower[place + 2 : place + 3] in (
        ["a"],
        ["an"],
    ):
        return 0.25, place + 3
    if lower[place] in _ONE and place and lower[place - 1] in _BEFORE_ONE:
        return 1, place + 1
    number = tokens[place].number
    if number is not None and lower[place + 1 : place + 4] == ["and", "a", "half"]:
        return number + 0.5, place + 4
    return number, place + 1


def _made(span: Span, value: float, tokens: Sequence[Token], unit: Unit, end: int) -> NumberMention:
    text = " ".join(token.text for token in tokens[span.start : max(end, span.end)])
    return NumberMention(span, plain_number(value), text, unit, end)
