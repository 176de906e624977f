"""How long recall takes in a store of many assistants, the largest of which keeps a tenth of all memories.

A memory is half of the time an answer, else most often a confirmed pair; there are words, rejected pairs, and lessons of all
kinds, too. Sizes of assistants fall as those of cities do. In the largest, people have voted on answers that rest on what was
recalled for them. Every recall is the whole of what happens before an answer: all its searches, and the votes on what they find.
"""

import gc
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks._postgres import postgres
from benchmarks.recall import example_question, recall_one, some_memory
from oldhand.learning.recall import Recall
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.memory import Memory
from oldhand.settings import RecallSettings
from oldhand.store import Store
from oldhand.testing import FixedClock
from oldhand.testing.records import NOON, example_episode, example_feedback

QUICK = 20_000
FULL = 1_000_000
CLONES_OF_FULL = 1_000
QUESTIONS = 200
MEMORIES_PER_VOTE = 500
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
    print(
        "| store | memories | assistants | asked | in it | p50 ms | p99 ms | processor p50 ms | p99 ms |"
    )
    print("|---|---:|---:|---|---:|---:|---:|---:|---:|")
    with TemporaryDirectory() as folder:
        print_rows("SQLite", f"sqlite:///{folder}/oldhand.db", size)
    with postgres() as url:
        if url is None:
            print("| Postgres | not installed: pip install 'oldhand[demo]' | | | | | | | |")
        else:
            print_rows("Postgres", url, size)
    print("\nProcessor time is that of the asking process alone, without a server's.")


def print_rows(name: str, url: str, size: Size) -> None:
    """Fill the store at `url`, and print what recall takes in it."""
    source = random.Random(size.memories)
    with Store.open(url, clock=FixedClock(NOON)) as store:
        began, used = time.perf_counter(), time.process_time()
        for batch in _batches(source, size):
            store.save_memories(batch[0].clone_id, batch)
        wall, processor = time.perf_counter() - began, time.process_time() - used
        measure(name, store, source, size)
    each = f"{processor / size.memories * 1e3:.2f} ms of processor time each"
    print(f"| {name} | filled in {wall:,.0f} s, {each} | | | | | | | |", flush=True)


def measure(name: str, store: Store, source: random.Random, size: Size) -> None:
    """Let people vote in a store that is filled, and print what recall takes in it."""
    for number in range(size.memories // MEMORIES_PER_VOTE):
        _vote(store, source, number)
    gc.collect()
    gc.freeze()  # as a server does once it has begun: no collection looks at its modules again
    asked = {
        "the largest": [0] * QUESTIONS,
        "any": [source.randrange(size.clones) for _ in range(QUESTIONS)],
    }
    for whom, clones in asked.items():
        held = f"{size.of(0):,}" if whom == "the largest" else ""
        times = [_timed(store, source, clone) for clone in clones]
        figures = " | ".join(f"{one * 1e3:.1f}" for one in _percentiles(times))
        print(
            f"| {name} | {size.memories:,} | {size.clones:,} | {whom} | {held} | {figures} |",
            flush=True,
        )


def _percentiles(times: Sequence["_Times"]) -> Iterator[float]:
    """Median and 99th percentile of the wall, then of the processor, in seconds."""
    for values in zip(*times, strict=True):
        ordered = sorted(values)
        yield ordered[len(ordered) // 2]
        yield ordered[len(ordered) * 99 // 100]


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


class _Times(NamedTuple):
    """How long one recall takes, in seconds."""

    wall: float
    processor: float


def _timed(store: Store, source: random.Random, clone: int) -> _Times:
    recall, question = _recall_of(store, clone), example_question(source)
    began, used = time.perf_counter(), time.process_time()
    recall_one(store, recall, question)
    return _Times(time.perf_counter() - began, time.process_time() - used)


def _recall_of(store: Store, clone: int) -> Recall:
    return Recall.of_store(store, f"clone{clone}", RecallSettings(), FixedClock(NOON))


def _vote(store: Store, source: random.Random, number: int) -> None:
    """An answer of the largest assistant, with what was recalled for it, and what its owner says of it."""
    answer = example_episode(f"a{number}", clone_id="clone0")
    found = recall_one(store, _recall_of(store, 0), example_question(source))
    recalled = tuple(
        Recalled(kind="memory", item_id=one.id, rank=n, score=one.score, shown=True, chance=1.0)
        for n, one in enumerate(found, 1)
    )
    store.record_episode(answer, Recollection(episode_id=answer.id, items=recalled))
    rating = source.choice((1, 1, 1, -1))
    vote = example_feedback(f"v{number}", rating, episode_id=answer.id, clone_id="clone0")
    store.add_feedback(vote)
