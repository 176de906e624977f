"""Failures become tests: behaviour specs, their files, and the gate that holds what was mended."""

from oldhand.learning.regression.checking import Mismatch, has_sql, mismatches, same_sql
from oldhand.learning.regression.gate import Blame, Gate, Rehearses, SpecFailure
from oldhand.learning.regression.rows import same_rows
from oldhand.learning.regression.spec import BehaviourSpec, Expected
from oldhand.learning.regression.spec_files import load_spec, spec_text, specs_in

__all__ = [
    "BehaviourSpec",
    "Blame",
    "Expected",
    "Gate",
    "Mismatch",
    "Rehearses",
    "SpecFailure",
    "has_sql",
    "load_spec",
    "mismatches",
    "same_rows",
    "same_sql",
    "spec_text",
    "specs_in",
]
