"""A correction with the questions that are asked after it."""

from dataclasses import dataclass
from enum import StrEnum

from benchmarks._spider_data import SpiderDatabase


class Kind(StrEnum):
    """How a question is related to the one that was corrected."""

    SAME = "same words"
    VALUE = "other value"
    LIGHT = "lightly other words"
    OTHER = "quite other words"
    COLUMN = "other column"
    RELATED = "related"
    UNRELATED = "unrelated"
    OPPOSITE = "opposite"


@dataclass(frozen=True)
class Probe:
    """A question that is asked before and after a correction."""

    kind: Kind
    text: str
    gold: str | None = None
    """None where only the stored answer is known to be wrong."""
    family: str = ""
    """Questions of one name go right or wrong together: the same but for their words and names; by default those with the same SQL."""


@dataclass(frozen=True)
class Case:
    """One correction, and what is asked after it."""

    database: SpiderDatabase
    question: str
    gold: str
    probes: tuple[Probe, ...]
