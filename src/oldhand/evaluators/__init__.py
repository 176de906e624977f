"""Judging what an agent does: evaluators, their results, and the notes made of them."""

from oldhand.evaluators.base import VerbalEvaluator
from oldhand.evaluators.judging import Judged, judge, recall_notes
from oldhand.evaluators.notes import Notes
from oldhand.evaluators.results import About, Results
from oldhand.evaluators.running import Run

__all__ = [
    "About",
    "Judged",
    "Notes",
    "Results",
    "Run",
    "VerbalEvaluator",
    "judge",
    "recall_notes",
]
