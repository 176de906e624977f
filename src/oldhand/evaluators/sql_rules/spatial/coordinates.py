"""Coordinates as they are written, and what their looks tell."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from sqlglot import exp

_LONGITUDE = re.compile(r"(?:^|_)(?:lon|lng|long|longitude)\d?$|longitude$", re.IGNORECASE)
_LATITUDE = re.compile(r"(?:^|_)(?:lat|latitude)\d?$|latitude$", re.IGNORECASE)
_PAIR = re.compile(r"(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)")
_DECIMALS = 3
"""A point with so many decimals in both numbers is nearer to a street corner than metres have to be."""
WEB_MERCATOR = frozenset({3857, 3785, 900913, 102100, 102113})
"""In metres by name, but stretched by 1 / cos(latitude)."""


def number_of(node: exp.Expr) -> float | None:
    """The value of a number written out, with simple arithmetic; None for everything else.

    >>> from sqlglot import parse_one
    >>> [number_of(parse_one(text)) for text in ("-38.08", "5 * 1000", "1 / 8.0", "radius", "1 / 0")]
    [-38.08, 5000.0, 0.125, None, None]
    """
    if isinstance(node, exp.Literal):
        return float(node.name) if not node.is_string and _is_number(node.name) else None
    if isinstance(node, exp.Paren | exp.Cast):
        return number_of(node.this)
    if isinstance(node, exp.Neg):
        value = number_of(node.this)
        return None if value is None else -value
    if isinstance(node, exp.Mul | exp.Div | exp.Add | exp.Sub):
        left, right = number_of(node.this), number_of(node.expression)
        return None if left is None or right is None else _computed(node, left, right)
    return None


def _computed(node: exp.Expr, left: float, right: float) -> float | None:
    if isinstance(node, exp.Div):
        return left / right if right else None
    if isinstance(node, exp.Mul):
        return left * right
    return left + right if isinstance(node, exp.Add) else left - right


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def point_looks_like_degrees(arguments: Sequence[exp.Expr]) -> bool:
    """Whether the x and y of a point are a longitude and a latitude, by their names or decimals."""
    if len(arguments) < 2:
        return False
    x, y = arguments[0], arguments[1]
    if is_longitude(x) and is_latitude(y):
        return True
    numbers = number_of(x), number_of(y)
    return None not in numbers and _look_like_degrees(x.sql(), y.sql())


def text_looks_like_degrees(text: str) -> bool:
    """Whether the first pair of numbers in well-known text may be a longitude and a latitude."""
    match = _PAIR.search(text)
    return bool(match) and _look_like_degrees(match[1], match[2])


def pairs_in(text: str) -> list[tuple[float, float]]:
    """All pairs of numbers in well-known text.

    >>> pairs_in("LINESTRING(1 2, 3.5 -4)")
    [(1.0, 2.0), (3.5, -4.0)]
    """
    return [(float(x), float(y)) for x, y in _PAIR.findall(text)]


def _look_like_degrees(x: str, y: str) -> bool:
    numbers = (x, y)
    if not all(_is_number(text) and len(text.partition(".")[2]) >= _DECIMALS for text in numbers):
        return False
    return abs(float(x)) <= 180 and abs(float(y)) <= 90


def is_longitude(node: exp.Expr) -> bool:
    """Whether a column is called like one."""
    return isinstance(node, exp.Column) and bool(_LONGITUDE.search(node.name))


def is_latitude(node: exp.Expr) -> bool:
    """Whether a column is called like one."""
    return isinstance(node, exp.Column) and bool(_LATITUDE.search(node.name))


# Systems of coordinates by number (SRID): which are in degrees.
#
# The numbers are those of the EPSG registry (https://epsg.org), version 11.022: geographic 2D and 3D systems, deprecated ones
# included. `geographic.txt` has the first and last numbers of such systems without any other in between.
@cache
def _geographic() -> frozenset[int]:
    text = files(__package__ or "").joinpath("geographic.txt").read_text("ascii")
    ends = [pair.split("-") for pair in text.split()]
    return frozenset(srid for pair in ends for srid in range(int(pair[0]), int(pair[-1]) + 1))


_NAMED = re.compile(
    r"\s*(?:urn:ogc:def:crs:)?(?:EPSG|SRID|CRS|OGC)\s*[:=]{1,2}\s*(\d+|CRS84)\b", re.IGNORECASE
)


_IN_TEXT = re.compile(r"\s*SRID\s*=\s*(\d+)\s*;", re.IGNORECASE)


def is_geographic(srid: int) -> bool:
    """Whether coordinates of that system are longitudes and latitudes in degrees.

    >>> [is_geographic(srid) for srid in (4326, 4283, 4269, 4258, 4979, 7844, 3857, 28355, 0)]
    [True, True, True, True, True, True, False, False, False]
    """
    return srid in _geographic()


def named_system(text: str) -> int | None:
    """The number in a text such as `EPSG:4326`, in a definition of PROJ, or None.

    >>> named_system("EPSG:3857"), named_system("OGC:CRS84"), named_system("+proj=longlat +datum=WGS84"), named_system("?")
    (3857, 4326, 4326, None)
    """
    if match := _NAMED.match(text):
        return int(match[1]) if match[1].isdigit() else 4326
    is_proj = text.lstrip().lower().startswith(("+proj=longlat", "+proj=latlong"))
    return 4326 if is_proj else None


def written_system(text: str) -> int | None:
    """The number at the beginning of extended well-known text, `SRID=4326;POINT(1 2)`."""
    match = _IN_TEXT.match(text)
    return int(match[1]) if match else None


@dataclass(frozen=True)
class SpatialType:
    """What is known of a geometry or geography."""

    kind: Literal["", "geometry", "geography"] = ""
    """Empty when the query does not tell."""
    srid: int | None = None
    """The number of its system; 0 when it was made without one; None when that is not known."""
    looks_like_degrees: bool = False
    """Its numbers are longitudes and latitudes by their looks."""
    is_sure: bool = True
    """False when only the name of a column speaks for it."""

    @property
    def in_degrees(self) -> bool:
        """Whether distances on a plane would be in degrees."""
        known = self.srid is not None and is_geographic(self.srid)
        return self.kind != "geography" and (known or (not self.srid and self.looks_like_degrees))

    @property
    def is_projected(self) -> bool:
        """Whether it surely lies in a projected system."""
        return bool(self.srid) and not is_geographic(self.srid or 0)

    @property
    def label(self) -> str:
        """How a message calls it."""
        return f"EPSG:{self.srid}" if self.srid else "longitudes and latitudes"


GEOGRAPHY = SpatialType("geography", 4326)
"""Longitudes and latitudes, measured in metres on the ellipsoid."""
