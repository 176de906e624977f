"""Terms: columns, values, arithmetic, functions and cases; measures and times are read elsewhere."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, reduce

import sqlglot
from sqlglot import exp

from oldhand.query import form
from oldhand.query.compiling.functions import ARGUMENTS, NAMES
from oldhand.query.compiling.render import render
from oldhand.query.compiling.times import FORMATS, UNITS, part_of_date, span
from oldhand.query.compiling.tree import COMPUTED
from oldhand.query.form import ColumnRef, DatePart, Elapsed, Expression, Function, Relation
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.measures import own_group, read_division, read_measure, without_nothing
from oldhand.query.lifting.scope import LiftScope, Unfit, only
from oldhand.query.negating import negated
from oldhand.record.schema import DATES, Kind

_COMPUTED: Mapping[type[exp.Expr], str] = {kind: name for name, kind in COMPUTED.items()}
_CONDITIONS = (exp.Predicate, exp.Connector, exp.Not)

_BY_KIND = {kind: name for name, kind in NAMES.items()}
_HARMLESS = frozenset({"is_null", "safe", "unit"})
_PLAIN_TYPES = frozenset({
    "int", "bigint", "smallint", "tinyint", "double", "float", "decimal", "text", "varchar", "char",
    "date", "datetime", "timestamp", "boolean",
})  # fmt: skip
_SAME = {
    "sqlite": {"bigint": "int", "smallint": "int", "tinyint": "int", "float": "double"},
    "mysql": {"bigint": "int"},
}
"""Types that a dialect doesn't tell apart."""
_PARTS = {form: part for part, form in FORMATS.items()}
_NUMBERED: Mapping[type[exp.Expr], str] = {
    exp.Year: "year", exp.Month: "month of the year", exp.Day: "day of the month",
    exp.DayOfMonth: "day of the month", exp.Hour: "hour",
}  # fmt: skip
_EXTRACTED = {
    "YEAR": "year", "MONTH": "month of the year", "DAY": "day of the month", "HOUR": "hour",
}  # fmt: skip
_SINCE, _UNTIL = (ColumnRef(Relation("", "", "moments"), name) for name in ("since", "until"))


def read_term(node: exp.Expr, scope: LiftScope) -> form.Expression:
    """An attribute of one row, or a measure of many.

    Raises:
        Unfit: it has no place in the form.
    """
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Column):
        return scope.column(node)
    if isinstance(node, exp.Null):
        return form.Value(None)
    if (value := scalar(node)) is not None:
        return form.Value(value)
    made = read_measure(node, scope) or read_time(node, scope)
    if made is not None:
        return made
    if type(node) in _COMPUTED:
        return _computed(node, scope)
    if isinstance(node, exp.Case | exp.If):
        return _case(node, scope)
    if type(node) in _BY_KIND:
        return _function(node, scope)
    if isinstance(node, exp.Cast) and not isinstance(node, exp.TryCast):
        return _cast(node, scope)
    return _other(node, scope)


def _other(node: exp.Expr, scope: LiftScope) -> form.Expression:
    if isinstance(node, exp.Div):
        return read_division(node, scope)
    if isinstance(node, exp.Neg):
        return form.Arithmetic("-", form.Value(0), scope.reader.term(node.this, scope))
    if isinstance(node, exp.Subquery):
        only(node, ("this",))
        own = own_group(node.this, scope)
        if own is not None:
            return own
        raise Unfit("query as a value")
    if isinstance(node, _CONDITIONS) and scope.reader.dialect in ("sqlite", "mysql"):
        met = scope.reader.predicate(node, scope)
        return form.Case(((met, form.Value(1)), (negated(met), form.Value(0))))
    if isinstance(node, exp.Concat) and scope.reader.dialect == "mysql":
        parts = [scope.reader.term(one, scope) for one in node.expressions]
        return reduce(lambda one, two: form.Arithmetic("||", one, two), parts)
    if isinstance(node, exp.Anonymous):
        raise Unfit(f"function {node.name.lower()}")
    raise Unfit(type(node).__name__.lower())


def _computed(node: exp.Expr, scope: LiftScope) -> form.Expression:
    only(node, ("this", "expression", "safe"))
    operator = _COMPUTED[type(node)]
    if operator == "||" and scope.reader.dialect == "mysql":
        raise Unfit("|| of mysql")
    left = scope.reader.term(node.this, scope)
    by = without_nothing(node.expression) if operator == "%" else node.expression
    right = scope.reader.term(by, scope)
    if operator == "*":
        return _worth(left, right) or form.Arithmetic(operator, left, right)
    return form.Arithmetic(operator, left, right)


def _worth(left: form.Expression, right: form.Expression) -> form.Worth | None:
    """A product of columns, perhaps with rates taken off."""
    factors: tuple[form.Expression, ...] = ()
    off: tuple[form.Expression, ...] = ()
    for one in (left, right):
        if isinstance(one, form.Worth):
            factors, off = factors + one.factors, off + one.off
        elif isinstance(one, form.ColumnRef):
            factors += (one,)
        elif isinstance(one, form.Arithmetic) and one.operator == "-" and one.left == form.Value(1):
            off += (one.right,)
        else:
            return None
    plain = all(isinstance(one, form.ColumnRef) for one in (*factors, *off))
    return form.Worth(factors, off) if factors and plain else None  # pyright: ignore[reportArgumentType]


