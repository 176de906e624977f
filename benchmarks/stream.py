"""Whether the analyst gets better with use: predict, score, update over a stream of Spider's questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._data import text2sql
from benchmarks._generated_questions import generated
from benchmarks._spider_data import Question, SpiderDatabase, load
from benchmarks._stream.conditions import conditions
from benchmarks._stream.page import write_page
from benchmarks._stream.running import PROCESSES, run_all
from benchmarks._stream.tables import Results, report

ORDERS = (1, 2, 3, 4, 5)
RULE = """Each question is answered, scored by the rule of `spider`, and then learned from, in {orders} random orders. One
clone per database. Gains are percentage points over "loop off" on the same questions, with 95 % intervals clustered by
question. SQL counts as seen when the same gold query, its spelling aside, was asked for earlier in that order."""

Loaded = tuple[Sequence[Question], dict[str, SpiderDatabase]]


@dataclass(frozen=True)
class Choice:
    """What to replay."""

    part: str = "spider_dev"
    """The folder of the questions."""
    every: int = 1
    """Only every n-th database, with all its questions."""
    quick: bool = False
    """One order."""
    write: bool = False
    """Write the page and the plot in docs/ anew."""


def run(data: Path | None, choice: Choice = Choice()) -> None:
    """Print the tables; on a small generated schema when there is no public data."""
    folder = text2sql(data, choice.part)
    if folder is None:
        print("Spider's questions are read from `--data DIR`; these are generated ones:\n")
        with TemporaryDirectory() as made:
            _print(generated(Path(made)), choice, processes=1)
        return
    results = _print(_chosen(load(folder), choice.every), choice, PROCESSES)
    if choice.write:
        write_page(results)


def _print(loaded: Loaded, choice: Choice, processes: int) -> Results:
    questions, databases = loaded
    orders = ORDERS[:1] if choice.quick else ORDERS
    print(RULE.format(orders=len(orders)) + "\n", flush=True)
    marks = run_all(questions, databases, conditions(), orders, processes)
    results = Results(marks, len(questions), orders)
    print(report(results))
    return results


def _chosen(loaded: Loaded, every: int) -> Loaded:
    questions, databases = loaded
    names = sorted(databases)[::every]
    return [question for question in questions if question.database in names], databases
