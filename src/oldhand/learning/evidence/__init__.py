"""Evidence: whether a lesson helps, told apart from chance by leaving it out at random."""

from oldhand.learning.evidence.contrast import Interval
from oldhand.learning.evidence.holding_out import Drawn, HoldOut
from oldhand.learning.evidence.spending import Plan, power_family
from oldhand.learning.evidence.watch import Watch
from oldhand.learning.evidence.weighed import Decision, LessonEvidence, Mark, path_of
from oldhand.learning.evidence.weighing import Decided, Weighing

__all__ = [
    "Decided",
    "Decision",
    "Drawn",
    "HoldOut",
    "Interval",
    "LessonEvidence",
    "Mark",
    "Plan",
    "Watch",
    "Weighing",
    "path_of",
    "power_family",
]
