"""Sentences for results with a value for each group, and for one group against another."""

import re
from collections.abc import Sequence

from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import counted, value_text
from oldhand.query.describing.about import About
from oldhand.query.describing.found import FoundRows, capital, cell_text, small
from oldhand.query.describing.headings import is_worth, plain_column
from oldhand.query.describing.nouns import NAMES, Schemas, one_of, said_name
from oldhand.query.form import (
    Aggregate,
    Comparison,
    Count,
    DatePart,
    Expression,
    Query,
    Ratio,
    Scalar,
    Share,
)
from oldhand.query.known import kind_of
from oldhand.query.walk import columns, is_measure
from oldhand.record.base import Cell
from oldhand.record.schema import Kind

SHOWN_GROUPS = 6
"""Groups of a table that are written out."""
_MORE, _LESS = words("comparing.higher"), words("comparing.lower")
_PARTLY = re.compile(
    r"%|n['\u2019]t\b|\b(not|no|never|half|double|twice|times|percent|or)\b", re.IGNORECASE
)
"""Words with which a question asks for more, or for less, than which of two numbers is higher."""
_CHANGING = re.compile(r"\b(chang|develop|evolv|grow|grew|rise|rose|fall|fell)", re.IGNORECASE)


class Groups:
    """A value for each group: which output tells the groups apart, and which one is computed."""

    def __init__(self, query: Query, found: FoundRows, told: About, schemas: Schemas) -> None:
        keys = [place for place, one in enumerate(query.select) if not is_measure(one)]
        self.fit = len(keys) == 1 and len(found.columns) == 2 == len(query.select)
        self._query, self._found, self._told, self._schemas = query, found, told, schemas
        self._at = keys[0] if self.fit else 0
        self._key = query.select[self._at]
        self._value = query.select[1 - self._at] if self.fit else self._key
        self._asked = _asked_groups(query, self._key)

    @property
    def _counts(self) -> bool:
        return isinstance(self._value, Count)

    def sentence(self) -> str:
        """A value for each group."""
        read = columns(self._key)
        yes_no = bool(read) and kind_of(read[0], self._schemas) is Kind.BOOLEAN
        pairs: list[tuple[str, Cell]] = []
        for row in self._found.rows:
            key = row[self._at]
            key = bool(key) if yes_no and key in (0, 1) else key
            pairs.append((cell_text(key, read[0].name if read else ""), row[1 - self._at]))
        measured = columns(self._value)
        name = measured[0].name if measured else ""
        written = [_pair(label, cell_text(cell, name)) for label, cell in pairs]
        if self._counts:
            labels = {label for label, _ in pairs}
            written += [_pair(group, "0") for group in self._asked if group not in labels]
        start = f"{capital(self._measure())} by {self._grouping()}"
        if self._found.row_count <= SHOWN_GROUPS and not self._found.truncated:
            return f"{start}: {', '.join(written)}."
        best = None if self._query.limit is not None else self._highest([cell for _, cell in pairs])
        if best is None:
            return f"{start} ({small(self._found.size)} rows), the first: {written[0]}."
        return f"{start} ({self._found.row_count:,} rows), highest: {written[best]}."

    def _grouping(self) -> str:
        """What the groups are: a column's values, or the things that it names."""
        if isinstance(self._key, DatePart):
            return self._key.part
        column = plain_column(self._key)
        if column is None:
            return said_name(self._found.columns[self._at])
        name = said_name(column.name)
        return one_of(column.of) if name in NAMES else name

    def _measure(self) -> str:
        """What each group's value is; what is counted is not said when it is only a part of it that counts."""
        told = self._told
        match self._value:
            case Count(of=None):
                return f"number of {told.counted}" if told.counted != "rows" else "number"
            case Count():
                return "number"
            case value if is_worth(value):
                return "revenue"
            case Aggregate(of=of) if plain_column(of) is None:
                return said_name(self._found.columns[1 - self._at])
            case Share(when=when):
                return f"percentage of {told.counted} {told.speaker.conditions(when)}"
            case Ratio():
                return said_name(self._found.columns[1 - self._at])
            case value:
                return told.speaker.said(value).head

    def _highest(self, cells: Sequence[Cell]) -> int | None:
        """The place of the one highest value; None when not all rows are at hand, or several share it."""
        numbers = [cell for cell in cells if isinstance(cell, int | float)]
        if self._found.truncated or not len(cells) == self._found.row_count == len(numbers):
            return None
        most = max(numbers)
        return numbers.index(most) if numbers.count(most) == 1 else None

    def compared(self, question: str, said: str) -> str:
        """A sentence about two groups, after the word that answers the question."""
        sides = _sides(question, self._asked)
        if sides is None and isinstance(self._key, DatePart):
            sides = _times(question, self._asked)
        if sides is None or not self.fit or self._found.truncated:
            return said
        first, second, more = sides
        one, other = self._number(first), self._number(second)
        if one is None or other is None:
            return said
        verdict = "Yes" if (one > other if more else one < other) else "No"
        if not self._counts:
            return f"{verdict}: {small(said)}"
        things = self._told.counted
        if one == other:
            return f"{verdict}: {first} and {second} both have {counted(int(one), things)}."
        return f"{verdict}: {first} has {counted(int(one), things)}, {second} {value_text(other)}."

    def changed(self, question: str, said: str) -> str:
        """How much a number rose or fell between two times; `said` where the question is about nothing of the kind."""
        times = sorted(self._asked)
        if not self.fit or len(times) != 2 or not _CHANGING.search(question):
            return said
        one, other = (self._number(time, missing=None) for time in times)
        if one is None or other is None:
            return said
        verb = "rose" if other > one else "fell" if other < one else "stayed the same"
        percent = f" ({(other - one) / one:+.1%})".replace("%", " %") if one else ""
        values = f"from {value_text(one)} in {times[0]} to {value_text(other)} in {times[1]}"
        return f"{said.partition(' by ')[0]} {verb} {values}{percent}."

    def _number(self, group: str, missing: int | None = 0) -> float | None:
        """The value of a group; a group without rows has none of what is counted."""
        cells = {str(row[self._at]): row[1 - self._at] for row in self._found.rows}
        cell = cells.get(group, missing if self._counts else None)
        return cell if isinstance(cell, int | float) else None


