"""What the learning loop adds to each step of an agent: notes before it, judging by rules after it, saving what they find.

Each step is one query against a company of 20 tables, judged by `SQLValidator` with its schema.
"""

import json
import random
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._generated_company import company
from benchmarks._postgres import postgres
from benchmarks._stored_issues import Filled, fill
from oldhand.evaluators import JudgedRun, ResultContext, Results, SQLValidator, judge, recall_notes
from oldhand.evaluators.result_files import import_results
from oldhand.evaluators.running import EvaluatorCall
from oldhand.record.evaluation import Evaluation
from oldhand.record.schema import DatabaseSchema
from oldhand.record.step import Action, Step
from oldhand.settings import EvaluationSettings
from oldhand.store import Journal, Store
from oldhand.store.issues.counting import IssueScope
from oldhand.store.result_store import results_file
from oldhand.testing import CountingIds, FixedClock
from oldhand.testing.records import NOON

SIZES = (0, 100_000)
POSTGRES_SIZE = 10_000
IMPORTED = 100_000
"""Records of a file."""
KINDS = 300
TABLES = 20
STEPS = 100
STEPS_OF_RUN = 5
WARM_UP = 5
MODEL, TASK = "gpt-4", "spatial_qa"
SCOPE = IssueScope("default", MODEL, TASK, "sqlvalidator")
_GOOD = (
    "SELECT name, price FROM products WHERE price > {n} ORDER BY price DESC LIMIT 5",
    "SELECT c.city, count(*) AS orders FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id"
    " WHERE c.customer_id <> {n} GROUP BY c.city ORDER BY orders DESC",
    "SELECT p.category, sum(i.quantity * i.unit_price) AS sold FROM order_items AS i"
    " JOIN products AS p ON p.product_id = i.product_id JOIN orders AS o ON o.order_id = i.order_id"
    " WHERE o.total_amount > {n} GROUP BY p.category HAVING sum(i.quantity) > 10",
    "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders"
    " WHERE customer_id IS NOT NULL AND total_amount > {n})",
)
_BAD = "SELECT c.city, sum(o.bill_{n}) AS billed FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id GROUP BY c.city"
_QUESTIONS = (
    "What is the total amount of orders per customer in each city?",
    "Which products were never ordered in {n}?",
    "How many orders has each store, and what did they bring?",
)


class Moments:
    """Wall and processor time at once."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def passed(self) -> tuple[float, float]:
        """Seconds since it was made: by the clock on the wall, and of this process's own work."""
        return time.perf_counter() - self._wall, time.process_time() - self._cpu


@dataclass
class TimedResults(Results):
    """Measures how long it takes to save."""

    saving: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])

    def save(
        self,
        evaluator_type: str,
        result: Mapping[str, object],
        about: ResultContext,
        now: EvaluatorCall,
    ) -> Evaluation:
        """Save, and keep the time."""
        began = Moments()
        saved = super().save(evaluator_type, result, about, now)
        self.saving.append(began.passed())
        return saved


