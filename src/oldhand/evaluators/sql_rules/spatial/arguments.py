"""Rules about the arguments of one call: the order of longitude and latitude, and places of different systems."""

from collections.abc import Iterator

from oldhand.evaluators.sql_rules.spatial.calls import shown_name, spatial_calls
from oldhand.evaluators.sql_rules.spatial.coordinates import SpatialType, is_latitude, is_longitude
from oldhand.evaluators.sql_rules.spatial.measures import places_in
from oldhand.sources.databases.sql_issues import SqlIssue, StatementReading

_POINTS = frozenset({"st_makepoint", "st_point", "makepoint"})
_LONGITUDE_FIRST = frozenset({"postgres", "sqlite"})
"""MySQL and DuckDB go by the order of the system's axes, which is latitude first for EPSG:4326."""


def swapped_coordinates(reading: StatementReading) -> Iterator[SqlIssue]:
    """A point is made of x and y, which is longitude and latitude."""
    if reading.dialect not in _LONGITUDE_FIRST:
        return
    for call in spatial_calls(reading):
        x, y = (*call.arguments, None, None)[:2]
        if call.name in _POINTS and x is not None and is_latitude(x) and y and is_longitude(y):
            message = f"{shown_name(call)} takes the longitude first: swap the two coordinates."
            yield reading.issue("swapped_coordinates", call.node, message, about=shown_name(call))


_ONE_PLACE = frozenset(
    {"st_setsrid", "st_transform", "setsrid", "transform", "st_makepoint", "st_point", "makepoint"}
)
_OPERATORS = frozenset({"&&", "<->", "distance", "intersects", "contains", "within"})
_WITHOUT_SYSTEMS = frozenset({"duckdb", "mysql"})
"""Dialects in which a geometry without a number is not at odds with one that has it."""


def mixed_places(reading: StatementReading) -> Iterator[SqlIssue]:
    """Two systems, or geometry and geography, in one function: PostGIS refuses them, or converts in silence."""
    for call in spatial_calls(reading):
        if call.name in _ONE_PLACE or not (call.name.startswith("st_") or call.name in _OPERATORS):
            continue
        places = [place for place in places_in(reading, call) if place.is_sure]
        if len(places) < 2:
            continue
        if {place.kind for place in places} >= {"geometry", "geography"}:
            message = (
                f"Geometry against geography in {shown_name(call)}: one is measured on a plane, the other on the "
                "ellipsoid; cast both sides to the same type (::geography for metres)."
            )
            code = "geometry_against_geography"
            yield reading.issue(code, call.node, message, about=shown_name(call))
        elif systems := _at_odds(reading, places):
            message = (
                f"Mixed SRIDs in {shown_name(call)}: {systems}; bring them into one system, "
                "ST_Transform for coordinates that have one, ST_SetSRID for those that lack it."
            )
            yield reading.issue("mixed_srids", call.node, message, about=shown_name(call))


def _at_odds(reading: StatementReading, places: list[SpatialType]) -> str:
    """The systems that do not fit together, in words; empty when they do."""
    numbers = {p.srid for p in places if p.srid is not None and p.kind != "geography"}
    if reading.dialect in _WITHOUT_SYSTEMS:
        numbers.discard(0)
    if len(numbers) < 2:
        return ""
    return " and ".join(
        f"EPSG:{srid}" if srid else "none (SRID 0)" for srid in sorted(numbers, reverse=True)
    )
