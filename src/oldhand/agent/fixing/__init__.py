"""What was read is put right by picking: each part of a query with what could stand in its place; no I/O."""

# pyright: reportUnusedImport=false
from oldhand.agent.fixing.exchanging import (
    Exchangeable,
    Read,
    Replacements,
    exchangeable,
    other_readings,
)
