"""Parts of dates, and the time between two of them, as each dialect writes them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import sqlglot
from sqlglot import exp

from oldhand.query.compiling.render import render
from oldhand.query.compiling.times import FORMATS, UNITS, part_of_date, span
from oldhand.query.form import ColumnRef, DatePart, Elapsed, Expression, Function, Relation
from oldhand.query.lifting.scope import LiftScope
from oldhand.query.lifting.unfit import Unfit
from oldhand.record.schema import DATES

_PARTS = {form: part for part, form in FORMATS.items()}
_NUMBERED: Mapping[type[exp.Expr], str] = {
    exp.Year: "year", exp.Month: "month of the year", exp.Day: "day of the month",
    exp.DayOfMonth: "day of the month", exp.Hour: "hour",
}  # fmt: skip
_EXTRACTED = {
    "YEAR": "year", "MONTH": "month of the year", "DAY": "day of the month", "HOUR": "hour",
}  # fmt: skip
_SINCE, _UNTIL = (ColumnRef(Relation("", "", "moments"), name) for name in ("since", "until"))


def read_time(node: exp.Expr, scope: LiftScope) -> Expression | None:
    """A part of a date or a span of time; None for everything else."""
    return _text_part(node, scope) or _as_written(node, scope) or _number_part(node, scope)


def _moment(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren | exp.TsOrDsToDate | exp.TsOrDsToTimestamp):
        node = node.this
    return node


def _part(moment: exp.Expr, part: str, scope: LiftScope) -> DatePart:
    of = scope.reader.term(_moment(moment), scope)
    if isinstance(of, ColumnRef | Function | DatePart):
        return DatePart(of, part)
    raise Unfit("part of what is no date")


def _text_part(node: exp.Expr, scope: LiftScope) -> DatePart | None:
    if isinstance(node, exp.TimeToStr):
        form = node.args.get("format")
        part = _PARTS.get(form.name) if isinstance(form, exp.Literal) else None
        return _part(node.this, part, scope) if part is not None else None
    return None


def _number_part(node: exp.Expr, scope: LiftScope) -> Expression | None:
    """A part that is a number: the text of it, cast."""
    part: str | None = _NUMBERED.get(type(node))
    moment: exp.Expr | None = node.this if part is not None else None
    if isinstance(node, exp.Anonymous) and node.name.upper() == "DATE_PART":
        unit, taken = node.expressions
        node = exp.Extract(this=exp.var(unit.name), expression=taken.copy())
    if isinstance(node, exp.Extract):
        part, moment = _EXTRACTED.get(node.name.upper()), node.expression
        if part is None:
            raise Unfit(f"extract {node.name.lower()}")
    if part is None or moment is None:
        return None
    return Function("cast int", (_part(moment, part, scope),))


@lru_cache
def _written(dialect: str) -> tuple[tuple[DatePart | Elapsed, exp.Expr], ...]:
    """What parts and spans that are more than one function look like in a dialect."""
    spans = [Elapsed(_SINCE, _UNTIL), *(Elapsed(_SINCE, _UNTIL, unit, True) for unit in UNITS)]
    spans.append(Elapsed(_SINCE, None, "years"))
    parts = [DatePart(_SINCE, part) for part in ("quarter", "weekday", "day of the week")]
    since, until = exp.column(_SINCE.name), exp.column(_UNTIL.name)
    made: list[tuple[DatePart | Elapsed, exp.Expr]] = [
        (one, span(until if one.until else None, since, one)) for one in spans
    ]
    made += [(one, part_of_date(since, one.part)) for one in parts]
    return tuple((one, _in_dialect(form, dialect).unnest()) for one, form in made)


def _in_dialect(form: exp.Expr, dialect: str) -> exp.Expr:
    if not dialect:
        return form
    sql = render(exp.select(form).from_("moments"), dialect)
    return sqlglot.parse_one(sql, dialect=dialect).expressions[0]


def _as_written(node: exp.Expr, scope: LiftScope) -> DatePart | Elapsed | None:
    """A part or a span that is written as the compiler writes it."""
    for time, form in _written(scope.reader.dialect):
        if type(form) is not type(node):
            continue
        found = dict.fromkeys(node.find_all(exp.Column))
        for since, until in ((a, b) for a in found for b in found):
            if node == _filled(form, {_SINCE.name: since, _UNTIL.name: until}):
                return _of(time, since, until, scope)
    return None


def _filled(form: exp.Expr, moments: Mapping[str, exp.Expr]) -> exp.Expr:
    def put(node: exp.Expr) -> exp.Expr:
        return moments[node.name].copy() if isinstance(node, exp.Column) else node

    return form.transform(put)


def _of(
    time: DatePart | Elapsed, since: exp.Expr, until: exp.Expr, scope: LiftScope
) -> DatePart | Elapsed | None:
    first, last = scope.reader.term(since, scope), scope.reader.term(until, scope)
    if not (isinstance(first, ColumnRef) and isinstance(last, ColumnRef)):
        return None
    if isinstance(time, DatePart):
        return DatePart(first, time.part)
    whole = all(scope.kind(one) in (*DATES, None) for one in (first, last))
    if time.until is None:
        return replace(time, since=first)
    return replace(time, since=first, until=last) if time.exact or whole else None
