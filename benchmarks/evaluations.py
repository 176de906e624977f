"""What the learning loop adds to each step of an agent: notes before it, rules and saving after it."""

import random
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks._postgres import postgres
from oldhand.evaluators import About, Results, Run, VerbalEvaluator, judge, recall_notes
from oldhand.record.evaluation import Evaluation
from oldhand.record.step import Action, Step
from oldhand.settings import EvaluationSettings
from oldhand.store import Journal, Store, TallyFilter
from oldhand.testing import CountingIds, FixedClock
from oldhand.testing.records import NOON

SIZES = (0, 1_000, 100_000)
POSTGRES_SIZE = 10_000
STEPS = 200
STEPS_OF_RUN = 5
MODEL, TASK = "gpt-4", "spatial_qa"
_TABLES = [f"{kind}_{number}" for kind in ("orders", "visits", "wells") for number in range(4_000)]
_FAULTS = (
    "There is no column {b} in {t}",
    "{t} is joined without a condition",
    "Degrees of {t}.{b} are compared with metres",
    "{b} of {t} is neither grouped nor aggregated",
)
_COLUMNS = ("price", "city", "depth", "status", "geom", "weight", "owner", "opened")


class Rules(VerbalEvaluator):
    """Finds a fault in every second step, as a rule on the syntax tree would."""

    def __init__(self, results: Results, source: random.Random) -> None:
        super().__init__(results=results)
        self._source = source

    def evaluate(self, step: object, **_: object) -> object:
        """Save what is wrong with the step."""
        assert isinstance(step, Step)
        found = [_fault(self._source)] if step.number % 2 else []
        sql = str(step.actions[0].arguments["query"])
        score = 0.7 if found else 1.0
        result = {"issues": found, "is_valid": not found, "score": score, "sql_query": sql}
        self._save_eval(result, 1, MODEL, TASK, About(keys=found))
        return result


class Times(NamedTuple):
    """Seconds of each step."""

    notes: list[float]
    judging: list[float]

    @property
    def both(self) -> list[float]:
        """The whole that the loop adds."""
        return sorted(a + b for a, b in zip(self.notes, self.judging, strict=True))


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print the time of one step: recalling notes, judging and saving."""
    print(
        "| store | different issues | notes p50 ms | judging, saving p50 ms | both p50 ms | p95 ms | filling ms each |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")
    for size in SIZES:
        with TemporaryDirectory() as home:
            _print_row("SQLite", f"sqlite:///{home}/oldhand.db", Path(home), size)
    with postgres() as url, TemporaryDirectory() as home:
        if url is None:
            print("| Postgres | not installed: pip install 'oldhand[demo]' | | | | | |")
            return
        _print_row("Postgres", url, Path(home), POSTGRES_SIZE)


def _print_row(name: str, url: str, home: Path, size: int) -> None:
    source, clock = random.Random(size), FixedClock(NOON)
    journal = Journal(home / "verbal_evaluator", synced=False)
    with Store.open(url, clock=clock, results=journal) as store:
        began = time.perf_counter()
        stored = _fill(store, source, size)
        filling = (time.perf_counter() - began) / max(size, 1)
        results = Results(store, clock=clock, new_id=CountingIds("v"), source=source)
        times = _steps(Rules(results, source), source)
    p95 = times.both[round(0.95 * (STEPS - 1))]
    print(
        f"| {name} | {stored:,} | {_ms(times.notes)} | {_ms(times.judging)} | {_ms(times.both)} |"
        f" {p95 * 1e3:.1f} | {filling * 1e3:.2f} |",
        flush=True,
    )


def _ms(times: list[float]) -> str:
    return f"{statistics.median(times) * 1e3:.1f}"


def _steps(rules: VerbalEvaluator, source: random.Random) -> Times:
    """Runs of five steps each, every one with a question and a query of its own."""
    settings, times, question = EvaluationSettings(), Times([], []), ""
    for number in range(STEPS + 1):
        at, table = f"run-{number // STEPS_OF_RUN}", source.choice(_TABLES)
        if number % STEPS_OF_RUN == 0:
            question = f"What is the {source.choice(_COLUMNS)} of the {table} near Melbourne?"
        sql = f"SELECT {source.choice(_COLUMNS)} FROM {table} WHERE owner = {number}"
        step = Step(
            number=number % STEPS_OF_RUN + 1,
            actions=(Action(id="a", tool="sql_db_query", arguments={"query": sql}),),
        )
        of_run = Run(MODEL, TASK, query=question, query_idx=number, episode_id=at)
        began = time.perf_counter()
        recall_notes([rules], of_run, settings)
        recalled = time.perf_counter()
        judge([rules], step, of_run, settings)
        ended = time.perf_counter()
        if number:  # the first one opens the connection
            times.notes.append(recalled - began)
            times.judging.append(ended - recalled)
    return times


def _fill(store: Store, source: random.Random, size: int) -> int:
    """All of them fresh, so that none has faded."""
    for start in range(0, size, 1_000):
        numbers = range(start, min(start + 1_000, size))
        store.results.add("default", [_evaluation(source, number) for number in numbers])
    return len(store.results.tallies("default", TallyFilter()))


def _evaluation(source: random.Random, number: int) -> Evaluation:
    fault = _fault(source)
    return Evaluation(
        id=f"stored-{number}",
        episode_id=f"stored-run-{number // 5_000}",
        evaluator_type="rules",
        granularity="step",
        policy_model=MODEL,
        task_type=TASK,
        query_idx=number // 100,
        question=f"What is the {source.choice(_COLUMNS)} of {source.choice(_TABLES)}?",
        step_number=number,
        score=source.choice((0.2, 0.3, 0.7, 0.7)),
        is_valid=False,
        issues=(fault,),
        keys=(fault,),
        sql_query=f"SELECT {source.choice(_COLUMNS)} FROM {source.choice(_TABLES)}",
        created_at=NOON,
    )


def _fault(source: random.Random) -> str:
    return source.choice(_FAULTS).format(b=source.choice(_COLUMNS), t=source.choice(_TABLES))
