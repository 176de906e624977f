"""Rules about the order of longitude and latitude."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.evaluators.sql_rules.spatial.calls import SpatialCall, shown_name, spatial_calls
from oldhand.evaluators.sql_rules.spatial.coordinates import is_latitude, is_longitude, number_of
from oldhand.evaluators.sql_rules.spatial.places import place_of
from oldhand.sources.databases.sql_issues import Reading, SqlIssue

_POINTS = frozenset({"st_makepoint", "st_point", "makepoint"})
_LONGITUDE_FIRST = frozenset({"postgres", "sqlite"})
"""MySQL and DuckDB go by the order of the system's axes, which is latitude first for EPSG:4326."""


def swapped_coordinates(reading: Reading) -> Iterator[SqlIssue]:
    """A point is made of x and y, which is longitude and latitude."""
    if reading.dialect not in _LONGITUDE_FIRST:
        return
    for call in spatial_calls(reading):
        if call.name in _POINTS and len(call.arguments) > 1 and _are_swapped(reading, call):
            message = f"{shown_name(call)} takes the longitude first: swap the two coordinates."
            yield reading.issue("swapped_coordinates", call.node, message, about=shown_name(call))


def _are_swapped(reading: Reading, call: SpatialCall) -> bool:
    x, y = call.arguments[0], call.arguments[1]
    if is_latitude(x) and is_longitude(y):
        return True
    first, second = number_of(x), number_of(y)
    if first is None or second is None or abs(first) > 90 or not 90 < abs(second) <= 180:
        return False
    holder = call.node.parent
    place = place_of(reading, holder) if isinstance(holder, exp.Func | exp.Cast) else None
    return place is not None and (place.in_degrees or place.kind == "geography")
