"""SQL beside the form of queries: what was written by somebody in ways that the form does not know."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Opaque:
    """SQL that the form can't hold: shown, run and remembered as it stands."""

    database: str
    sql: str
    """In the dialect of the database."""
    why: str = field(default="", compare=False)
    """Which part of it the form can't hold, in a few words."""
