"""How often the built-in analyst answers Spider's questions rightly, and how well it knows when it does."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from benchmarks._data import text2sql
from benchmarks._generated_questions import generated
from benchmarks._spider_data import Question, SpiderDatabase, load, same_answer
from oldhand.agent.analyst import DecisionKind, decide, understand
from oldhand.query.compiling.compile import compile_query

TODAY = date(2024, 6, 1)
HARDNESS = ("easy", "medium", "hard", "extra")
RULE = """A question counts as right when the query of the best candidate returns the rows of the gold query: as a multiset,
their order only where the gold query sorts; the columns in the gold query's order. Accuracy counts all questions, those
on which the analyst would abstain or ask back as well."""


@dataclass(frozen=True)
class Outcome:
    """What came of one question."""

    question: Question
    right: bool
    kind: DecisionKind
    confidence: float
    seconds: float


def run(data: Path | None) -> None:
    """Print the tables; on a small generated schema when there is no public data."""
    folder = text2sql(data, "spider_dev")
    if folder is None:
        print(
            "Spider's questions are read from `--data DIR` (with `spider_dev/` in it); these are generated ones:\n"
        )
        with TemporaryDirectory() as folder:
            _report(*generated(Path(folder)))
        return
    _report(*load(folder))


def _report(questions: Sequence[Question], databases: dict[str, SpiderDatabase]) -> None:
    print(RULE + "\n")
    own = [_ask(question, question.text, databases) for question in questions]
    other = [_ask(q, q.synonyms, databases) for q in questions if q.synonyms]
    _accuracy(own, other)
    _honesty(own, other)
    _reliability(own)
    _times(own)


def _ask(question: Question, text: str, databases: dict[str, SpiderDatabase]) -> Outcome:
    database = databases[question.database]
    schemas, values = (database.schema,), database.values
    began = time.perf_counter()
    understood = understand(text, schemas, values, today=TODAY)
    seconds = time.perf_counter() - began
    right = False
    if understood.candidates:
        sql = compile_query(understood.candidates[0].query, schemas, "sqlite")
        expected = database.rows(question.gold) or []
        right = same_answer(question.gold, expected, database.rows(sql))
    kind = decide(understood, schemas).kind
    return Outcome(question, right, kind, understood.confidence, seconds)


def _share(outcomes: Iterable[Outcome], right: Callable[[Outcome], bool]) -> str:
    listed = list(outcomes)
    if not listed:
        return "-"
    return f"{100 * sum(map(right, listed)) / len(listed):.1f} %"


def _accuracy(own: list[Outcome], other: list[Outcome]) -> None:
    print(
        "| execution accuracy | questions | own wording | synonym wording (where there is one) |\n|---|---|---|---|"
    )
    for name in ("all", *HARDNESS):
        one = [o for o in own if name in ("all", o.question.hardness)]
        two = [o for o in other if name in ("all", o.question.hardness)]
        if one:
            shares = f"{_share(one, lambda o: o.right)} | {_share(two, lambda o: o.right)}"
            print(f"| {name} | {len(one)} | {shares} |")
    print()


def _honesty(own: list[Outcome], other: list[Outcome]) -> None:
    print(
        "| wording | answers | right among answers | asks back | its first reading is right | abstains | rightly (its best query would have been wrong) |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, outcomes in (("own", own), ("synonyms", other)):
        answered = [o for o in outcomes if o.kind is DecisionKind.ANSWER]
        asking = [o for o in outcomes if o.kind in (DecisionKind.CLARIFY, DecisionKind.PROPOSE)]
        held = [o for o in outcomes if o.kind is not DecisionKind.ANSWER]
        cells = (
            _share(outcomes, lambda o: o.kind is DecisionKind.ANSWER),
            _share(answered, lambda o: o.right),
            _share(outcomes, lambda o: o.kind in (DecisionKind.CLARIFY, DecisionKind.PROPOSE)),
            _share(asking, lambda o: o.right),
            _share(outcomes, lambda o: o.kind is DecisionKind.ABSTAIN),
            _share(held, lambda o: not o.right),
        )
        print(f"| {name} | {' | '.join(cells)} |")
    print()


def _reliability(outcomes: list[Outcome]) -> None:
    print("| confidence | questions | mean confidence | right |\n|---|---|---|---|")
    for low in range(0, 100, 10):
        part = [o for o in outcomes if low <= 100 * o.confidence < low + 10]
        if part:
            mean = 100 * sum(o.confidence for o in part) / len(part)
            print(
                f"| {low}-{low + 10} % | {len(part)} | {mean:.0f} % | {_share(part, lambda o: o.right)} |"
            )
    print()


def _times(outcomes: list[Outcome]) -> None:
    times = [1000 * o.seconds for o in outcomes]
    late = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    print("| understanding one question | ms |\n|---|---|")
    print(f"| median | {median(times):.1f} |\n| 95 % are done within | {late:.1f} |")