def _case(node: exp.Case | exp.If, scope: LiftScope) -> form.Case:
    reader = scope.reader
    if isinstance(node, exp.If):
        only(node, ("this", "true", "false"))
        ifs, default = [node], node.args.get("false")
    else:
        only(node, ("this", "ifs", "default"))
        ifs, default = node.args["ifs"], node.args.get("default")
    chosen = node.this if isinstance(node, exp.Case) else None
    when: list[tuple[form.Predicate, form.Expression]] = []
    for one in ifs:
        if isinstance(chosen, exp.Expr):
            met: form.Predicate = reader.predicate(
                exp.EQ(this=chosen.copy(), expression=one.this.copy()), scope
            )
        else:
            met = reader.predicate(one.this, scope)
        when.append((met, reader.term(one.args["true"], scope)))
    otherwise = reader.term(default, scope) if isinstance(default, exp.Expr) else None
    return form.Case(tuple(when), None if otherwise == form.Value(None) else otherwise)


def _function(node: exp.Expr, scope: LiftScope) -> form.Function:
    """The call of a function that has a neutral name.

    Raises:
        Unfit: it is called in a way of its own.
    """
    name = _BY_KIND[type(node)]
    arguments = ARGUMENTS.get(name, ("this",))
    only(node, {*arguments, *_HARMLESS})
    given: list[exp.Expr] = []
    for argument in arguments:
        part = node.args.get(argument)
        given += part if isinstance(part, list) else [part] if part is not None else []
    return form.Function(name, tuple(scope.reader.term(one, scope) for one in given))


def _cast(node: exp.Cast, scope: LiftScope) -> form.Function:
    """A cast to a type that each dialect has.

    Raises:
        Unfit: the type has a length, or is one of few dialects.
    """
    only(node, ("this", "to"))
    return form.Function(
        f"cast {_type_name(node, scope.reader.dialect)}", (scope.reader.term(node.this, scope),)
    )


def _type_name(node: exp.Cast, dialect: str) -> str:
    """The type that a value is cast to, as sqlglot calls it.

    Raises:
        Unfit: it has a length, or is one of few dialects.
    """
    name = node.to.sql().lower()
    if name not in _PLAIN_TYPES:
        raise Unfit(f"cast to {name}")
    return _SAME.get(dialect, {}).get(name, name)


# Parts of dates, and the time between two of them, as each dialect writes them.
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
    plain = exp.Sub(this=_julian(until), expression=_julian(since))
    spelled = [(Elapsed(_SINCE, _UNTIL), plain)] if dialect == "sqlite" else []
    return (*((one, _in_dialect(form, dialect).unnest()) for one, form in made), *spelled)


def _julian(moment: exp.Expr) -> exp.Expr:
    """Days as people count them in SQLite, with parts where there is a time of day."""
    return exp.Anonymous(this="JULIANDAY", expressions=[moment])


def _in_dialect(form: exp.Expr, dialect: str) -> exp.Expr:
    if not dialect:
        return form
    sql = render(exp.select(form).from_("moments"), dialect)
    return sqlglot.parse_one(sql, dialect=dialect).expressions[0]


def _as_written(node: exp.Expr, scope: LiftScope) -> DatePart | Elapsed | None:
    """A part or a span that is written as the compiler writes it."""
    for time, written in _written(scope.reader.dialect):
        if type(written) is not type(node):
            continue
        found = dict.fromkeys(node.find_all(exp.Column))
        for since, until in ((a, b) for a in found for b in found):
            if node == _filled(written, {_SINCE.name: since, _UNTIL.name: until}):
                return _of(time, since, until, scope, node)
    return None


def _filled(form: exp.Expr, moments: Mapping[str, exp.Expr]) -> exp.Expr:
    def put(node: exp.Expr) -> exp.Expr:
        return moments[node.name].copy() if isinstance(node, exp.Column) else node

    return form.transform(put)


def _of(
    time: DatePart | Elapsed, since: exp.Expr, until: exp.Expr, scope: LiftScope, node: exp.Expr
) -> DatePart | Elapsed | None:
    first, last = scope.reader.term(since, scope), scope.reader.term(until, scope)
    if not (isinstance(first, ColumnRef) and isinstance(last, ColumnRef)):
        return None
    if isinstance(time, DatePart):
        return DatePart(first, time.part)
    whole = all(scope.kind(one) in (*DATES, None) for one in (first, last))
    if time.until is None:
        return replace(time, since=first)
    days = isinstance(node, exp.Sub)
    exact = time.exact or (days and all(scope.kind(one) is Kind.DATETIME for one in (first, last)))
    return replace(time, since=first, until=last, exact=exact) if exact or whole else None
