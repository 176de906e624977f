"""Rules about places: systems of coordinates, and what their distances mean.

`systems` knows which systems are in degrees, `places` finds the system of an expression, `calls` reads the functions;
`distances`, `mixing` and `axes` are the rules.
"""

# pyright: reportUnusedImport=false
from oldhand.evaluators.sql_rules.spatial.arguments import mixed_places, swapped_coordinates
from oldhand.evaluators.sql_rules.spatial.extents import impossible_coordinates, misplaced_argument
from oldhand.evaluators.sql_rules.spatial.measures import degrees_as_distance, degrees_as_measure

SPATIAL_RULES = (
    degrees_as_distance, degrees_as_measure, mixed_places, swapped_coordinates, impossible_coordinates, misplaced_argument,
)  # fmt: skip
