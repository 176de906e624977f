"""How much SQL the query form holds, whether it means the same there, and how long reading and writing it takes."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks._data import text2sql
from benchmarks._generated_questions import generated
from benchmarks._spider_data import Question, SpiderDatabase, load, same_answer
from oldhand.query.compiling.render import render
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Opaque, Query
from oldhand.query.lifting import lift

PARTS = ("spider_train", "spider_dev")
RULE = """Each gold query is read into the form and written as SQL again. The rows are the same when both return them as a
multiset, and in their order where the gold query sorts; queries that fail, or take too long, in the database are counted apart."""


@dataclass
class Tally:
    """What came of the gold queries of one part."""

    queries: int = 0
    lifted: int = 0
    ran: int = 0
    same: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])
    lifting: list[float] = field(default_factory=list[float])
    compiling: list[float] = field(default_factory=list[float])


def run(data: Path | None) -> None:
    """Print the tables; for a small generated schema when there is no public data."""
    print(RULE + "\n")
    folders = [folder for part in PARTS if (folder := text2sql(data, part)) is not None]
    if not folders:
        print("Spider's queries are read from `--data DIR`; these are generated ones:\n")
        with TemporaryDirectory() as folder:
            _report([("generated", _tally(*generated(Path(folder))))])
        return
    _report([(folder.name, _tally(*load(folder))) for folder in folders])


def _tally(questions: Sequence[Question], databases: dict[str, SpiderDatabase]) -> Tally:
    made = Tally()
    known: dict[tuple[str, str], bool | None] = {}
    for question in questions:
        database = databases[question.database]
        schema = database.schema
        made.queries += 1
        began = time.perf_counter()
        query = lift(question.gold, schema)
        made.lifting.append(time.perf_counter() - began)
        if isinstance(query, Opaque):
            made.reasons[query.why] += 1
            continue
        made.lifted += 1
        key = (question.database, question.gold)
        sql = _written(query, made)
        if key not in known:
            known[key] = _is_same(question, database, sql)
        made.ran += known[key] is not None
        made.same += known[key] is True
    return made


def _written(query: Query, tally: Tally) -> str:
    began = time.perf_counter()
    sql = render(to_tree(query), "sqlite")
    tally.compiling.append(time.perf_counter() - began)
    return sql


def _is_same(question: Question, database: SpiderDatabase, sql: str) -> bool | None:
    """Whether both return the same rows; None when the gold query returns none at all."""
    expected = database.rows(question.gold)
    if expected is None:
        return None
    return same_answer(question.gold, expected, database.rows(sql))


def _report(tallies: Sequence[tuple[str, Tally]]) -> None:
    print(
        "| gold queries of | number | lifted | run | same rows among these | µs per lift | µs per compile |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, tally in tallies:
        times = [f"{1e6 * median(t):.0f}" if t else "-" for t in (tally.lifting, tally.compiling)]
        lifted = f"{100 * tally.lifted / max(tally.queries, 1):.2f} %"
        same = f"{100 * tally.same / max(tally.ran, 1):.2f} %"
        print(
            f"| {name} | {tally.queries} | {lifted} | {tally.ran} | {same} | {times[0]} | {times[1]} |"
        )
    reasons = sum((tally.reasons for _, tally in tallies), Counter[str]())
    if reasons:
        print("\n| what stays as it is, because of | queries |\n|---|---|")
        for why, number in reasons.most_common():
            print(f"| {why} | {number} |")