@dataclass
class Times:
    """Seconds of each step, by the wall and of the processor."""

    notes: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    rules: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Judging without saving; with the thread that it runs in."""
    saving: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Only of steps with an issue."""
    all: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print the time of one step: notes, rules, saving, and all of it."""
    print("Milliseconds on the wall, and of the processor: median (95 of 100 take less).\n")
    print(
        "| store | issues | different | with an issue | notes | rules | saving | all | all, processor |"
    )
    print("|---|---:|---:|---|---:|---:|---:|---:|---:|")
    for size in SIZES:
        with TemporaryDirectory() as home:
            _print_rows("SQLite", f"sqlite:///{home}/oldhand.db", Path(home), size)
    _print_imports()
    with postgres() as url, TemporaryDirectory() as home:
        if url is None:
            print("\nPostgres is not installed: pip install 'oldhand[demo]'")
            return
        _print_rows("Postgres", url, Path(home), POSTGRES_SIZE)


def _print_imports() -> None:
    """How long a file of results takes to be imported, and then to be loaded."""
    print(f"\nA file of {IMPORTED:,} records with two issues each, of {KINDS} kinds:\n")
    print("| | wall | processor |\n|---|---:|---:|")
    with TemporaryDirectory() as folder:
        file = Path(folder, results_file(MODEL, TASK))
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(map(_record, range(IMPORTED)))
        url = f"sqlite:///{folder}/store.db"
        with Store.open(url, clock=FixedClock(), results=Journal(Path(folder, "files"))) as store:
            began = Moments()
            done = import_results(store.results, "default", file)
            assert (done.new, done.bad) == (IMPORTED, ())
            print("| imported | {:.1f} s | {:.1f} s |".format(*began.passed()))
            began = Moments()
            assert len(Results(store).records(MODEL, TASK)) == IMPORTED
            print("| loaded | {:.2f} s | {:.2f} s |".format(*began.passed()))


def _record(number: int) -> str:
    kind = number * 7919 % KINDS
    record = {
        "evaluator_type": "sqlvalidator",
        "query_idx": number,
        "timestamp": f"2025-12-05 17:{number // 60 % 60:02d}:{number % 60:02d}",
        "issues": [f"Column c{kind} is text and is compared with a number", f"Distance {kind} without units"],
        "is_valid": False,
        "score": 0.7,
        "sql_query": f"SELECT c{kind} FROM t WHERE id = {number}",
    }  # fmt: skip
    return f"{json.dumps(record)}\n"


def _print_rows(name: str, url: str, home: Path, size: int) -> None:
    source, clock = random.Random(size), FixedClock(NOON)
    schema = company(TABLES).schema
    journal = Journal(home / "verbal_evaluator", synced=False)
    with Store.open(url, clock=clock, results=journal) as store:
        filled = fill(url, SCOPE, schema, size, source, NOON)
        results = TimedResults(store, clock=clock, new_id=CountingIds("v"), source=source)
        for every, share in ((5, "every fifth step"), (1, "every step, a new one")):
            times = _steps(results, schema, lambda number, every=every: number % every == 0)
            _print_row(name, filled, share, times)


def _print_row(name: str, filled: Filled, share: str, times: Times) -> None:
    shown = [
        _shown([wall for wall, _ in part])
        for part in (times.notes, times.rules, times.saving, times.all)
    ]
    cpu = _shown([cpu for _, cpu in times.all])
    print(
        f"| {name} | {filled.issues:,} | {filled.different:,} | {share} | {' | '.join(shown)} | {cpu} |",
        flush=True,
    )


def _shown(times: list[float]) -> str:
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"{statistics.median(times) * 1e3:.1f} ({p95 * 1e3:.1f})"


def _steps(results: TimedResults, schema: DatabaseSchema, is_wrong: Callable[[int], bool]) -> Times:
    """Runs of five steps each, every one with a question of its own."""
    settings, times = EvaluationSettings(), Times()
    validator = SQLValidator(schemas=[schema])
    validator.bind(results)
    source = results.source
    first = len(results.saving) + 1_000_000 * source.randrange(1, 1_000)
    for number in range(WARM_UP + STEPS):
        of_run = JudgedRun(
            MODEL,
            TASK,
            query=source.choice(_QUESTIONS).format(n=2_000 + number // STEPS_OF_RUN),
            query_idx=number // STEPS_OF_RUN,
            episode_id=f"run-{first}-{number // STEPS_OF_RUN}",
        )
        sql = (_BAD if is_wrong(number) else source.choice(_GOOD)).format(n=first + number)
        action = Action(id="a", tool="sql_db_query", arguments={"query": sql})
        step = Step(number=number % STEPS_OF_RUN + 1, actions=(action,))
        results.saving.clear()
        began = Moments()
        recall_notes([validator], of_run, settings)
        recalled = began.passed()
        judged = judge([validator], step, of_run, settings)
        ended = began.passed()
        assert bool(judged.issues) == is_wrong(number), sql
        if number >= WARM_UP:
            _note(times, recalled, ended, results.saving)
    return times


def _note(
    times: Times,
    recalled: tuple[float, float],
    ended: tuple[float, float],
    saving: list[tuple[float, float]],
) -> None:
    saved = saving[0] if saving else (0.0, 0.0)
    times.notes.append(recalled)
    times.all.append(ended)
    times.saving += saving
    wall, cpu = (
        end - begin - save for end, begin, save in zip(ended, recalled, saved, strict=True)
    )
    times.rules.append((wall, cpu))
