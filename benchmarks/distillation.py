"""What a night costs by the number of answers, and what becomes of hostile texts."""

import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from oldhand.learning.distillation.distilling import Distiller
from oldhand.learning.distillation.lessons import DISTILLED
from oldhand.learning.distillation.shelf import LESSONS
from oldhand.learning.lifecycle.scanning import findings
from oldhand.learning.lifecycle.upkeep import Upkeep
from oldhand.record.feedback import Source
from oldhand.record.memory import Memory
from oldhand.record.proposal import Proposal
from oldhand.record.stage import is_shown
from oldhand.store import Store
from oldhand.testing import FixedClock
from oldhand.testing.hostile import hostile_texts
from oldhand.testing.records import NOON
from oldhand.testing.reflections import example_proposal, example_reflection

SIZES = (500, 2_000)
_SAVED_AT_ONCE = 500
_WAYS = ("{} {} of {} before counting", "Before counting, {} {} of {}", "{} the {} of {} before counting.")  # fmt: skip
_VERBS = ("Check", "Round", "Filter", "Group", "Sort", "Convert", "Compare", "Sum")
_THINGS = ("price", "city", "salary", "weight", "date", "status", "country", "margin", "stock", "tier")  # fmt: skip
_SOURCES = (Source.OWNER, Source.EXPERT, Source.EXECUTION, Source.EVALUATOR, Source.EXTERNAL)


def run(data: Path | None, sizes: tuple[int, ...] = SIZES) -> None:  # noqa: ARG001
    """Print the cost of a night, and the trial with hostile texts."""
    print("One night: reflections with two proposals each, then again with nothing new.\n")
    print("| reflections | lessons | distil | per 1,000 | believe and prune | again | memory grew by |")  # fmt: skip
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for size in sizes:
        print(_row(size), flush=True)
    print("\nHostile texts, proposed as lessons by reflections:\n")
    print("| came in as | texts | found by the scan | lessons made | shown without approval |")
    print("|---|---:|---:|---:|---:|")
    for line in _hostile():
        print(line)


def _row(size: int) -> str:
    with TemporaryDirectory() as folder, _store(folder) as store:
        batch: list[Memory] = []
        for one in _reflections(size):
            batch.append(one)
            if len(batch) == _SAVED_AT_ONCE:
                store.save_memories("default", batch)
                batch.clear()
        store.save_memories("default", batch)
        before = _peak_mib()
        distil = _seconds(lambda: Distiller("default", store).distil())
        upkeep = Upkeep("default", store, DISTILLED)
        care = _seconds(lambda: (upkeep.believe(), list(upkeep.prune(NOON))))
        grown = _peak_mib() - before
        again = _seconds(lambda: Distiller("default", store).distil())
        lessons = len(_lessons(store))
    return (
        f"| {size:,} | {lessons:,} | {distil:.1f} s | {1000 * distil / size:.2f} s | {care:.1f} s "
        f"| {again:.2f} s | {grown:.0f} MiB |"
    )


def _reflections(size: int) -> Iterator[Memory]:
    """Reflections as many users bring them: a few proposals very often, many seldom, each worded in several ways."""
    chance = random.Random(5)
    tables = [f"shop.table_{number}" for number in range(40)]
    for number in range(size):
        name = f"e{number}"
        yield example_reflection(
            name, _proposal(chance, name, tables), _filter(chance, name, tables), minutes=number
        )


def _proposal(chance: random.Random, name: str, tables: list[str]) -> Proposal:
    table = _one_of(chance, tables)
    words = (_one_of(chance, _VERBS), _one_of(chance, _THINGS), table)
    kind = chance.choice(("semantic", "checklist", "bug_fix"))
    text = chance.choice(_WAYS).format(*words)
    return example_proposal(text, name, type=kind, domain=table, source=chance.choice(_SOURCES))


def _filter(chance: random.Random, name: str, tables: list[str]) -> Proposal:
    table = _one_of(chance, tables).removeprefix("shop.")
    condition = f"{_one_of(chance, _THINGS)} {chance.choice(('<>', '='))} 'x'"
    effect = {"kind": "default_filter", "database": "shop", "table": table, "condition": condition}
    text = f"Only rows of {table} with {condition} count"
    return example_proposal(text, name, effect=effect, source=chance.choice(_SOURCES))


def _one_of(chance: random.Random, things: Sequence[str]) -> str:
    """The first ones most often."""
    return things[min(int(chance.expovariate(6 / len(things))), len(things) - 1)]


def _hostile() -> Iterator[str]:
    texts, found, made, shown = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    with TemporaryDirectory() as folder, _store(folder) as store:
        carriers: dict[str, str] = {}
        for number, one in enumerate(hostile_texts()):
            name = f"e{number}"
            carriers[name] = one.carrier
            texts[one.carrier] += 1
            found[one.carrier] += bool(findings(one.text))
            proposal = example_proposal(one.text, name, source=one.source)
            store.save_memory(example_reflection(name, proposal))
        Distiller("default", store).distil()
        for lesson in _lessons(store):
            carrier = carriers[lesson.provenance.episode_ids[0]]
            made[carrier] += 1
            shown[carrier] += is_shown(lesson)
    for carrier, number in texts.items():
        yield f"| {carrier} | {number} | {found[carrier]} | {made[carrier]} | {shown[carrier]} |"
    yield f"| all | {texts.total()} | {found.total()} | {made.total()} | {shown.total()} |"


def _lessons(store: Store) -> list[Memory]:
    found = (one for kind in LESSONS for one in store.memories("default", type=kind, limit=None))
    return [one for one in found if DISTILLED in one.tags]


def _store(folder: str) -> Store:
    return Store.open(f"sqlite:///{folder}/oldhand.db", clock=FixedClock(NOON))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _peak_mib() -> float:
    """The most memory that the process has had so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 if sys.platform != "darwin" else 1024 * 1024)
