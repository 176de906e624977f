"""Rules about coordinates that lie outside of their system, and functions that are given places of the wrong kind."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.evaluators.sql_rules.spatial.calls import SpatialCall, shown_name, spatial_calls
from oldhand.evaluators.sql_rules.spatial.coordinates import (
    WEB_MERCATOR,
    SpatialType,
    is_geographic,
    number_of,
    pairs_in,
)
from oldhand.evaluators.sql_rules.spatial.makers import system_number
from oldhand.evaluators.sql_rules.spatial.measures import DISTANCES_WITHIN, distance_of
from oldhand.evaluators.sql_rules.spatial.places import place_of
from oldhand.sources.databases.sql_issues import SqlIssue, StatementReading

_ON_SPHERE = frozenset({
    "st_distancesphere", "st_distance_sphere", "st_distancespheroid", "st_distance_spheroid", "st_lengthspheroid",
})  # fmt: skip
_PLANAR_ONLY = frozenset({
    "st_contains", "st_within", "st_touches", "st_crosses", "st_overlaps", "st_equals", "st_disjoint", "st_x", "st_y",
})  # fmt: skip
"""Functions that PostGIS has for geometry alone."""
_NUMBERED = frozenset({"st_makepoint", "st_point", "makepoint", "st_makeenvelope"})
_RELABELS = frozenset({"st_setsrid", "setsrid"})


def impossible_coordinates(reading: StatementReading) -> Iterator[SqlIssue]:
    """Longitudes and latitudes that are none; degrees in a system that counts metres."""
    nodes: list[exp.Expr] = [call.node for call in spatial_calls(reading)]
    nodes += reading.all(exp.Cast) if nodes or "srid" in reading.sql.casefold() else ()
    for node in nodes:
        pairs = _coordinates(reading, node)
        place = place_of(reading, node) if pairs else None
        if place is None or not place.srid:
            continue
        found = (
            _outside_degrees(reading, pairs)
            if is_geographic(place.srid)
            else _degrees_for_metres(pairs, place.srid)
        )
        if found:
            code = "swapped_coordinates" if "swap" in found else "impossible_coordinates"
            label = f"EPSG:{place.srid}"
            yield reading.issue(code, node, found.format(system=label), about=label)


def _coordinates(reading: StatementReading, node: exp.Expr) -> list[tuple[float, float]]:
    """The coordinates that are written out in a call that makes a place, or that says its system."""
    inner = node.this if isinstance(node, exp.Cast) else node
    if isinstance(inner, exp.Literal):
        return pairs_in(inner.name.rpartition(";")[2]) if inner.is_string else []
    call = next((one for one in spatial_calls(reading) if one.node is inner), None)
    first = call.arguments[0] if call and call.arguments else None
    if call is None or first is None:
        return []
    if call.name in _RELABELS and inner is node:
        return _coordinates(reading, first.unnest())
    if call.name in _NUMBERED:
        numbers = [number_of(one) for one in call.arguments[: 4 if "env" in call.name else 2]]
        known = [number for number in numbers if number is not None]
        return list(zip(known[::2], known[1::2], strict=True)) if known == numbers else []
    is_text = "from" in call.name and isinstance(first, exp.Literal) and first.is_string
    return pairs_in(first.name.rpartition(";")[2]) if is_text else []


def _outside_degrees(reading: StatementReading, pairs: list[tuple[float, float]]) -> str:
    """Longitudes may be counted from 0 to 360; MySQL and DuckDB take the latitude first."""
    outside = [(x, y) for x, y in pairs if abs(x) > 360 or abs(y) > 90]
    is_swapped = all(abs(x) <= 90 and abs(y) <= 180 for x, y in outside)
    if not outside or (is_swapped and reading.dialect in {"mysql", "duckdb"}):
        return ""
    if is_swapped:
        return "The longitude comes first in {system}: swap the two coordinates."
    return (
        "{system} has longitudes up to 180 and latitudes up to 90, so these coordinates belong to another system: "
        "name that one in ST_SetSRID, and ST_Transform to {system}."
    )


def _degrees_for_metres(pairs: list[tuple[float, float]], srid: int) -> str:
    in_degrees = all(0 < abs(x) <= 180 and 0 < abs(y) <= 90 for x, y in pairs)
    has_fractions = any(x % 1 for x, _ in pairs) and any(y % 1 for _, y in pairs)
    if not in_degrees or not has_fractions or (srid in WEB_MERCATOR and len(pairs) > 1):
        return ""
    return "These look like degrees, and {system} counts in another unit: write ST_Transform(ST_SetSRID(…, 4326), …)."


def misplaced_argument(reading: StatementReading) -> Iterator[SqlIssue]:
    """A place of another kind than the function takes."""
    for call in spatial_calls(reading):
        found = [place_of(reading, node) for node in call.arguments]
        places = [place for place in found if place and place.is_sure]
        if message := _misplaced(reading, call, places):
            name = shown_name(call)
            yield reading.issue("misplaced_argument", call.node, f"{name}: {message}", about=name)


def _misplaced(reading: StatementReading, call: SpatialCall, places: list[SpatialType]) -> str:
    first = places[0] if places else SpatialType()
    on_earth = any(place.kind == "geography" for place in places)
    distance = distance_of(call) if call.name in DISTANCES_WITHIN else None
    value = (number_of(distance) if distance is not None else None) or 0
    written = system_number(call.arguments[-1]) if call.name in _RELABELS else None
    is_bare = call.name == "st_transform" and first.srid == 0 and first.kind == "geometry"
    is_planar = call.name in _PLANAR_ONLY and on_earth
    message = ""
    if call.name in _ON_SPHERE and any(place.is_projected for place in places):
        message = "it measures longitudes and latitudes, and these are metres: use ST_Distance there, or ST_Transform to 4326."
    elif reading.dialect == "postgres" and is_bare:
        message = (
            "the point has no system to be transformed from: wrap it in ST_SetSRID(…, 4326) first."
        )
    elif first.srid and written not in {None, first.srid}:
        message = f"it writes another number on coordinates of {first.label} and leaves them as they are: use ST_Transform."
    elif reading.dialect == "postgres" and is_planar:
        message = (
            "there is none for geography: cast it to geometry, or use ST_Covers or ST_Intersects."
        )
    elif 0 < value < 1 and on_earth:
        message = f"{value:g} counts in metres for geography: degrees were meant, write the distance in metres."
    return message
