"""What texts hold that is no text: dates in other forms than ISO's, numbers, flags, JSON; and the shape of structures."""

import json
import re
from collections.abc import Sequence
from datetime import date
from typing import cast

from oldhand.lexicon.entries import meanings
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wordlists import word_lists
from oldhand.record.base import Cell
from oldhand.record.schema import Column, ColumnProfile, Holds, Kind

_ENOUGH = 3
_MOST = 0.98
"""Share of the values that must be written alike; a stray one is a mistake of somebody's."""
_DATES = re.compile(r"(\d\d)([/.-])(\d\d)\2\d{4}")
_YEAR_FIRST = re.compile(r"\d{4}([/.])\d\d\1\d\d")
_DIGITS = re.compile(r"(19|20)\d{6}")
_NUMBER = re.compile(r"[-+]?\d+([.]\d+)?")
_LABELS = word_stems("names.identifying") | word_stems("names.uncounted")
_FLAGS = [{yes, no} for yes, no in meanings("states.flags").items()]
_SHOWN_KEYS = 12
_HOLDING = {Kind.TEXT, Kind.JSON, Kind.OTHER}


def held(
    column: Column, profile: ColumnProfile | None, cells: Sequence[Cell]
) -> ColumnProfile | None:
    """The profile of a column with what some of its values say of all; JSON and structures come as JSON text, and are not measured.

    >>> from oldhand.record.schema import ColumnProfile
    >>> column = Column(name="born", type="TEXT", kind=Kind.TEXT)
    >>> some = ("31/12/1990", "01/02/1985", "15/07/1970")
    >>> found = held(column, ColumnProfile(rows=3, distinct=3), some)
    >>> found.holds, found.form
    ('date', '%d/%m/%Y')
    """
    texts = [cell for cell in cells if isinstance(cell, str) and cell]
    if column.kind not in _HOLDING or not texts:
        return profile
    if column.kind is Kind.TEXT and profile is not None:
        found = _flag(column, profile) or _date(texts) or _number(column, texts) or _json(texts)
        told = {"holds": found[0], "form": found[1]} if found else {}
        return profile.model_copy(update=told)
    found = _json(texts)
    if found is None or (column.kind is Kind.OTHER and not found[1]):  # an array says what it is
        return profile
    known = profile or ColumnProfile(rows=len(cells), missing=sum(cell is None for cell in cells))
    return known.model_copy(update={"holds": found[0], "form": found[1], "values": ()})


def as_held(column: Column) -> Column:
    """A column whose texts are dates counts as one of dates."""
    is_date = column.profile is not None and column.profile.holds == "date"
    return column.model_copy(update={"kind": Kind.DATE}) if is_date else column


def _flag(column: Column, profile: ColumnProfile) -> tuple[Holds, str] | None:
    """Yes or no; the 0 and 1 of a `gender` are codes of kinds, as words that mean the like of it have codes."""
    if {str(value).casefold() for value in profile.values} not in _FLAGS:
        return None
    words = word_lists()
    coded = {stem(word) for word in words.codes}
    is_code = any(words.synonyms.get(word, frozenset()) & coded for word in name_words(column.name))
    return None if is_code else ("flag", "")


def _date(texts: list[str]) -> tuple[Holds, str] | None:
    """Dates written with all of their digits; which comes first, day or month, must be seen where no year does."""
    found = [match for text in texts if (match := _DATES.fullmatch(text))]
    if len(found) >= max(_ENOUGH, _MOST * len(texts)):
        sign = found[0].group(2)
        day_first = any(int(match.group(1)) > 12 for match in found)
        month_first = any(int(match.group(3)) > 12 for match in found)
        if day_first is not month_first and all(match.group(2) == sign for match in found):
            form = ("%d", "%m", "%Y") if day_first else ("%m", "%d", "%Y")
            return "date", sign.join(form)
    found = [match for text in texts if (match := _YEAR_FIRST.fullmatch(text))]
    if len(found) >= max(_ENOUGH, _MOST * len(texts)):
        return "date", found[0].group(1).join(("%Y", "%m", "%d"))
    if sum(map(_is_day, texts)) >= max(_ENOUGH, _MOST * len(texts)):
        return "date", "%Y%m%d"
    return None


def _is_day(text: str) -> bool:
    """True for eight digits that are a day: `20240229`."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return _DIGITS.fullmatch(text) is not None


def _number(column: Column, texts: list[str]) -> tuple[Holds, str] | None:
    """Numbers that count or measure; the digits of a `room_number` or `zip` are a label."""
    if name_words(column.name)[-1] in _LABELS:
        return None
    found = [text for text in texts if _NUMBER.fullmatch(text.strip())]
    padded = any(text.startswith("0") and len(text) > 1 and text[1] != "." for text in found)
    enough = len(found) >= max(_ENOUGH, _MOST * len(texts)) and not padded
    return ("number", "") if enough else None


def _json(texts: list[str]) -> tuple[Holds, str] | None:
    keys: dict[str, None] = {}
    for text in texts:
        if text[0] not in "{[":
            return None
        try:
            value = json.loads(text)
        except ValueError:
            return None
        several = cast("list[object]", value) if isinstance(value, list) else [value]
        objects = (cast("dict[str, object]", one) for one in several[:1] if isinstance(one, dict))
        keys |= dict.fromkeys(name for one in objects for name in one)
    return "json", ", ".join(list(keys)[:_SHOWN_KEYS])
