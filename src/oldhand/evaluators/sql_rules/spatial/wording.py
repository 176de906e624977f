"""What the rules say about distances; one text for each kind of mistake."""

from typing import NamedTuple

from sqlglot import exp

from oldhand.evaluators.sql_rules.spatial.calls import SpatialCall, shown_name
from oldhand.evaluators.sql_rules.spatial.systems import SpatialType

REMEDY = "cast both sides to geography (::geography) to measure in metres, or ST_Transform them to a projected system in metres"


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
