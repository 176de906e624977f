"""Rules about functions that give a length or an area, and what is done with it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from oldhand.evaluators.sql_rules.derived import uses_of
from oldhand.evaluators.sql_rules.spatial.calls import SpatialCall, spatial_calls
from oldhand.evaluators.sql_rules.spatial.coordinates import number_of
from oldhand.evaluators.sql_rules.spatial.distances import is_geodesic, places_in, planar_degrees
from oldhand.evaluators.sql_rules.spatial.systems import SpatialType
from oldhand.evaluators.sql_rules.spatial.wording import RuleFinding, about, finding, findings
from oldhand.sources.databases.sql_issues import Severity, SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.kinds import COMPARISONS

_MEASURES = frozenset({
    "<->", "st_distance", "st_maxdistance", "st_3ddistance", "st_3dmaxdistance", "st_hausdorffdistance",
    "st_frechetdistance", "distance", "st_length", "st_length2d", "st_3dlength", "glength", "length", "st_perimeter",
    "st_perimeter2d", "st_3dperimeter", "perimeter", "st_area", "st_area2d", "area",
})  # fmt: skip
_SCALES = (exp.Mul, exp.Div)
_CARRIES = (exp.Paren, exp.Neg, exp.Cast, exp.Round, exp.Add, exp.Sub, exp.AggFunc, exp.Coalesce, exp.Abs, exp.Alias, exp.Case, exp.If, exp.Filter)  # fmt: skip
_ON_PURPOSE = re.compile(r"(?:^|_)deg(?:rees?)?(?:_|$)", re.IGNORECASE)
"""A column that is called degrees shall show them."""
_MAX_STEPS = 50
"""How far a value is followed from one name to the next."""


@dataclass(frozen=True)
class Fate:
    """Where a measured value ends up."""

    node: exp.Expr
    """The last expression that still is the value."""
    is_scaled: bool


def degrees_as_measure(reading: StatementReading) -> Iterator[SqlIssue]:
    """A length or area in degrees that is shown, or compared with a number.

    Ordering by it, comparing two of them and dividing one by another say something in any unit.
    """
    if reading.dialect == "mysql":
        return
    for call in spatial_calls(reading):
        if call.name not in _MEASURES or is_geodesic(reading, call):
            continue
        degrees = planar_degrees(places_in(reading, call))
        if degrees is None:
            continue
        severity = Severity.ADVICE if _orders_neighbours(call) else Severity.ERROR
        for code, message in dict.fromkeys(_judged(reading, call, degrees)):
            yield reading.issue(code, call.node, message, severity, about(call, degrees))


def _orders_neighbours(call: SpatialCall) -> bool:
    """Whether it is the operator of nearest neighbours, shown where it is there for the order."""
    return call.name == "<->" and call.node.find_ancestor(exp.Where, exp.Having, exp.Join) is None


def _judged(
    reading: StatementReading, call: SpatialCall, place: SpatialType
) -> Iterator[RuleFinding]:
    waiting, seen = [call.node], set[int]()
    while waiting and len(seen) < _MAX_STEPS:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        fate = _followed(node)
        end = fate.node.parent
        if isinstance(end, (*COMPARISONS, exp.Between)):
            yield from _compared(call, place, fate, end)
        elif isinstance(end, exp.Select) and fate.node.arg_key == "expressions":
            item = fate.node.unalias()
            waiting.extend(uses_of(reading, item))
            if _is_shown(end) and not _ON_PURPOSE.search(fate.node.alias):
                yield finding("degrees_as_units", call, place)
            elif isinstance(end.parent, exp.Subquery) and not _in_from(end.parent):
                waiting.append(end.parent)


def _followed(node: exp.Expr) -> Fate:
    """Climb as long as the value stays the same value, perhaps rounded, summed or scaled."""
    is_scaled = False
    while node.parent is not None:
        parent = node.parent
        if isinstance(parent, _SCALES):
            other = parent.expression if parent.this is node else parent.this
            if number_of(other) is None:
                break  # a ratio, or something that is not known
            is_scaled = True
        elif not isinstance(parent, _CARRIES) or (
            isinstance(parent, exp.If) and node.arg_key == "this"
        ):
            break
        node = parent
    return Fate(node, is_scaled)


def _compared(
    call: SpatialCall, place: SpatialType, fate: Fate, end: exp.Expr
) -> Iterator[RuleFinding]:
    if isinstance(end, exp.Between):
        others = [end.args["low"], end.args["high"]] if end.this is fate.node else []
    else:
        others = [end.expression if end.this is fate.node else end.this]
    for other in others:
        value = number_of(other)
        if fate.is_scaled and value:
            yield finding("degrees_as_units", call, place)
        elif value is not None:
            yield from findings(call, place, other, value)
        elif isinstance(other, exp.Placeholder | exp.Parameter):
            yield finding("degrees_with_planar_distance", call, place)


def _is_shown(query: exp.Expr) -> bool:
    """Whether the columns of a SELECT are what the whole query brings back."""
    node: exp.Expr = query
    while isinstance(parent := node.parent, exp.SetOperation | exp.Subquery | exp.Select):
        if isinstance(parent, exp.Select) or _in_from(node):
            return False
        node = parent
    if node.parent is None:
        return True
    outer = node.find_ancestor(exp.Select)
    in_from = isinstance(node.parent, exp.From | exp.Join | exp.CTE)
    has_star = outer is not None and any(item.is_star for item in outer.expressions)
    return in_from and outer is not None and has_star and _is_shown(outer)


def _in_from(node: exp.Expr) -> bool:
    return isinstance(node.parent, exp.From | exp.Join | exp.CTE | exp.Lateral)
