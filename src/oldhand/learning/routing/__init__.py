"""Which model a question is given to, learned from how answers fared."""

# pyright: reportUnusedImport=false
from oldhand.learning.routing.buckets import effort_for, situation_for
from oldhand.learning.routing.choosing import Chooser, ModelCandidate, Route