def _asked_groups(query: Query, key: Expression) -> list[str]:
    """The groups that the question names: those without rows are not among the rows."""
    named = [it for it in query.where if isinstance(it, Comparison) and it.left == key]
    values: list[Scalar] = [v for it in named if it.operator == "in" for v in it.values]
    return [value for value in values if isinstance(value, str)]


def _pair(label: str, value: str) -> str:
    """`Bonn 31.5`, but `3 (31.5)`, where two numbers would run together."""
    return f"{label} ({value})" if label[-1:].isdigit() else f"{label} {value}"


def _cue(question: str) -> bool | None:
    """Whether a question asks for more, or for less; None when it asks for neither, or for both."""
    cues = [word for word in re.findall(r"\w+", question.casefold()) if word in _MORE | _LESS]
    return cues[0] in _MORE if len(cues) == 1 else None


def _times(question: str, groups: Sequence[str]) -> tuple[str, str, bool] | None:
    """The two times, which stand in the order of the question, and whether the first is asked to have more."""
    more = _cue(question)
    once = re.findall(r"\w+", question.casefold()).count("than") == 1
    if more is None or len(groups) != 2 or not once or _PARTLY.search(question):
        return None
    return groups[0], groups[1], more


def _sides(question: str, groups: Sequence[str]) -> tuple[str, str, bool] | None:
    """The group before `than` and the one behind it, and whether the first is asked to have more."""
    before, than, behind = question.partition(" than ")
    more, rest = _cue(question), question
    for group in groups:
        rest = rest.replace(group, "")
    if not than or more is None or len(groups) != 2 or _PARTLY.search(rest) or re.search(r"\d", rest):  # fmt: skip
        return None
    first = [group for group in groups if _names(before, group) and not _names(behind, group)]
    second = [group for group in groups if _names(behind, group) and not _names(before, group)]
    return (first[0], second[0], more) if len(first) == len(second) == 1 else None


def _names(text: str, group: str) -> bool:
    return re.search(rf"\b{re.escape(group)}(?!\w)", text, re.IGNORECASE) is not None
