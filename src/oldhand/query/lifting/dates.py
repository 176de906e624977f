"""Parts of dates, and the time between two of them, as each dialect writes them."""

from collections.abc import Mapping

from sqlglot import exp

from oldhand.query.compiling.times import FORMATS, UNITS, WEEKDAYS
from oldhand.query.form import Column, DatePart, Elapsed, Expression, Function
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.scope import Scope
from oldhand.query.lifting.unfit import Unfit
from oldhand.record.schema import DATES

_PARTS = {form: part for part, form in FORMATS.items()}
_MOMENTS = (exp.TsOrDsToDate, exp.TsOrDsToTimestamp)
_NUMBERED: Mapping[type[exp.Expr], str] = {
    exp.Year: "year", exp.Month: "month of the year", exp.Day: "day of the month",
    exp.DayOfMonth: "day of the month", exp.Hour: "hour",
}  # fmt: skip
_EXTRACTED = {
    "YEAR": "year", "MONTH": "month of the year", "DAY": "day of the month", "HOUR": "hour",
    "ISODOW": "day of the week", "DAYOFWEEKISO": "day of the week",
}  # fmt: skip
_LENGTHS = {float(seconds): unit for unit, seconds in UNITS.items()}
_SECONDS = 86_400.0


def read_time(node: exp.Expr, scope: Scope) -> Expression | None:
    """A part of a date or a span of time; None for everything else."""
    return _text_part(node, scope) or _number_part(node, scope) or _span(node, scope)


def _moment(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren | exp.TsOrDsToDate | exp.TsOrDsToTimestamp):
        node = node.this
    return node


def _part(moment: exp.Expr, part: str, scope: Scope) -> DatePart:
    of = scope.reader.term(_moment(moment), scope)
    if isinstance(of, Column | Function | DatePart):
        return DatePart(of, part)
    raise Unfit("part of what is no date")


def _text_part(node: exp.Expr, scope: Scope) -> DatePart | None:
    if isinstance(node, exp.TimeToStr):
        form = node.args.get("format")
        part = _PARTS.get(form.name) if isinstance(form, exp.Literal) else None
        return _part(node.this, part, scope) if part is not None else None
    if isinstance(node, exp.Concat):
        return _quarter(list(node.expressions), scope)
    if isinstance(node, exp.DPipe):
        return _quarter(list(node.flatten(unnest=False)), scope)
    if isinstance(node, exp.Case):
        return _weekday(node, scope)
    return None


def _quarter(pieces: list[exp.Expr], scope: Scope) -> DatePart | None:
    """A year and a quarter, as in `2024-Q3`."""
    if len(pieces) != 3 or not isinstance(pieces[0], exp.TimeToStr) or pieces[1].name != "-Q":
        return None
    year = _text_part(pieces[0], scope)
    if year is None or year.part != "year":
        return None
    moment = _quarter_of(pieces[2])
    if moment is None or scope.reader.term(_moment(moment), scope) != year.of:
        return None
    return DatePart(year.of, "quarter")


def _quarter_of(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.Quarter):
        return node.this
    if isinstance(node, exp.Extract):
        return node.expression if node.name.upper() == "QUARTER" else None
    if not (isinstance(node, exp.Cast) and node.to.is_type("int")):
        return None
    third = node.this.unnest()  # SQLite: CAST((month + 2) / 3 AS INTEGER)
    if not (isinstance(third, exp.Div) and scalar(third.expression) == 3):
        return None
    top = third.this
    top = top.this.unnest() if isinstance(top, exp.Cast) else top.unnest()
    if not (isinstance(top, exp.Add) and scalar(top.expression) == 2):
        return None
    return _formatted(top.this, "%m")


def _formatted(node: exp.Expr, form: str) -> exp.Expr | None:
    """The moment of which a number is taken by a format, as SQLite does it."""
    if not (isinstance(node, exp.Cast) and node.to.is_type("int")):
        return None
    text = node.this
    if not (isinstance(text, exp.TimeToStr) and text.args["format"].name == form):
        return None
    return text.this


def _day_of_week(node: exp.Expr) -> exp.Expr | None:
    """The moment whose day of the week is taken, Monday as 1."""
    node = node.unnest()
    if isinstance(node, exp.DayOfWeekIso):
        return node.this
    if isinstance(node, exp.Extract):
        return node.expression if node.name.upper() in ("ISODOW", "DAYOFWEEKISO") else None
    if not (isinstance(node, exp.Add) and scalar(node.expression) == 1):
        return None
    day = node.this.unnest()
    if isinstance(day, exp.Anonymous) and day.name.upper() == "WEEKDAY":
        return day.expressions[0]
    if not (isinstance(day, exp.Mod) and scalar(day.expression) == 7):
        return None
    later = day.this.unnest()
    if not (isinstance(later, exp.Add) and scalar(later.expression) == 6):
        return None
    return _formatted(later.this, "%w")


