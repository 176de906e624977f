"""The noun of the spatial rules: what is known of where something lies."""

from dataclasses import dataclass
from typing import Literal

from oldhand.evaluators.sql_rules.spatial.systems import is_geographic


@dataclass(frozen=True)
class Place:
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


GEOGRAPHY = Place("geography", 4326)
"""Longitudes and latitudes, measured in metres on the ellipsoid."""
