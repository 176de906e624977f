"""Systems of coordinates by number (SRID): which are in degrees.

The numbers are those of the EPSG registry (https://epsg.org), version 11.022: geographic 2D and 3D systems, deprecated ones
included. `geographic.txt` has the first and last numbers of such systems without any other in between.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

WEB_MERCATOR = frozenset({3857, 3785, 900913, 102100, 102113})
"""In metres by name, but stretched by 1 / cos(latitude)."""


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
