"""Spans of time and parts of dates as sqlglot expressions, without regard to any dialect."""

from collections.abc import Mapping

from sqlglot import exp

from oldhand.query.form import Elapsed

UNITS: Mapping[str, int] = {"minutes": 60, "hours": 3600, "days": 86_400}
"""What a span is counted in, by its seconds."""
# Not from `calendar`, whose names follow the locale of the process.
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
FORMATS: Mapping[str, str] = {
    "year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d", "month of the year": "%m",
    "day of the month": "%d", "hour": "%H",
}  # fmt: skip
"""How parts of dates are written, for those that one format gives."""


_YEAR = 10_000
"""By how much a day that is written as a number, such as 20260131, grows in a year."""


def span(until: exp.Expr | None, since: exp.Expr, elapsed: Elapsed) -> exp.Expr:
    """The time from `since` to `until`: whole days between dates, with parts of the unit between moments; full years to today."""
    if until is None:
        grown = exp.Sub(this=_as_number(exp.CurrentDate()), expression=_as_number(since))
        years = exp.Literal.number(_YEAR)
        return exp.Paren(this=exp.Div(this=exp.Paren(this=grown), expression=years, typed=True))
    if not elapsed.exact:
        return exp.DateDiff(this=until, expression=since, unit=exp.var("DAY"))
    seconds = exp.DateDiff(this=until, expression=since, unit=exp.var("SECOND"))
    length = exp.Literal.number(float(UNITS[elapsed.unit]))
    return exp.Paren(this=exp.Div(this=seconds, expression=length, typed=False, safe=False))


def _as_number(day: exp.Expr) -> exp.Expr:
    """A day as a number. Years between two of them are full ones, which differences of dates are not in every dialect."""
    written = exp.TimeToStr(this=day, format=exp.Literal.string("%Y%m%d"))
    return exp.Cast(this=written, to=exp.DataType.build("int"))


def part_of_date(moment: exp.Expr, part: str) -> exp.Expr:
    """A part of a date: a text, or the number of the day of the week, of which Monday is 1."""
    if part == "quarter":
        year = exp.TimeToStr(this=moment, format=exp.Literal.string("%Y"))
        number = exp.Quarter(this=moment.copy())
        return exp.Concat(expressions=[year, exp.Literal.string("-Q"), number], safe=True)
    if part == "day of the week":
        return exp.DayOfWeekIso(this=moment)
    if part != "weekday":
        return exp.TimeToStr(this=moment, format=exp.Literal.string(FORMATS[part]))
    named = exp.Case(this=exp.DayOfWeekIso(this=moment))
    for number, day in enumerate(WEEKDAYS, 1):
        named = named.when(exp.Literal.number(number), exp.Literal.string(day))
    return named