def _weekday(node: exp.Case, scope: Scope) -> DatePart | None:
    """The name of a day of the week."""
    if not isinstance(node.this, exp.Expr) or len(node.args["ifs"]) != len(WEEKDAYS):
        return None
    moment = _day_of_week(node.this)
    said = [(scalar(one.this), scalar(one.args["true"])) for one in node.args["ifs"]]
    if moment is None or said != list(enumerate(WEEKDAYS, 1)) or node.args.get("default"):
        return None
    return _part(moment, "weekday", scope)


def _number_part(node: exp.Expr, scope: Scope) -> Expression | None:
    """A part that is a number: the text of it, cast, but for the day of the week."""
    if (moment := _day_of_week(node)) is not None:
        return _part(moment, "day of the week", scope)
    part = _NUMBERED.get(type(node))
    moment = node.this if part is not None else None
    if isinstance(node, exp.Extract):
        part, moment = _EXTRACTED.get(node.name.upper()), node.expression
        if part is None:
            raise Unfit(f"extract {node.name.lower()}")
    if part is None or moment is None:
        return None
    return Function("cast int", (_part(moment, part, scope),))


def _span(node: exp.Expr, scope: Scope) -> Elapsed | None:
    node = node.unnest()
    if isinstance(node, exp.DateDiff):
        unit = node.args.get("unit")
        days = unit is None or unit.name.upper() == "DAY"
        return _elapsed(node.this, node.expression, scope) if days else None
    if isinstance(node, exp.Cast) and node.to.is_type("int", "bigint"):
        return _whole_days(node.this.unnest(), scope)
    if isinstance(node, exp.Div):
        length = scalar(node.expression)
        unit = _LENGTHS.get(float(length)) if isinstance(length, int | float) else None
        between = _seconds_between(node.this)
        if unit is None or between is None or (node.args.get("typed") and isinstance(length, int)):
            return None
        return _elapsed(*between, scope, unit=unit, exact=True)
    return None


def _whole_days(node: exp.Expr, scope: Scope) -> Elapsed | None:
    if isinstance(node, exp.Sub):
        until, since = _julian(node.this), _julian(node.expression)
        return _elapsed(until, since, scope) if until and since else None
    if isinstance(node, exp.Div) and scalar(node.expression) == _SECONDS:
        between = _epoch(node.this)
        return _elapsed(*between, scope) if between is not None else None
    return None


def _julian(node: exp.Expr) -> exp.Expr | None:
    named = isinstance(node, exp.Anonymous) and node.name.upper() == "JULIANDAY"
    return node.expressions[0] if named and len(node.expressions) == 1 else None


def _epoch(node: exp.Expr) -> tuple[exp.Expr, exp.Expr] | None:
    """The ends of a span that PostgreSQL counts in seconds."""
    if not (isinstance(node, exp.Extract) and node.name.lower() == "epoch"):
        return None
    gap = node.expression.unnest()
    return (gap.this, gap.expression) if isinstance(gap, exp.Sub) else None


def _seconds_between(node: exp.Expr) -> tuple[exp.Expr, exp.Expr] | None:
    node = node.unnest()
    while isinstance(node, exp.Cast) and node.to.is_type("double", "bigint", "float"):
        node = node.this.unnest()
    if isinstance(node, exp.DateDiff | exp.TimestampDiff):
        unit = node.args.get("unit")
        return (node.this, node.expression) if unit and unit.name.upper() == "SECOND" else None
    if isinstance(node, exp.Sub):
        ends = [
            one.this.this if isinstance(one.this, _MOMENTS) else one.this
            for one in (node.this, node.expression)
            if isinstance(one, exp.TimeToStr) and one.args["format"].name == "%s"
        ]
        return (ends[0], ends[1]) if len(ends) == 2 else None
    return _epoch(node)


def _elapsed(
    until: exp.Expr, since: exp.Expr, scope: Scope, *, unit: str = "days", exact: bool = False
) -> Elapsed | None:
    found = [scope.reader.term(_uncast(_moment(one)), scope) for one in (since, until)]
    first, last = found
    if not (isinstance(first, Column) and isinstance(last, Column)):
        return None
    if not exact and not all(scope.kind(one) in (*DATES, None) for one in found):
        return None
    return Elapsed(first, last, unit, exact)


def _uncast(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Cast) and node.to.is_type("timestamp", "date", "datetime"):
        return _moment(node.this)
    return node
