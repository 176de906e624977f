"""Answers to whether one group has more than another."""

import re

from sqlglot import exp

from oldhand.agent.analyst.telling.found import Rows
from oldhand.agent.analyst.telling.grouped import asked_groups
from oldhand.agent.analyst.telling.happening import part_of_date
from oldhand.agent.analyst.telling.yes_no import with_yes_or_no
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import counted, value_text
from oldhand.record.base import Cell

_MORE = words("comparing.higher")
_LESS = words("comparing.lower")
_UNTOLD = re.compile(
    r"\d|%|n['\u2019]t\b|\b(not|no|never|half|double|twice|times|percent|or)\b", re.IGNORECASE
)
"""Words with which a question asks for more, or for less, than which of two numbers is higher."""
_PARTLY = re.compile(
    r"%|n['\u2019]t\b|\b(not|no|never|half|double|twice|times|percent|or)\b", re.IGNORECASE
)
_CHANGING = re.compile(r"\b(chang|develop|evolv|grow|grew|rise|rose|fall|fell)", re.IGNORECASE)


def compared(question: str, select: exp.Select, found: Rows, things: str, said: str) -> str:
    """A sentence about two groups, after the word that answers the question.

    Args:
        question: as it was asked.
        select: brings one value for each group.
        found: its rows.
        things: what `COUNT(*)` counts, in the plural.
        said: a sentence about the rows; it is returned when the question is not about which has more.
    """
    keys = [i for i, output in enumerate(select.selects) if not output.find(exp.AggFunc)]
    key = select.selects[keys[0]].unalias() if keys else None
    groups = asked_groups(select, key) if key is not None else []
    sides = _sides(question, groups)
    if sides is None and key is not None and part_of_date(key):
        sides = _times(question, groups)
    if len(keys) != 1 or len(found.columns) != 2 or found.truncated or sides is None:
        return said
    first, second, more = sides
    value = 1 - keys[0]
    counts = isinstance(select.selects[value].unalias(), exp.Count)
    cells = {str(row[keys[0]]): row[value] for row in found.rows}
    one, other = (_number(cells.get(name, 0 if counts else None)) for name in (first, second))
    if one is None or other is None:
        return said
    if not counts:
        said = said[:1].lower() + said[1:]
        return with_yes_or_no(said, found=one > other if more else one < other)
    verdict = "Yes" if (one > other if more else one < other) else "No"
    if one == other:
        return f"{verdict}: {first} and {second} both have {counted(int(one), things)}."
    return f"{verdict}: {first} has {counted(int(one), things)}, {second} {value_text(other)}."


def _times(question: str, groups: list[str]) -> tuple[str, str, bool] | None:
    """The two times, which stand in the order of the question, and whether the first is asked to have more."""
    words = re.findall(r"\w+", question.casefold())
    cues = [word for word in words if word in _MORE | _LESS]
    plain = len(cues) == 1 and len(groups) == 2 and words.count("than") == 1
    return (
        (groups[0], groups[1], cues[0] in _MORE) if plain and not _PARTLY.search(question) else None
    )


def changed(question: str, select: exp.Select, found: Rows, said: str) -> str:
    """How much a number rose or fell between two times; `said` where the question is about nothing of the kind.

    Args:
        question: as it was asked.
        select: brings one value for each time.
        found: its rows.
        said: a sentence about the rows, such as `Revenue by year: 2024 10, 2025 12`.
    """
    keys = [i for i, output in enumerate(select.selects) if not output.find(exp.AggFunc)]
    if len(keys) != 1 or len(found.columns) != 2 or not _CHANGING.search(question):
        return said
    groups = sorted(asked_groups(select, select.selects[keys[0]].unalias()))
    value = 1 - keys[0]
    cells = {str(row[keys[0]]): _number(row[value]) for row in found.rows}
    one, other = (cells.get(group) for group in groups[:2]) if len(groups) == 2 else (None, None)
    if one is None or other is None:
        return said
    verb = "rose" if other > one else "fell" if other < one else "stayed the same"
    percent = f" ({(other - one) / one:+.1%})".replace("%", " %") if one else ""
    what = said.partition(" by ")[0]
    return f"{what} {verb} from {value_text(one)} in {groups[0]} to {value_text(other)} in {groups[1]}{percent}."


def _sides(question: str, groups: list[str]) -> tuple[str, str, bool] | None:
    """The group before `than` and the one behind it, and whether the first is asked to have more."""
    before, than, behind = question.partition(" than ")
    words = re.findall(r"\w+", question.casefold())
    cues = [word for word in words if word in _MORE | _LESS]
    named = question
    for group in groups:
        named = named.replace(group, "")
    if not than or len(cues) != 1 or len(groups) != 2 or _UNTOLD.search(named):
        return None
    first = [group for group in groups if _names(before, group) and not _names(behind, group)]
    second = [group for group in groups if _names(behind, group) and not _names(before, group)]
    if len(first) != 1 or len(second) != 1:
        return None
    return first[0], second[0], cues[0] in _MORE


def _names(text: str, group: str) -> bool:
    return re.search(rf"\b{re.escape(group)}(?!\w)", text, re.IGNORECASE) is not None


def _number(cell: Cell) -> float | None:
    return cell if isinstance(cell, int | float) else None
