"""What a night costs by the number of answers, and what becomes of hostile texts."""

import asyncio
import random
import re
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

from oldhand.bootstrap import Home, open_home
from oldhand.learning.distillation.distilling import Distiller
from oldhand.learning.distillation.lessons import DISTILLED
from oldhand.learning.distillation.shelf import LESSONS
from oldhand.learning.lifecycle.scanning import findings
from oldhand.loop.night import NightReport
from oldhand.record.episode import Episode
from oldhand.record.feedback import Source
from oldhand.record.memory import Memory
from oldhand.record.proposal import Proposal
from oldhand.record.recollection import Recalled, Recollection
from oldhand.record.stage import is_shown
from oldhand.store import Store
from oldhand.testing import FixedClock
from oldhand.testing.hostile import hostile_texts
from oldhand.testing.records import NOON, example_episode, example_feedback
from oldhand.testing.reflections import example_proposal, example_reflection

SIZES = (500, 2_000)
SAMPLE = 300
"""Answers that are looked back on by rules, to see what that takes."""
_SAVED_AT_ONCE = 500
_WAYS = ("{} {} of {} before counting", "Before counting, {} {} of {}", "{} the {} of {} before counting.")  # fmt: skip
_VERBS = ("Check", "Round", "Filter", "Group", "Sort", "Convert", "Compare", "Sum")
_THINGS = ("price", "city", "salary", "weight", "date", "status", "country", "margin", "stock", "tier")  # fmt: skip
_SOURCES = (Source.OWNER, Source.EXPERT, Source.EXECUTION, Source.EVALUATOR, Source.EXTERNAL)
_TABLES = tuple(f"shop.table_{number}" for number in range(40))
_ON_TRIAL = 200
"""Lessons that answers rest on."""
_T = TypeVar("_T")


class Nights(NamedTuple):
    """What one night took, and the next one; times are processor time in seconds."""

    lessons: int
    distilling: float
    rest: float
    """Weighing, believing, pruning and summing up."""
    again: float
    """A second night at once."""
    before: float
    """MiB before the first one."""
    peak: float
    """MiB at most."""


def run(data: Path | None, sizes: tuple[int, ...] = SIZES) -> None:  # noqa: ARG001
    """Print the cost of a night, and the trial with hostile texts."""
    print(
        "One night over so many answers, looked back on before, with two proposals each; then a second one at once. "
        "Processor time; each line in a process of its own.\n"
    )
    print("| answers | lessons | distil | per 1,000 | the rest of the night | a second night | memory before | at most |")  # fmt: skip
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for size in sizes:
        print(_row(size), flush=True)
    print(f"\nLooking back by rules: {_alone(_looked_back):.1f} ms for an answer.\n")
    print("Hostile texts, proposed as lessons by reflections:\n")
    print("| came in as | texts | found by the scan | lessons made | shown without approval |")
    print("|---|---:|---:|---:|---:|")
    for line in _hostile():
        print(line)


def _row(size: int) -> str:
    with TemporaryDirectory() as folder:
        _alone(partial(_filled, folder, size))
        found = _alone(partial(_nights, folder))
    return (
        f"| {size:,} | {found.lessons:,} | {found.distilling:.1f} s | {1000 * found.distilling / size:.2f} s "
        f"| {found.rest:.1f} s | {found.again:.1f} s | {found.before:.0f} MiB | {found.peak:.0f} MiB |"
    )


def _alone(work: Callable[[], _T]) -> _T:
    """Do it in a process of its own, so that its memory is told from that of others."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work).result()


def _filled(folder: str, size: int) -> None:
    """Answers with what was recalled for them, votes on some, and a reflection on each."""
    chance = random.Random(3)
    home = open_home(folder, clock=FixedClock(NOON))
    batch: list[Memory] = []
    for reflection in _reflections(size):
        batch.append(reflection)
        name, at = reflection.provenance.episode_ids[0], reflection.created_at
        home.store.record_episode(_answer(chance, name, at), _recalled(chance, name))
        if chance.random() < 0.1:
            rating = 1 if chance.random() < 0.6 else -1
            vote = example_feedback(f"vote-{name}", rating, episode_id=name, created_at=at)
            home.store.add_feedback(vote)
        if len(batch) == _SAVED_AT_ONCE:
            home.store.save_memories("default", batch)
            batch.clear()
    home.store.save_memories("default", batch)
    asyncio.run(home.close())


def _answer(chance: random.Random, name: str, at: datetime) -> Episode:
    words = (_one_of(chance, _VERBS), _one_of(chance, _THINGS), _one_of(chance, _TABLES))
    question = "{} the {} of {}, {}".format(*words, chance.randrange(2020, 2026))
    success = None if chance.random() < 0.5 else chance.random() < 0.8
    return example_episode(name, created_at=at, question=question, success=success, ledger=())


def _recalled(chance: random.Random, name: str) -> Recollection:
    lessons = chance.sample([f"rule-{number}" for number in range(_ON_TRIAL)], 3)
    items = (
        Recalled(kind="memory", item_id=one, rank=rank, score=0.8, shown=chance.random() < 0.9, chance=0.9)
        for rank, one in enumerate(lessons, 1)
    )  # fmt: skip
    return Recollection(episode_id=name, items=tuple(items))


def _nights(folder: str) -> Nights:
    home = open_home(folder, clock=FixedClock(NOON + timedelta(days=1)))
    before = _peak_mib()
    distilling = _seconds(home.night.distiller.distil)
    rest = _seconds(lambda: _night(home))
    again = _seconds(lambda: _night(home))
    lessons = len(_lessons(home.store))
    found = Nights(lessons, distilling, rest, again, before, _peak_mib())
    asyncio.run(home.close())
    return found


def _night(home: Home) -> NightReport:
    """A night that finds all answers looked back on."""

    async def nothing(_: int, __: float | None) -> tuple[Memory, ...]:
        return ()

    return asyncio.run(replace(home.night, reflect=nothing).work())


def _looked_back() -> float:
    """Milliseconds that rules take for one answer, with reading it and saving what they find."""
    with TemporaryDirectory() as folder:
        _filled(folder, SAMPLE)
        home = open_home(folder, clock=FixedClock(NOON))
        seconds = _seconds(lambda: asyncio.run(home.reflecting.run()))
        asyncio.run(home.close())
    return 1000 * seconds / SAMPLE


def _reflections(size: int) -> Iterator[Memory]:
    """Reflections as many users bring them: a few proposals very often, many seldom, each worded in several ways."""
    chance = random.Random(5)
    for number in range(size):
        name = f"e{number}"
        yield example_reflection(
            name, _proposal(chance, name), _filter(chance, name), minutes=number
        )


def _proposal(chance: random.Random, name: str) -> Proposal:
    table = _one_of(chance, _TABLES)
    words = (_one_of(chance, _VERBS), _one_of(chance, _THINGS), table)
    kind = chance.choice(("semantic", "checklist", "bug_fix"))
    text = chance.choice(_WAYS).format(*words)
    return example_proposal(text, name, type=kind, domain=table, source=chance.choice(_SOURCES))


def _filter(chance: random.Random, name: str) -> Proposal:
    table = _one_of(chance, _TABLES).removeprefix("shop.")
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
    """Processor time."""
    began = time.process_time()
    work()
    return time.process_time() - began


def _peak_mib() -> float:
    """The most memory that the process has had so far."""
    status = Path("/proc/self/status")
    if (
        status.exists()
    ):  # what `getrusage` says begins with the memory of whoever started the process
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        return int(found[1]) / 1024 if found else 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024)
