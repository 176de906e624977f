"""The built-in mind: answers questions by rules, offline, and says how sure it is."""

# pyright: reportUnusedImport=false
from oldhand.agent.analyst.deciding import Decision, DecisionKind, decide
from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.agent.analyst.mind import BuiltinMind
from oldhand.agent.analyst.understanding import Candidate, Understanding, understand
