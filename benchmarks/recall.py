"""How long recall takes, by the number of memories; a scan of all of them in the same run as reference."""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ParamSpec

from benchmarks._postgres import postgres
from oldhand.learning.recall import Recall
from oldhand.record.effect import Alias, DefaultFilter
from oldhand.record.lesson import Lesson
from oldhand.record.memory import Memory, MemoryType, Provenance
from oldhand.record.situation import situation_of
from oldhand.record.stage import Stage
from oldhand.settings import RecallSettings
from oldhand.store import Store
from oldhand.testing import FixedClock
from oldhand.testing.records import NOON, example_memory

P = ParamSpec("P")

SIZES = (100, 10_000, 100_000)
QUESTIONS = 20
DATABASE = "shop"
"""The only one that is at hand."""
POSTGRES_SIZES = (100, 10_000)
"""Filling Postgres row by row takes long, and a row costs there what it costs."""
MOSTLY_HIDDEN = 12_000
"""Memories of a store of which two thirds may not be shown."""

_SHAPES = (
    "How many {a} are there in {x}?",
    "List the {a} of {x} by {b}",
    "What is the average {b} of {a} since {y}?",
    "Which {a} have no {b} in {x} or {y}?",
)
_NOUNS = [
    "customers",
    "orders",
    "products",
    "employees",
    "shops",
    "tickets",
    "payments",
    "invoices",
    "suppliers",
    "visits",
]
_THINGS = [
    "price",
    "city",
    "salary",
    "weight",
    "date",
    "status",
    "country",
    "name",
    "margin",
    "stock",
]


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print the time of one recall: pairs, rejected pairs, words and lessons, with the votes on them."""
    print("| store | memories | recall p50 ms | p95 ms | scan for two words ms | save ms each |")
    print("|---|---:|---:|---:|---:|---:|")
    for size in SIZES:
        with TemporaryDirectory() as home:
            _print_row("SQLite", f"sqlite:///{home}/oldhand.db", size)
    with TemporaryDirectory() as home:
        url = f"sqlite:///{home}/oldhand.db"
        _print_row("SQLite, two thirds hidden", url, MOSTLY_HIDDEN, hidden=True)
    for size in POSTGRES_SIZES:
        with postgres() as url:
            if url is None:
                print("| Postgres | not installed: pip install 'oldhand[demo]' | | | | |")
                return
            _print_row("Postgres", url, size)


def _print_row(name: str, url: str, size: int, *, hidden: bool = False) -> None:
    source = random.Random(size)
    clock = FixedClock(NOON)
    with Store.open(url, clock=clock) as store:
        memories = _memories(source, size)
        if hidden:
            memories = map(_mostly_hidden, memories, count())
        filling = _timed(_fill, store, memories)
        recall = Recall.of_store(store, "default", RecallSettings(), clock)
        recall_one(store, recall, "warm up the connection")
        questions = [example_question(source) for _ in range(QUESTIONS)]
        times = sorted(_timed(recall_one, store, recall, question) for question in questions)
        scan = min(_timed(_scan, store) for _ in range(3))
    p50, p95 = statistics.median(times), times[round(0.95 * (QUESTIONS - 1))]
    print(
        f"| {name} | {size:,} | {p50 * 1e3:.1f} | {p95 * 1e3:.1f} | {scan * 1e3:.1f} |"
        f" {filling / size * 1e3:.2f} |",
        flush=True,
    )


def recall_one(store: Store, recall: Recall, question: str) -> tuple[Lesson, ...]:
    """As before each answer: one state of the store for all of it."""
    with store.snapshot():
        return recall.recall(question, situation=situation_of(question, databases=[DATABASE]))


def _timed(call: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> float:
    start = time.perf_counter()
    call(*args, **kwargs)
    return time.perf_counter() - start


def _scan(store: Store) -> None:
    store.memories("default", type=MemoryType.EXAMPLE, text="salary Lisbon77", limit=8)


def _fill(store: Store, memories: Iterator[Memory]) -> None:
    while batch := list(islice(memories, 1_000)):
        store.save_memories("default", batch)


def _memories(source: random.Random, size: int) -> Iterator[Memory]:
    """Half are answers, as in life; of the rest four fifths are confirmed pairs."""
    return (some_memory(source, number) for number in range(size))


def _mostly_hidden(memory: Memory, number: int) -> Memory:
    """Of three memories, one as it was, one retired, and one that waits for somebody to approve it."""
    changes: tuple[dict[str, object], ...] = (
        {},
        {"tags": (Stage.RETIRED.value,)},
        {"provenance": Provenance()},
    )
    return memory.model_copy(update=changes[number % 3])


def some_memory(source: random.Random, number: int) -> Memory:
    """A memory of the kind that `number` says: half are answers, most others confirmed pairs, a tenth lessons."""
    kind = (MemoryType.EPISODIC, MemoryType.EXAMPLE)[number % 2]
    if number % 10 == 9:
        kind = (MemoryType.ISSUE, MemoryType.PREFERENCE)[number // 10 % 2]
    if number % 10 == 7:
        kind = _LESSONS[number // 10 % len(_LESSONS)]
    question = example_question(source)
    payload: dict[MemoryType, dict[str, object]] = {
        MemoryType.EPISODIC: {"session_id": "s", "user_text": question, "assistant_text": "42", "model_used": "builtin"},
        MemoryType.EXAMPLE: {"question": question, "sql": "SELECT 1", "confirmed_by": "ana"},
        MemoryType.ISSUE: {"evaluator_type": "thumb", "issue": "wrong", "question": question, "sql_query": "SELECT 1"},
        MemoryType.SEMANTIC: {"rule": f"Mind the returns. {question}"},
        MemoryType.CHECKLIST: {"step": f"Check the dates. {question}", "domain": "shop.orders"},
        MemoryType.BUG_FIX: {"failure": f"Prices in cents. {question}", "root_cause": "units", "fix": "Divide by 100."},
        MemoryType.PREFERENCE: {"key": question, "value": "rounded"},
    }  # fmt: skip
    return example_memory(
        f"m{number}",
        kind,
        user_id="default",
        payload=payload[kind],
        effect=_some_effect(source, number),
    )


_LESSONS = (
    MemoryType.SEMANTIC,
    MemoryType.CHECKLIST,
    MemoryType.BUG_FIX,
    MemoryType.PREFERENCE,
)


def _some_effect(source: random.Random, number: int) -> Alias | DefaultFilter | None:
    """Of one memory in twenty, what a word means; of one in a thousand, rows that answers leave out."""
    if number % 20 == 19:
        phrase = f"{source.choice(_THINGS)} {_name(source)}".lower()
        return Alias(phrase=phrase, database=DATABASE, table="customers")
    if number % 1_000 == 7:
        table = f"{source.choice(_NOUNS)}{number}"
        return DefaultFilter(database=DATABASE, table=table, condition="status <> 'test'")
    return None


def example_question(source: random.Random) -> str:
    """A question about one of many places."""
    shape, a, b = source.choice(_SHAPES), source.choice(_NOUNS), source.choice(_THINGS)
    return shape.format(a=a, b=b, x=_name(source), y=_name(source))


def _name(source: random.Random) -> str:
    """Some names are asked for often, most of them rarely."""
    return f"Lisbon{int(source.paretovariate(0.6))}"
