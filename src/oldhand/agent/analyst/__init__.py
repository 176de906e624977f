"""The built-in mind: answers questions by rules, offline, and says how sure it is."""

from oldhand.agent.analyst.deciding import Decision, Kind, decide
from oldhand.agent.analyst.understanding import Candidate, Understanding, understand

__all__ = ["Candidate", "Decision", "Kind", "Understanding", "decide", "understand"]
