"""Rules about conditions that no row can meet, or that every row meets."""

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from sqlglot import exp

from oldhand.evaluators.sql_rules.derived import expression_behind
from oldhand.evaluators.sql_rules.spatial.coordinates import number_of
from oldhand.sources.databases.sql_issues import SqlIssue, StatementReading

Value = float | str

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([ T].*)?")
_TESTS: dict[type[exp.Expr], Callable[[int, int], bool]] = {
    exp.EQ: operator.eq, exp.NEQ: operator.ne, exp.LT: operator.lt, exp.LTE: operator.le, exp.GT: operator.gt,
    exp.GTE: operator.ge, exp.In: operator.eq,
}  # fmt: skip
_OPPOSITE: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.LT: exp.GTE, exp.GTE: exp.LT, exp.GT: exp.LTE, exp.LTE: exp.GT,
}  # fmt: skip
_MIRRORED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.LT: exp.GT, exp.GT: exp.LT, exp.LTE: exp.GTE, exp.GTE: exp.LTE,
}  # fmt: skip
_BOUNDS: dict[str, tuple[float, float]] = {
    "month": (1, 12), "day": (1, 31), "hour": (0, 23), "minute": (0, 59), "quarter": (1, 4), "week": (0, 53),
    "dow": (0, 7), "isodow": (1, 7), "doy": (1, 366), "count": (0, inf), "length": (0, inf), "abs": (0, inf),
    "row_number": (1, inf), "rank": (1, inf), "dense_rank": (1, inf),
}  # fmt: skip
"""What a function, or a part of a date, can be."""


class Demand(NamedTuple):
    """What one comparison asks of an expression."""

    subject: str
    operator: type[exp.Expr]
    """A comparison; `exp.Is` for IS NULL, `exp.Not` for IS NOT NULL, `exp.In` for one of a list."""
    values: tuple[Value, ...] = ()


def contradiction(demands: Iterable[Demand]) -> str | None:
    """The expression of which the demands ask what cannot be; None when they may hold together.

    >>> contradiction([Demand("x", exp.GT, (5.0,)), Demand("x", exp.LT, (3.0,))])
    'x'
    >>> contradiction([Demand("x", exp.GTE, (5.0,)), Demand("x", exp.LTE, (5.0,))])
    """
    by_subject: dict[str, list[Demand]] = {}
    for demand in demands:
        by_subject.setdefault(demand.subject, []).append(demand)
    return next((subject for subject, asked in by_subject.items() if _is_empty(asked)), None)


def _is_empty(asked: Sequence[Demand]) -> bool:
    """Whether no value is left: each one that is named is tried, and one between any two neighbours."""
    values = {value for demand in asked for value in demand.values}
    if len(set(map(_kind, values))) > 1:
        return False
    if any(demand.operator is exp.Is for demand in asked):
        return any(demand.operator is not exp.Is for demand in asked)
    ranks = {value: 2 * place for place, value in enumerate(sorted(values, key=lambda v: (v,)))}
    compared = [demand for demand in asked if demand.operator in _TESTS]

    def meets(place: int, demand: Demand) -> bool:
        holds = all if demand.operator is exp.NEQ else any
        return holds(_TESTS[demand.operator](place, ranks[value]) for value in demand.values)

    return not any(all(meets(n, one) for one in compared) for n in range(-1, 2 * len(ranks) + 1))


def demands_of(reading: StatementReading, node: exp.Expr, *, holds: bool = True) -> list[Demand]:
    """What a condition, or its opposite, surely asks; parts of OR are left out."""
    match node:
        case exp.Paren() | exp.Not():
            inside = holds is isinstance(node, exp.Paren)
            asked = demands_of(reading, node.this, holds=inside)
        case exp.And() | exp.Or():
            parts = node.flatten() if isinstance(node, exp.And) is holds else ()
            asked = [demand for part in parts for demand in demands_of(reading, part, holds=holds)]
        case exp.Between() if holds:
            ends = ((exp.GTE, node.args["low"]), (exp.LTE, node.args["high"]))
            asked = [one for kind, end in ends for one in _demand(reading, node.this, kind, [end])]
        case exp.In() if node.expressions:
            asked = _demand(reading, node.this, exp.In if holds else exp.NEQ, node.expressions)
        case exp.Is() if isinstance(node.expression, exp.Null):
            is_null = holds is not bool(node.args.get("negate"))
            asked = _demand(reading, node.this, exp.Is if is_null else exp.Not, [])
        case _ if type(node) in _OPPOSITE:
            kind = type(node) if holds else _OPPOSITE[type(node)]
            one, other = node.this, node.expression
            if value_of(other) is None:
                one, other, kind = other, one, _MIRRORED.get(kind, kind)
            asked = _demand(reading, one, kind, [other])
        case _:
            asked = []
    return asked


