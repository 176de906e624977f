"""Functions that give a geometry or geography, and the place that they give it."""

from collections.abc import Callable

from sqlglot import exp

from oldhand.evaluators.sql_rules.spatial.calls import SpatialCall
from oldhand.evaluators.sql_rules.spatial.coordinates import (
    GEOGRAPHY,
    SpatialType,
    named_system,
    point_looks_like_degrees,
    text_looks_like_degrees,
    written_system,
)

PlaceOf = Callable[[exp.Expr], SpatialType | None]
"""Finds the place of an argument."""
Maker = Callable[[SpatialCall, PlaceOf], SpatialType | None]


def made_by(call: SpatialCall, place_of: PlaceOf) -> SpatialType | None:
    """The place of what a function gives back; that of its first argument with one, unless the function moves it."""
    if maker := _MAKERS.get(call.name):
        return maker(call, place_of)
    if call.name.startswith("st_") or call.name in _KEEPERS:
        return _first(call, place_of)
    return None


_KEEPERS = frozenset(
    {"buffer", "centroid", "collect", "union", "any_value", "makeline", "envelope"}
)
"""Functions of Spatialite whose result lies where their argument does."""


def _first(call: SpatialCall, place_of: PlaceOf) -> SpatialType | None:
    return next((place for node in call.arguments if (place := place_of(node))), None)


def _always(place: SpatialType) -> Maker:
    return lambda _, __: place


def _geometry(call: SpatialCall, place_of: PlaceOf) -> SpatialType:
    inner = _first(call, place_of)
    return SpatialType("geometry", inner.srid if inner else None)


def _point(call: SpatialCall, _: PlaceOf) -> SpatialType:
    """ST_MakePoint takes a height as its third number, ST_Point and Spatialite's MakePoint a system."""
    takes_system = len(call.arguments) == 3 and call.name != "st_makepoint"
    srid = system_number(call.arguments[2]) if takes_system else 0
    return SpatialType("geometry", srid, point_looks_like_degrees(call.arguments))


def _envelope(call: SpatialCall, _: PlaceOf) -> SpatialType:
    return SpatialType(
        "geometry", system_number(call.arguments[4]) if len(call.arguments) == 5 else 0
    )


def _set_system(call: SpatialCall, place_of: PlaceOf) -> SpatialType:
    inner = _first(call, place_of)
    srid = system_number(call.arguments[-1]) if len(call.arguments) > 1 else None
    return SpatialType("geometry", srid, not srid and bool(inner and inner.looks_like_degrees))


def _transform(call: SpatialCall, _: PlaceOf) -> SpatialType:
    """The last text or number names the system; DuckDB may have a flag behind it."""
    targets = [node for node in call.arguments[1:] if isinstance(node, exp.Literal)]
    return SpatialType("geometry", system_number(targets[-1]) if targets else None)


def _from_text(call: SpatialCall, _: PlaceOf) -> SpatialType:
    first = call.arguments[0] if call.arguments else None
    text = first.name if isinstance(first, exp.Literal) else ""
    given = system_number(call.arguments[1]) if len(call.arguments) > 1 else None
    srid = given or written_system(text)
    if not text or (given is None and len(call.arguments) > 1):
        return SpatialType("geometry", srid)
    return SpatialType("geometry", srid or 0, text_looks_like_degrees(text))


def system_number(node: exp.Expr) -> int | None:
    """The number of the system that an argument names; None when it is not written out."""
    if not isinstance(node, exp.Literal):
        return None
    return int(node.name) if node.name.isdigit() else named_system(node.name)


_MAKERS: dict[str, Maker] = {
    **dict.fromkeys(["geography", "st_geogfromtext", "st_geographyfromtext", "st_geogfromwkb"], _always(GEOGRAPHY)),
    **dict.fromkeys(["st_makepoint", "st_point", "makepoint", "st_pointz", "st_pointm"], _point),
    **dict.fromkeys(["st_makeenvelope", "buildmbr"], _envelope),
    **dict.fromkeys(["st_setsrid", "setsrid"], _set_system),
    **dict.fromkeys(["st_transform", "transform"], _transform),
    **dict.fromkeys([
        "st_geomfromtext", "st_geometryfromtext", "st_geomfromewkt", "st_pointfromtext", "st_linefromtext",
        "st_polygonfromtext", "st_polyfromtext", "st_mpointfromtext", "st_mlinefromtext", "st_mpolyfromtext",
        "st_geomcollfromtext", "st_geomfromwkb", "st_pointfromwkb", "st_wkttosql", "st_linestringfromtext",
        "geomfromtext", "geometryfromtext", "pointfromtext", "geomfromewkt", "geomfromwkb",
    ], _from_text),
    **dict.fromkeys(["st_geomfromgeojson", "st_geomfromkml", "st_pointfromgeohash", "st_geomfromgeohash"], _always(SpatialType("geometry", 4326))),
    "st_tileenvelope": _always(SpatialType("geometry", 3857)),
    "geometry": _geometry,
}  # fmt: skip

SPATIALITE = _KEEPERS | frozenset({
    "distance", "area", "perimeter", "glength", "ptdistwithin", "intersects", "contains", "within", "touches", "overlaps",
    "crosses", "disjoint", "geomfromtext", "geomfromewkt", "makepoint", "makepolygon", "setsrid", "transform", "astext",
    "x", "y", "srid", "buildmbr", "buildcirclembr", "mbrintersects", "mbrcontains", "mbrwithin",
})  # fmt: skip
"""Functions of SQLite's spatial extension; SQLite without it does not know them."""
