"""The benchmarks that there are: every module of this folder with a function `run`, what it says of itself, and how long it takes."""

import ast
from pathlib import Path

from benchmarks._running import Benchmark

_MINUTES = {
    "aliases": 0.1,
    "calibration": 0.1,
    "candidates": 0.4,
    "choosing": 1.5,
    "choosing_sql": 0.1,
    "consultations": 2,
    "corrections": 5,
    "credit": 0.1,
    "databases": 1,
    "distillation": 1.5,
    "evaluations": 2,
    "evidence": 5,
    "followups": 0.1,
    "guard": 0.1,
    "harm": 2.5,
    "ingestion": 0.5,
    "issue_replay": 0.1,
    "keys": 0.1,
    "ledger_kills": 1.5,
    "lessons": 3,
    "limits": 1,
    "linking": 0.1,
    "memory_care": 1,
    "memory_scale": 1,
    "models": 0.3,
    "overhead": 0.3,
    "poison": 0.5,
    "prompt_tests": 0.5,
    "query_form": 0.1,
    "reading": 0.1,
    "recall": 1,
    "retrieval": 2,
    "server": 2,
    "spider": 0.1,
    "startup": 0.6,
    "store": 0.5,
    "stream": 0.3,
    "stripped": 0.1,
    "teaching": 0.2,
    "tokens": 0.1,
    "validator": 0.1,
    "value_index": 1,
    "web": 0.5,
    "xmpp": 1,
}
"""On two cores that do nothing else, without public data."""
_ON_PUBLIC_DATA = _MINUTES | {
    "aliases": 1,
    "calibration": 2,
    "credit": 25,
    "followups": 8,
    "harm": 8,
    "reading": 3,
    "retrieval": 4,
    "spider": 1,
    "stream": 8,
    "stripped": 1,
}
"""The same with it."""


def known(*, public: bool = False) -> dict[str, Benchmark]:
    """All benchmarks by name, as they run without or with public data; none is imported."""
    minutes = _ON_PUBLIC_DATA if public else _MINUTES
    found: dict[str, Benchmark] = {}
    for file in sorted(Path(__file__).parent.glob("[!_]*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        if any(isinstance(one, ast.FunctionDef) and one.name == "run" for one in tree.body):
            about = (ast.get_docstring(tree) or "").partition("\n")[0]
            found[file.stem] = Benchmark(file.stem, about, minutes[file.stem])
    return found