def _demand(
    reading: StatementReading, subject: exp.Expr, kind: type[exp.Expr], given: Sequence[exp.Expr]
) -> list[Demand]:
    values = tuple(value for one in given if (value := value_of(one)) is not None)
    unsorted = kind in _MIRRORED and any(_kind(value) == "text" for value in values)
    if len(values) < len(given) or unsorted or value_of(subject) is not None:
        return []
    if subject.find(exp.Rand, exp.Uuid, exp.Anonymous) and _bounds(reading, subject) is None:
        return []  # not the same each time, perhaps
    found = reading.meaning.get(id(subject))
    source = found.sources[0].label if found and len(found.sources) == 1 else ""
    name = f"{source}.{subject.name}" if source else reading.written(subject)
    asked = [Demand(name, kind, values)]
    if (bounds := _bounds(reading, subject)) and values:
        asked += [Demand(name, exp.GTE, bounds[:1]), Demand(name, exp.LTE, bounds[1:])]
    return asked


def value_of(node: exp.Expr | None) -> Value | None:
    """A number, text, date or truth value that is written out; None for everything else."""
    if isinstance(node, exp.Cast | exp.Date) and isinstance(node.this, exp.Literal):
        return value_of(node.this)
    if isinstance(node, exp.Literal) and node.is_string:
        return node.name.casefold().strip()
    if isinstance(node, exp.Boolean):
        return float(bool(node.this))
    return None if node is None else number_of(node)


def _kind(value: Value) -> str:
    if isinstance(value, str):
        return f"date {len(value)}" if _DATE.fullmatch(value) else "text"
    return "number"


def _bounds(reading: StatementReading, node: exp.Expr) -> tuple[float, float] | None:
    behind = (expression_behind(reading, node) if isinstance(node, exp.Column) else None) or node
    while isinstance(behind, exp.Cast | exp.Paren | exp.Window | exp.Filter):
        behind = behind.this
    name = behind.sql_name() if isinstance(behind, exp.Func) else ""
    if isinstance(behind, exp.Extract):
        name = behind.this.name
    elif isinstance(behind, exp.Anonymous):
        name = behind.name if behind.name != "date_part" else behind.expressions[0].name
    return _BOUNDS.get(name.casefold())


def impossible_condition(reading: StatementReading) -> Iterator[SqlIssue]:
    """Conditions that no row can meet: `BETWEEN 10 AND 1`, `x > 5 AND x < 3`, a month of 13."""
    for root, asked in _groups(reading):
        if subject := contradiction(asked):
            message = f"No value of {subject} meets all that is asked of it here: correct one of the conditions, or join them with OR."
            yield reading.issue("impossible_condition", root, message)
    for case in reading.all(exp.Case):
        before: list[Demand] = []
        conditions: list[exp.Expr] = [branch.this for branch in case.args["ifs"]]
        for one in conditions if case.this is None else []:
            if subject := contradiction([*before, *demands_of(reading, one)]):
                message = f"This branch of CASE is never reached, for a branch before it takes these values of {subject}: put the narrower one first."
                yield reading.issue("unreachable_branch", one, message)
            before += demands_of(reading, one, holds=False)


def _groups(reading: StatementReading) -> Iterator[tuple[exp.Expr, list[Demand]]]:
    """Conditions that hold together: those of one SELECT, and those inside of OR."""
    for scope in reading.gathered.scopes:
        where, having = scope.query.args.get("where"), scope.query.args.get("having")
        joins = [join for join in scope.query.args.get("joins") or () if not join.side]
        roots = [on for join in joins if isinstance(on := join.args.get("on"), exp.Expr)]
        for together in (
            [*roots, *([where.this] if where else [])],
            [having.this] if having else [],
        ):
            if together:
                yield together[-1], [d for one in together for d in demands_of(reading, one)]
    for node in reading.all(exp.And, exp.Between):
        if node.find_ancestor(exp.Or, exp.Case, exp.Not) is not None:
            yield node, demands_of(reading, node)


def condition_without_effect(reading: StatementReading) -> Iterator[SqlIssue]:
    """Conditions that every row meets: `x <> 1 OR x <> 2`, `x = x`, `COUNT(*) >= 0`."""
    for node in reading.all(exp.Or, *_OPPOSITE):
        if node.find_ancestor(exp.Where, exp.Having, exp.Join, exp.Case) is None:
            continue
        if subject := contradiction(demands_of(reading, node, holds=False)):
            message = f"Every value of {subject} meets this condition, so it filters nothing: join its parts with AND, or correct it."
            yield reading.issue("condition_without_effect", node, message)
        elif isinstance(node.this, exp.Column) and node.this == node.expression:
            message = f"{reading.written(node.this)} is compared with itself: compare it with a value, or with the column that was meant."
            yield reading.issue("compared_with_itself", node, message)
