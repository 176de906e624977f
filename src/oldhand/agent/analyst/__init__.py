"""The built-in mind: answers questions by rules, offline, and says how sure it is."""

from oldhand.agent.analyst.deciding import Decision, DecisionKind, decide
from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.agent.analyst.mind import BuiltinMind
from oldhand.agent.analyst.understanding import Candidate, Understanding, understand

__all__ = [
    "BuiltinMind",
    "Candidate",
    "Decision",
    "DecisionKind",
    "Indexes",
    "Understanding",
    "decide",
    "understand",
]
