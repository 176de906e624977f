"""What the rules say about distances; one text for each kind of mistake."""

from typing import NamedTuple

from sqlglot import exp

from oldhand.evaluators.sql_rules.spatial.calls import SpatialCall, shown_name
from oldhand.evaluators.sql_rules.spatial.systems import Place

REMEDY = "cast both sides to geography (::geography) to measure in metres, or ST_Transform them to a projected system in metres"


class Finding(NamedTuple):
    """The code of a rule and what it says."""

    code: str
    message: str


def about(call: SpatialCall, place: Place) -> str:
    """What an issue is about: the function and the system, whatever the coordinates."""
    return f"{shown_name(call)} {place.label}"


def planar_distance(call: SpatialCall, place: Place) -> Finding:
    """Degrees meet a distance on a plane."""
    message = (
        f"Mixing geographic coordinates with planar distance: {shown_name(call)} measures geometry "
        f"in {place.label} on a plane, where a unit is a degree; {REMEDY}."
    )
    return Finding("degrees_with_planar_distance", message)


def implied_metres(call: SpatialCall, place: Place, distance: exp.Expr) -> Finding:
    """The number can only have been meant as metres."""
    message = (
        f"Using degrees with meter-implied distance: {shown_name(call)} takes {distance.sql()} as degrees of "
        f"{place.label}, and one degree is about 111 km; {REMEDY}."
    )
    return Finding("metres_against_degrees", message)


def no_units(call: SpatialCall, place: Place, distance: exp.Expr) -> Finding:
    """The number says nothing about what it counts."""
    message = (
        f"Distance value without units: {distance.sql()} in {shown_name(call)} is a bare number in the units of "
        f"{place.label}; say it in metres and {REMEDY}."
    )
    return Finding("distance_without_units", message)


def degrees_as_units(call: SpatialCall, place: Place) -> Finding:
    """A degree is another length at each latitude."""
    message = (
        f"Degrees as units not meaningful: a degree of {place.label} in {shown_name(call)} is another length in each "
        f"direction and at each latitude; {REMEDY}."
    )
    return Finding("degrees_as_units", message)


def findings(
    call: SpatialCall, place: Place, distance: exp.Expr, value: float | None
) -> list[Finding]:
    """What is wrong with measuring degrees against `distance`, whose value is None when it is not written out."""
    if value is None:
        return [planar_distance(call, place)]
    if not value:
        return []
    if abs(value) >= 1:
        return [planar_distance(call, place), implied_metres(call, place, distance)]
    return [no_units(call, place, distance), degrees_as_units(call, place)]
