"""Times that a question names: days, months, years, and those counted from today."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache

from oldhand.agent.analyst.words.links import DateMention, Span
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import NUMBER_WORDS, Token
from oldhand.query.compiling.times import WEEKDAYS

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = tuple(day.lower() for day in WEEKDAYS)
_WEEKDAY = rf"(?P<weekday>{'|'.join(_WEEKDAYS)}|weekend)"
_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_YEAR = r"(?P<year>(?:1[6-9]|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_JOINING = words("function_words.listing")
_SOME_DAY = date(2000, 1, 1)
"""Where nobody knows which day it is."""
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The months in which they begin, north of the equator; a winter ends in the next year."""
_SEASON = rf"(?P<season>{'|'.join(_SEASONS)})"
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
}  # fmt: skip
_QUARTER = rf"(?:q(?P<quarter>[1-4])|(?P<ordinal>{'|'.join(_ORDINALS)})\s+quarter)"

_HINT = re.compile(rf"\d|\b(?:{'|'.join((*_MONTHS, *_WEEKDAYS, *_SEASONS, 'weekend', 'last', 'this', 'current', 'previous', 'past', 'next', 'coming', 'today', 'yesterday'))})|quarter", re.IGNORECASE)  # fmt: skip
"""What stands in each of the forms: most questions name no time, and are spared them."""
_FORMS = (
    ("day", r"(?P<year>(?:1[6-9]|20)\d\d)-(?P<number>\d{1,2})-(?P<day>\d{1,2})"),
    ("day", r"(?P<number>\d{1,2})/(?P<day>\d{1,2})/(?P<year>(?:1[6-9]|20)\d\d)"),
    ("day", rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}"),
    ("day", rf"{_DAY}(?:\s+of)?\s+{_MONTH},?\s+{_YEAR}"),
    ("month", r"(?P<year>(?:1[6-9]|20)\d\d)-(?P<number>\d{2})"),
    ("month", rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}"),
    ("quarter", rf"{_QUARTER}(?:\s+of)?\s+{_YEAR}"),
    ("season", rf"{_SEASON},?\s+(?:of\s+)?{_YEAR}"),
    ("own_season", rf"(?P<which>last|this)\s+{_SEASON}"),
    ("bare_season", rf"(?:in|during|of|for|from|since|after|before|by|until)\s+(?:the\s+)?{_SEASON}(?!\s*\d)"),
    ("shared_year", rf"{_MONTH}(?=\s+(?:and|to|or|until|till|through)\s+{_MONTH.replace('?P<month>', '?:')},?\s+{_YEAR})"),
    ("shared_month", rf"{_DAY}(?=\s+(?:and|to|or|until|till|through)\s+\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+{_YEAR})"),
    ("bare_quarter", rf"(?!last\b){_QUARTER}(?:\s+of\s+(?:the|each|every|any)\s+year)?"),
    ("half", rf"(?P<ordinal>first|second|1st|2nd)\s+half(?:\s+of)?\s+{_YEAR}"),
    ("relative", r"(?P<which>last|this|current|previous|past)\s+(?P<unit>year|month|week|quarter)"),
    ("back", rf"(?:last|past|previous)\s+(?P<count>\d{{1,4}}|{'|'.join(NUMBER_WORDS)})\s+(?P<unit>day|week|month|year)s?"),
    ("ahead", rf"(?:next|coming)\s+(?P<count>\d{{1,4}}|{'|'.join(NUMBER_WORDS)})\s+(?P<unit>day|week|month|year)s?"),
    ("named", r"(?P<named>today|yesterday)"),
    ("bare_month", rf"(?:in|during|of|for|from|since|after|before|by|until)\s+{_MONTH}(?!\s*\d)"),
    ("weekday", rf"(?:on|at)\s+(?:an?\s+|the\s+)?{_WEEKDAY}(?!\s+(?:the\s+)?\d)|{_WEEKDAY.replace('?P<weekday>', '?P<weekdays>')}s"),
    ("year", _YEAR),
    ("since", r"(?:ever\s+)?since(?:\s+then)?(?=\s*(?:[?.!,;]|$))|after(?:wards?|\s+that)|thereafter"),
)  # fmt: skip


_AFTER_LINK = {
    "bare_month": ("month",),
    "bare_season": ("season",),
    "weekday": ("weekday", "weekdays"),
}
"""Parts of the forms that begin after the word that links them: `in MARCH`, `on MONDAYS`."""


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (name, re.compile(rf"(?<![\w-])(?:{form})(?![\w-])", re.IGNORECASE))
        for name, form in _FORMS
    )


def find_dates(
    question: str, tokens: Sequence[Token], today: date | None
) -> tuple[DateMention, ...]:
    """The times in a question; `last year` is counted from `today`.

    >>> from oldhand.lexicon.tokens import tokenise
    >>> asked = "orders in March 2024"
    >>> [(d.start.isoformat(), d.end.isoformat()) for d in find_dates(asked, tokenise(asked), date(2025, 1, 1))]
    [('2024-03-01', '2024-04-01')]
    >>> asked = "orders in 2024 and none since"
    >>> [(d.text, d.start.isoformat()) for d in find_dates(asked, tokenise(asked), date(2026, 1, 1))]
    [('2024', '2024-01-01'), ('since', '2025-01-01')]
    """
    found: list[DateMention] = []
    for name, form in _forms() if _HINT.search(question) else ():
        if today is None and name in ("relative", "own_season", "back", "ahead", "named"):
            continue
        for match in form.finditer(question):
            start = max([match.start(), *(match.start(part) for part in _AFTER_LINK.get(name, ()))])
            span = _span(tokens, start, match.end())
            if span is None or any(d.span.overlaps(span) for d in found):
                continue
            mention = _since(found, match, span, tokens) if name == "since" else _mention(name, match, span, today or _SOME_DAY)  # fmt: skip
            if mention is not None:
                found.append(mention)
    return tuple(sorted(found, key=lambda mention: mention.span.start))


