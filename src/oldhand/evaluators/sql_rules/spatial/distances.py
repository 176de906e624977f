"""Rules about functions that are given a distance: near, around, clustered."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.evaluators.sql_rules.spatial.calls import SpatialCall, shown_name, spatial_calls
from oldhand.evaluators.sql_rules.spatial.coordinates import number_of
from oldhand.evaluators.sql_rules.spatial.places import place_of
from oldhand.evaluators.sql_rules.spatial.systems import WEB_MERCATOR, SpatialType
from oldhand.evaluators.sql_rules.spatial.wording import about, findings
from oldhand.sources.databases.sql_issues import Severity, SqlIssue, StatementReading

DISTANCES_WITHIN = frozenset({"st_dwithin", "st_dfullywithin", "st_3ddwithin", "st_3ddfullywithin"})
_AROUND = frozenset(
    {"st_buffer", "buffer", "st_offsetcurve", "st_clusterdbscan", "st_clusterwithin", "st_expand"}
)
_MAY_BE_IN_DEGREES = frozenset({"st_expand"})
"""A box of a few thousandths of a degree is what an index is searched with."""


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
