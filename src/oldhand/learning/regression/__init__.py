"""Failures become tests: behaviour specs, their files, and the gate that holds what was mended."""

# pyright: reportUnusedImport=false
from oldhand.learning.regression.checking import Mismatch, has_sql, mismatches, same_sql
from oldhand.learning.regression.gate import Blame, Gate
from oldhand.learning.regression.rows import same_rows
from oldhand.learning.regression.spec import BehaviourSpec, Expected
from oldhand.learning.regression.spec_files import load_spec, spec_text, specs_in