def _since(
    found: list[DateMention], match: re.Match[str], span: Span, tokens: Sequence[Token]
) -> DateMention | None:
    """All days after the time before: `in March but never since`, where that is the last March; none where no time is named.

    `In 2024 and afterwards` is one time.
    """
    before = [one for one in found if one.span.end <= span.start and not one.weekdays]
    if not before:
        return None
    last = max(before, key=lambda one: one.span.start)
    between = {token.lower for token in tokens[last.span.end : span.start]}
    if between <= _JOINING:
        whole = Span(last.span.start, span.end)
        found[found.index(last)] = replace(last, span=whole, end=date.max, year=None, months=())
        return None
    found[found.index(last)] = replace(last, months=())
    return DateMention(span, last.end, date.max, match.group())


def _span(tokens: Sequence[Token], start: int, end: int) -> Span | None:
    inside = [i for i, token in enumerate(tokens) if token.start < end and token.end > start]
    return Span(inside[0], inside[-1] + 1) if inside else None


def _mention(name: str, match: re.Match[str], span: Span, today: date) -> DateMention | None:
    text = match.group()
    groups = match.groupdict()
    try:
        if name in ("bare_month", "bare_quarter", "bare_season"):
            first, last = _months(groups)
            year = today.year - (first > today.month)
            start, end = date(year, first, 1), _after(year, last)
            if text.lower().startswith("since") and today is not _SOME_DAY:
                return DateMention(span, start, end, text)
            months = tuple((month - 1) % 12 + 1 for month in range(first, last + 1))
            return DateMention(span, start, end, text, months=months)
        if name == "weekday":
            day = (groups["weekday"] or groups["weekdays"] or "").lower()
            days = (6, 7) if day == "weekend" else (_WEEKDAYS.index(day) + 1,)
            return DateMention(span, date.min, date.min, text, weekdays=days)
        if name == "year":
            year = int(groups["year"])
            return DateMention(span, date(year, 1, 1), date(year + 1, 1, 1), text, year=year)
        start, end = _bounds(name, groups, today)
    except ValueError:
        return None
    whole = start.month == start.day == 1 and end == date(start.year + 1, 1, 1)
    return DateMention(span, start, end, text, year=start.year if whole else None)


def _bounds(name: str, groups: dict[str, str | None], today: date) -> tuple[date, date]:
    if name == "named":
        start = today - timedelta(days=groups["named"] == "yesterday")
        return start, start + timedelta(days=1)
    if name == "relative":
        return _relative(groups["unit"] or "", groups["which"] in ("this", "current"), today)
    if name in ("back", "ahead"):
        count = (groups["count"] or "1").lower()
        amount, unit = NUMBER_WORDS.get(count) or int(count), groups["unit"] or "day"
        first, last = sorted((today, _moved(today, -amount if name == "back" else amount, unit)))
        return first, last + timedelta(days=1)
    first, last = _months(groups)
    if name == "own_season":
        year = today.year - (first > today.month)
        over = today >= _after(year, last) or (groups["which"] or "").lower() == "this"
        year -= not over
        return date(year, first, 1), _after(year, last)
    year = int(groups["year"] or 0)
    first, last = _months(groups, 6 if name == "half" else 3)
    if name not in ("day", "shared_month"):
        return date(year, first, 1), _after(year, last)
    start = date(year, first, int(groups["day"] or 1))
    return start, start + timedelta(days=1)


def _moved(day: date, amount: int, unit: str) -> date:
    """The day so many days, weeks, months or years after another one, or before it."""
    if unit in ("day", "week"):
        return day + timedelta(days=amount * (7 if unit == "week" else 1))
    index = day.year * 12 + day.month - 1 + amount * (12 if unit == "year" else 1)
    year, month = index // 12, index % 12 + 1
    last = (_after(year, month) - timedelta(days=1)).day
    return date(year, month, min(day.day, last))


def _relative(unit: str, current: bool, today: date) -> tuple[date, date]:
    if unit == "year":
        year = today.year - (not current)
        return date(year, 1, 1), date(year + 1, 1, 1)
    if unit == "week":
        start = today - timedelta(days=today.weekday() + (0 if current else 7))
        return start, start + timedelta(days=7)
    length = 3 if unit == "quarter" else 1
    first = (today.month - 1) // length * length + 1
    index = today.year * 12 + first - 1 - (0 if current else length)
    start = date(index // 12, index % 12 + 1, 1)
    return start, _after(start.year, start.month + length - 1)


def _months(groups: dict[str, str | None], length: int = 3) -> tuple[int, int]:
    """The first and the last month of what is named: a month, or a part of a year that is so long."""
    if season := groups.get("season"):
        return _SEASONS[season.lower()], _SEASONS[season.lower()] + 2
    part, ordinal = groups.get("quarter"), groups.get("ordinal")
    if part or ordinal:
        number = int(part or _ORDINALS[(ordinal or "").lower()])
        return length * (number - 1) + 1, length * number
    number = groups.get("number")
    month = int(number) if number else _MONTHS.index((groups.get("month") or "").lower()[:3]) + 1
    return month, month


def _after(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1)
