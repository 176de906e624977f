"""Judging what an agent does: evaluators, their results, and the notes made of them."""

from oldhand.evaluators.base import VerbalEvaluator
from oldhand.evaluators.judging import Judged, judge, recall_notes
from oldhand.evaluators.notes import Notes
from oldhand.evaluators.results import ResultContext, Results, results_path
from oldhand.evaluators.running import JudgedRun
from oldhand.evaluators.sql_error_profiler import SQLErrorProfiler
from oldhand.evaluators.sql_rules import Review, review_sql
from oldhand.evaluators.sql_validator import SQLValidator

__all__ = [
    "Judged",
    "JudgedRun",
    "Notes",
    "ResultContext",
    "Results",
    "Review",
    "SQLErrorProfiler",
    "SQLValidator",
    "VerbalEvaluator",
    "judge",
    "recall_notes",
    "results_path",
    "review_sql",
]
