"""How long recall takes in a store of many assistants, the largest of which keeps a tenth of all memories.

A memory is half of the time an answer, else most often a confirmed pair; there are words, rejected pairs and rules, too.
Sizes of assistants fall as those of cities do. Every recall is the whole of what happens before an answer: all its
searches, and the votes on what they find.
"""

import random
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks._postgres import postgres
from benchmarks.recall import example_question, some_memory
from oldhand.learning.recall import Recall, StoreCredit, StoreIndex
from oldhand.record.memory import Memory
from oldhand.settings import RecallSettings
from oldhand.store import Store
from oldhand.testing import FixedClock
from oldhand.testing.records import NOON

QUICK = 20_000
FULL = 1_000_000
CLONES_OF_FULL = 1_000
QUESTIONS = 200
_BATCH = 1_000


class Size(NamedTuple):
    """How much there is."""

    memories: int
    clones: int

    def of(self, clone: int) -> int:
        """How many memories a clone keeps; the first one a tenth of all, the others less and less."""
        if not clone:
            return self.memories // 10
        shares = sum(1 / (number + 10) for number in range(1, self.clones))
        return round(0.9 * self.memories / (clone + 10) / shares)


def run(data: Path | None, *, memories: int = QUICK) -> None:  # noqa: ARG001
    """Print the times of one recall in the largest assistant, and in any.

    Args:
        data: not used; the memories are made here.
        memories: how many in all.
    """
    size = Size(memories, max(2, memories * CLONES_OF_FULL // FULL))
    print("| store | memories | assistants | asked | in it | p50 ms | p99 ms | filling, ms each |")
    print("|---|---:|---:|---|---:|---:|---:|---:|")
    with TemporaryDirectory() as folder:
        _print_rows("SQLite", f"sqlite:///{folder}/oldhand.db", size)
    with postgres() as url:
        if url is None:
            print("| Postgres | not installed: pip install 'oldhand[demo]' | | | | | | |")
        else:
            _print_rows("Postgres", url, size)


def _print_rows(name: str, url: str, size: Size) -> None:
    source = random.Random(size.memories)
    with Store.open(url, clock=FixedClock(NOON)) as store:
        began = time.perf_counter()
        for batch in _batches(source, size):
            store.save_memories(batch[0].clone_id, batch)
        filling = (time.perf_counter() - began) / size.memories
        asked = {
            "the largest": [0] * QUESTIONS,
            "any": [source.randrange(size.clones) for _ in range(QUESTIONS)],
        }
        for whom, clones in asked.items():
            times = sorted(_timed(store, source, clone) for clone in clones)
            p50, p99 = times[QUESTIONS // 2], times[QUESTIONS * 99 // 100]
            held = f"{size.of(0):,}" if whom == "the largest" else ""
            print(
                f"| {name} | {size.memories:,} | {size.clones:,} | {whom} | {held} | {p50 * 1e3:.1f} | {p99 * 1e3:.1f} |"
                f" {filling * 1e3:.2f} |",
                flush=True,
            )


def _batches(source: random.Random, size: Size) -> Iterator[list[Memory]]:
    """All memories, those of one clone at a time, in an order in which the clones take turns."""
    left = {clone: size.of(clone) for clone in range(size.clones)}
    number = 0
    while left:
        for clone in list(left):
            count = min(left[clone], _BATCH)
            changes = {"clone_id": f"clone{clone}"}
            made = [some_memory(source, number + n) for n in range(count)]
            number += count
            yield [one.model_copy(update=changes) for one in made]
            left[clone] -= count
            if not left[clone]:
                del left[clone]


def _timed(store: Store, source: random.Random, clone: int) -> float:
    """How long one recall takes, in seconds; as before each answer, it sees one state of the store."""
    clone_id = f"clone{clone}"
    index, credit = StoreIndex(store, clone_id), StoreCredit(store, clone_id)
    recall = Recall(index, credit, RecallSettings(), FixedClock(NOON))
    question = example_question(source)
    began = time.perf_counter()
    with store.snapshot():
        recall.recall(question)
    return time.perf_counter() - began
