"""Rules about functions that give a length or an area, and what is done with it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sqlglot import exp

from oldhand.evaluators.sql_rules.derived import uses_of
from oldhand.evaluators.sql_rules.spatial.calls import SpatialCall, shown_name, spatial_calls
from oldhand.evaluators.sql_rules.spatial.coordinates import WEB_MERCATOR, SpatialType, number_of
from oldhand.evaluators.sql_rules.spatial.places import place_of
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
DISTANCES_WITHIN = frozenset({"st_dwithin", "st_dfullywithin", "st_3ddwithin", "st_3ddfullywithin"})
_AROUND = frozenset(
    {"st_buffer", "buffer", "st_offsetcurve", "st_clusterdbscan", "st_clusterwithin", "st_expand"}
)
_MAY_BE_IN_DEGREES = frozenset({"st_expand"})
"""A box of a few thousandths of a degree is what an index is searched with."""
REMEDY = "cast both sides to geography (::geography) to measure in metres, or ST_Transform them to a projected system in metres"


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


# What the rules say about distances; one text for each kind of mistake.
class RuleFinding(NamedTuple):
    """The code of a rule and what it says."""

    code: str
    message: str


def about(call: SpatialCall, place: SpatialType) -> str:
    """What an issue is about: the function and the system, whatever the coordinates."""
    return f"{shown_name(call)} {place.label}"


_MESSAGES = {
    "degrees_with_planar_distance": "Mixing geographic coordinates with planar distance: {name} measures geometry in {place} on a "
    "plane, where a unit is a degree; {remedy}.",
    "metres_against_degrees": "Using degrees with meter-implied distance: {name} takes {distance} as degrees of {place}, "
    "and one degree is about 111 km; {remedy}.",
    "distance_without_units": "Distance value without units: {distance} in {name} is a bare number in the units of {place}; "
    "say it in metres and {remedy}.",
    "degrees_as_units": "Degrees as units not meaningful: a degree of {place} in {name} is another length in each direction and "
    "at each latitude; {remedy}.",
}  # fmt: skip


def finding(
    code: str, call: SpatialCall, place: SpatialType, distance: exp.Expr | None = None
) -> RuleFinding:
    """Degrees measured on a plane, or against a number that can only have been meant as metres, or that says no unit."""
    shown = distance.sql() if distance else ""
    said = _MESSAGES[code].format(
        name=shown_name(call), place=place.label, distance=shown, remedy=REMEDY
    )
    return RuleFinding(code, said)


def findings(
    call: SpatialCall, place: SpatialType, distance: exp.Expr, value: float | None
) -> list[RuleFinding]:
    """What is wrong with measuring degrees against `distance`, whose value is None when it is not written out."""
    codes: tuple[str, ...] = ("distance_without_units", "degrees_as_units")
    if value is None:
        codes = ("degrees_with_planar_distance",)
    elif abs(value) >= 1:
        codes = ("degrees_with_planar_distance", "metres_against_degrees")
    return [] if value == 0 else [finding(code, call, place, distance) for code in codes]


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


# Rules about functions that are given a distance: near, around, clustered.
def degrees_as_distance(reading: StatementReading) -> Iterator[SqlIssue]:
    """A distance given to a function that measures coordinates in degrees on a plane.

    MySQL measures geographic systems on the ellipsoid, and so does everything of type geography.
    """
    if reading.dialect == "mysql":
        return
    for call in spatial_calls(reading):
        distance = distance_of(call)
        if distance is None or is_geodesic(reading, call):
            continue
        places = places_in(reading, call)
        degrees = planar_degrees(places)
        if degrees is not None:
            value = number_of(distance)
            if value is not None and abs(value) < 1 and call.name in _MAY_BE_IN_DEGREES:
                continue
            for code, message in findings(call, degrees, distance, value):
                yield reading.issue(code, call.node, message, about=about(call, degrees))
        else:
            yield from _advice(reading, call, places, distance)


def distance_of(call: SpatialCall) -> exp.Expr | None:
    """The argument that is a distance; None when the function takes none."""
    place = 2 if call.name in DISTANCES_WITHIN else 1 if call.name in _AROUND else None
    if place is None or call.named_distance is not None:
        return call.named_distance
    return call.arguments[place] if len(call.arguments) > place else None


def _advice(
    reading: StatementReading, call: SpatialCall, places: list[SpatialType], distance: exp.Expr
) -> Iterator[SqlIssue]:
    if any(place.srid in WEB_MERCATOR for place in places):
        message = f"{shown_name(call)} in Web Mercator overstates distances, twofold at 60° of latitude: use geography or a local projected system."
        code = "web_mercator_distance"
        yield reading.issue(code, call.node, message, Severity.ADVICE, shown_name(call))
    elif call.name in DISTANCES_WITHIN and not places and number_of(distance):
        message = (
            f"Distance value without units: {distance.sql()} in {shown_name(call)} counts in units of the system of the geometries, "
            "which the query does not tell: metres only if it is projected in metres."
        )
        code = "distance_without_units"
        yield reading.issue(code, call.node, message, Severity.ADVICE, shown_name(call))


def places_in(reading: StatementReading, call: SpatialCall) -> list[SpatialType]:
    """What is known of the places among the arguments."""
    return [place for node in call.arguments if (place := place_of(reading, node))]


def planar_degrees(places: list[SpatialType]) -> SpatialType | None:
    """The place that makes a plane of degrees; None when metres are measured, or nobody knows."""
    if any(place.kind == "geography" or place.is_projected for place in places):
        return None
    return next((place for place in places if place.in_degrees), None)


def is_geodesic(reading: StatementReading, call: SpatialCall) -> bool:
    """Whether an argument asks for the ellipsoid: `use_spheroid` in PostGIS, `use_ellipsoid` in Spatialite."""
    last = call.arguments[-1] if len(call.arguments) > 1 else None
    if isinstance(last, exp.Boolean):
        return call.name != "st_buffer"
    is_flag = isinstance(last, exp.Literal) and last.name in {"0", "1"} and not last.is_string
    takes_flag = (call.name, len(call.arguments)) in _FLAGGED
    return reading.dialect == "sqlite" and is_flag and takes_flag


_FLAGGED = frozenset({
    ("st_distance", 3), ("distance", 3), ("st_length", 2), ("glength", 2), ("st_area", 2), ("area", 2),
    ("st_perimeter", 2), ("perimeter", 2),
})  # fmt: skip
"""Functions of Spatialite by how many arguments they have with the flag."""
