"""Columns that say when something happened: `ordered_on`, `signed_up_at`, `cancelled`."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from sqlglot import exp

from oldhand.agent.analyst.telling.operands import column_name, literal
from oldhand.agent.analyst.words.dates import WEEKDAYS
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import human, listed

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_HAPPENED = re.compile(r"(?P<verb>\w+(?: up| out| off| in)?) (?P<link>on|at)|(?P<alone>\w+ed)")
_WEEK = frozenset(day.capitalize() for day in WEEKDAYS)
_ACTIVE = words("verbs.done_by_people")


def happened(column: str) -> tuple[str, str] | None:
    """What the name of a column says that happened, with the word before the time.

    >>> happened("signed_up_on"), happened("cancelled"), happened("birth_date")
    (('signed up', 'on'), ('cancelled', 'on'), None)
    """
    found = _HAPPENED.fullmatch(human(column))
    return (found["verb"] or found["alone"], found["link"] or "on") if found else None


def acts(verb: str) -> bool:
    """True for verbs of which the thing itself is the one who acts: it `left`, but it `was hired`.

    >>> acts("left"), acts("signed up"), acts("hired")
    (True, True, False)
    """
    return verb in _ACTIVE or " " in verb


def period(first_part: exp.Expr, last_part: exp.Expr) -> str | None:
    """A stretch of time: a year, a month, or two days."""
    column = column_name(first_part.this)
    start, end = literal(first_part.expression), literal(last_part.expression)
    if column is None or not isinstance(start, str) or not isinstance(end, str):
        return None
    when = f"from {start} to before {end}"
    if DAY.fullmatch(start) and DAY.fullmatch(end):
        first, last = date.fromisoformat(start), date.fromisoformat(end)
        months = (last.year - first.year) * 12 + last.month - first.month
        if (first.day, last.day, months) == (1, 1, 12) and first.month == 1:
            when = f"in {first.year}"
        elif (first.day, last.day, months) == (1, 1, 1):
            when = f"in {first:%B %Y}"
        elif last > first:
            until = last - timedelta(days=1)
            when = f"on {first}" if until == first else f"from {first} to {until}"
    return at_time(column, when)


def at_time(column: str, when: str) -> str:
    """`ordered in 2024` for a column `ordered_on`, else `with birth date in 2024`."""
    event = happened(column)
    if event and acts(event[0]):
        return f"that {event[0]} {when}"
    return f"{event[0]} {when}" if event else f"with {human(column)} {when}"


def part_of_date(node: exp.Expr) -> str:
    """Which part of a date `node` takes; empty when none.

    >>> from sqlglot import parse_one
    >>> part_of_date(parse_one("STRFTIME('%Y-%m', opened_on)", dialect="sqlite"))
    'month'
    """
    if isinstance(node, exp.Extract):
        return node.this.sql().lower()
    if isinstance(node, exp.Case | exp.Concat | exp.DPipe | exp.Paren):
        texts = {literal.name for literal in node.find_all(exp.Literal) if literal.is_string}
        return "weekday" if texts >= _WEEK else "quarter" if "-Q" in texts else ""
    if isinstance(node, exp.TimeToStr | exp.ToChar):
        return {"%Y": "year", "%Y-%m": "month", "%Y-%m-%d": "day", "%m": "month of the year"}.get(
            node.text("format"), ""
        )
    inner = node.this if isinstance(node, exp.Cast) else None
    return part_of_date(inner) if isinstance(inner, exp.Expr) else ""


def weekday_of(node: exp.Expr) -> exp.Expr | None:
    """The moment whose number of the day of the week `node` is, counted from Monday as 1; None for anything else.

    >>> from sqlglot import parse_one
    >>> weekday_of(parse_one("(CAST(STRFTIME('%w', o.day) AS INT) + 6) % 7 + 1", dialect="sqlite")).find(exp.Column).sql()
    'o.day'
    """
    numbered = node.this if isinstance(node, exp.Paren) else node
    if isinstance(numbered, exp.DayOfWeekIso):
        return numbered.this
    if isinstance(numbered, exp.Extract):
        return numbered.expression if numbered.name.upper() == "ISODOW" else None
    if not isinstance(numbered, exp.Add):
        return None
    for call in numbered.find_all(exp.TimeToStr, exp.Anonymous):
        if isinstance(call, exp.TimeToStr) and call.text("format") == "%w":
            return call.this
        if isinstance(call, exp.Anonymous) and call.name.upper() == "WEEKDAY":
            return call.expressions[0]
    return None


def on_weekdays(part: exp.Expr) -> str | None:
    """A condition on the day of the week in words: `ordered on Mondays`; None for any other condition."""
    moment = weekday_of(part.this) if isinstance(part, exp.EQ | exp.In) else None
    column = column_name(moment) if moment is not None else None
    values = [part.expression] if isinstance(part, exp.EQ) else part.expressions
    numbers = [literal(value) for value in values]
    if column is None or not all(isinstance(n, int) and 1 <= n <= len(WEEKDAYS) for n in numbers):
        return None
    days = [f"{WEEKDAYS[n - 1].capitalize()}s" for n in numbers if isinstance(n, int)]
    return at_time(column, f"on {listed(days, 'or')}")


def ranges(parts: Sequence[exp.Expr]) -> list[tuple[exp.Expr, exp.Expr | None]]:
    """Each condition alone, but `x >= a` together with the `x < b` that follows it."""
    joined: list[tuple[exp.Expr, exp.Expr | None]] = []
    for part in parts:
        last, end = joined[-1] if joined else (None, None)
        opens = isinstance(last, exp.GTE) and end is None
        if opens and last is not None and isinstance(part, exp.LT) and part.this == last.this:
            joined[-1] = (last, part)
        else:
            joined.append((part, None))
    return joined
