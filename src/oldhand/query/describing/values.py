"""What something is compared with, in words: `above 10`, `starting with A`, `in May 2024`."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from oldhand.lexicon.wording import listed
from oldhand.query.compiling.times import MONTHS, WEEKDAYS
from oldhand.query.describing.nouns import acts, happened, said_name
from oldhand.query.form import Scalar

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ADJECTIVE = re.compile(r"(ed|en|ive|able|ible|al|ent|ant|ful|ic|ary|ous|id|y|open|new)$")
"""Endings of words that say what something is like."""
_FIRST, _LAST = "with first name ", "with last name "
_NUMBERS = {
    "=": "{}", "!=": "other than {}", "<": "below {}", "<=": "of at most {}", ">": "above {}",
    ">=": "of at least {}", "between": "between {} and {}", "within": "from {} to below {}",
    "like": "like {}",
}  # fmt: skip
_TIMES = {
    "=": "on {}", "<": "before {}", "<=": "up to {}", ">": "after {}", ">=": "from {}",
    "between": "between {} and {}", "within": "from {} to before {}", "like": "like {}",
}  # fmt: skip
_AMOUNTS = {
    "=": "exactly {}", "!=": "other than {}", "<": "fewer than {}", "<=": "at most {}",
    ">": "more than {}", ">=": "at least {}", "between": "between {} and {}",
    "within": "from {} to fewer than {}", "in": "exactly {}",
}  # fmt: skip


def against(operator: str, values: Sequence[str], *, timely: bool = False) -> str:
    """What stands behind the name of what is compared.

    >>> against(">=", ["10"]), against("not in", ["paid", "open"]), against("<", ["the due date"], timely=True)
    ('of at least 10', 'neither paid nor open', 'before the due date')
    """
    plain = operator.removeprefix("not ")
    if plain == "in" and len(values) == 1:
        operator, plain = ("=", "=") if operator == "in" else ("!=", "!=")
    if plain == "in":
        if not values:
            return "of any value" if operator != plain else "of no value"
        return listed(values, "or") if operator == plain else f"neither {listed(values, 'nor')}"
    said = (_TIMES if timely and plain != "=" else _NUMBERS).get(plain, _NUMBERS[plain])
    return f"{'not ' if operator != plain else ''}{said.format(*values)}"


def amount(operator: str, values: Sequence[str]) -> str:
    """How many there must be: `more than 5`."""
    plain = operator.removeprefix("not ")
    said = _AMOUNTS[plain]
    said = said.format(listed(values, "or")) if plain == "in" else said.format(*values)
    return f"not {said}" if operator != plain else said


def pattern(text: str) -> tuple[str, str]:
    """How a text must look, and the part of it that must be there.

    >>> pattern("A%"), pattern("%son"), pattern("%an%"), pattern("A_c%")
    (('starting with', 'A'), ('ending with', 'son'), ('containing', 'an'), ('like', 'A_c%'))
    """
    inner = text.strip("%")
    if not inner or {"%", "_"} & set(inner) or inner == text or max(len(text) - len(inner), 0) > 2:
        return "like", text
    if text.startswith("%") and text.endswith("%"):
        return "containing", inner
    if len(text) - len(inner) > 1:
        return "like", text
    return ("ending with", inner) if text.startswith("%") else ("starting with", inner)


def when(operator: str, values: Sequence[str]) -> str:
    """A stretch of time between days: `in 2024`, `after 2024-03-01`.

    >>> when("within", ("2024-01-01", "2025-01-01")), when("not within", ("2024-03-01", "2024-04-01"))
    ('in 2024', 'not in March 2024')
    >>> when("within", ("2024-03-01", "2024-03-09")), when(">=", ("2024-03-01",)), when("!=", ("2024-03-01",))
    ('from 2024-03-01 to 2024-03-08', 'from 2024-03-01', 'not on 2024-03-01')
    """
    plain = "=" if operator == "!=" else operator.removeprefix("not ")
    if plain == "in":
        said = f"on {listed(values, 'or')}"
    elif plain == "within" and all(DAY.fullmatch(value) for value in values):
        said = _period(date.fromisoformat(values[0]), date.fromisoformat(values[1]))
    else:
        said = _TIMES[plain].format(*values)
    return f"not {said}" if operator != plain else said


def _period(first: date, last: date) -> str:
    months = (last.year - first.year) * 12 + last.month - first.month
    if (first.day, last.day, months) == (1, 1, 12) and first.month == 1:
        return f"in {first.year}"
    if (first.day, last.day, months) == (1, 1, 1):
        return f"in {first:%B %Y}"
    until = last - timedelta(days=1)
    if last <= first:
        return f"from {first} to before {last}"
    return f"on {first}" if until == first else f"from {first} to {until}"


def part_when(part: str, operator: str, values: Sequence[Scalar]) -> str:
    """When something was, by a part of its date; empty when the comparison is none with such parts.

    >>> part_when("day of the week", "in", (6, 7)), part_when("month of the year", "=", ("05",))
    ('on Saturdays or Sundays', 'in any May')
    >>> part_when("year", "!=", ("2024",)), part_when("year", ">", ("2024",)), part_when("month", ">", ("2024-05",))
    ('not in 2024', 'after 2024', '')
    """
    if part == "year" and operator in ("<", "<=", ">", ">="):
        return _TIMES[operator].format(values[0])
    if operator not in ("=", "!=", "in", "not in") or not values:
        return ""
    said = [_said_part(part, value) for value in values]
    if not all(said):
        return ""
    links = {one.partition(" ")[0] for one in said}
    told = listed([said[0], *(one.partition(" ")[2] for one in said[1:])], "or")
    negated = "not " if operator in ("!=", "not in") else ""
    return f"{negated}{told}" if len(links) == 1 else ""


def _said_part(part: str, value: Scalar) -> str:
    text = str(value)
    if part == "year":
        return f"in {text}"
    if part == "day" and DAY.fullmatch(text):
        return f"on {text}"
    if part == "day of the week" and text.isdecimal() and 1 <= int(text) <= len(WEEKDAYS):
        return f"on {WEEKDAYS[int(text) - 1]}s"
    if part == "weekday" and text in WEEKDAYS:
        return f"on {text}s"
    if part == "month of the year" and text.isdecimal() and 1 <= int(text) <= 12:
        return f"in any {MONTHS[int(text) - 1]}"
    if part == "month" and re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
        return f"in {MONTHS[int(text[5:]) - 1]} {text[:4]}"
    if part == "quarter" and re.fullmatch(r"\d{4}-Q[1-4]", text):
        return f"in quarter {text[-1]} of {text[:4]}"
    return ""


def at_time(column: str, moment: str) -> str:
    """`ordered in 2024` for a column `ordered_on`, else `with birth date in 2024`.

    >>> at_time("ordered_on", "in 2024"), at_time("left_on", "in 2024"), at_time("due_date", "after 2024-05-01")
    ('ordered in 2024', 'that left in 2024', 'with due date after 2024-05-01')
    """
    event = happened(column)
    if event is None:
        return f"with {said_name(column)} {moment}"
    return f"that {event[0]} {moment}" if acts(event[0]) else f"{event[0]} {moment}"


def flagged(name: str, *, value: bool, stated: bool = False) -> str:
    """`that are discontinued`, but `with newsletter`; what a word means that people stated, rows are `counted as`."""
    if stated:
        return f"{'' if value else 'not '}counted as {name}"
    if name.startswith("has ") or (not name.startswith("is ") and not _ADJECTIVE.search(name)):
        return f"{'with' if value else 'without'} {name.removeprefix('has ')}"
    return f"that are {'' if value else 'not '}{name.removeprefix('is ')}"


def with_joined_names(said: Sequence[str]) -> list[str]:
    """Conditions on a first and a last name as one."""
    first = [one for one in said if one.startswith(_FIRST)]
    last = [one for one in said if one.startswith(_LAST)]
    if len(first) != 1 or len(last) != 1:
        return list(said)
    rest = [one for one in said if one not in (*first, *last)]
    return [*rest, f"named {first[0].removeprefix(_FIRST)} {last[0].removeprefix(_LAST)}"]
