"""Evidence: whether a lesson helps, told apart from chance by leaving it out at random."""

# pyright: reportUnusedImport=false
from oldhand.learning.evidence.contrast import Interval
from oldhand.learning.evidence.holding_out import Drawn, HoldOut
from oldhand.learning.evidence.spending import SpendingPlan, power_family
from oldhand.learning.evidence.watch import Watch
from oldhand.learning.evidence.weighed import EvidenceDecision, LessonEvidence, Mark, path_of
from oldhand.learning.evidence.weighing import Decided, Weighing
