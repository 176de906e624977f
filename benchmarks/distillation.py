"""What a night costs by the number of answers, and what becomes of hostile texts."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import sqlalchemy as sa

from benchmarks._hostile_texts import hostile_texts
from benchmarks._own_process import alone, peak_mib, processor_seconds
from benchmarks._reflections import example_proposal, example_reflection
from oldhand.bootstrap import Home, open_home
from oldhand.learning.distillation.distilling import Distiller
from oldhand.learning.lifecycle.scanning import findings
from oldhand.loop.night import NightReport
from oldhand.record.episode import Episode, Recalled, Recollection
from oldhand.record.feedback import Source
from oldhand.record.memory import Memory
from oldhand.record.proposal import LessonProposal
from oldhand.record.stage import DISTILLED, LESSONS, is_shown
from oldhand.store import Store, tables
from oldhand.testing import FixedClock
from oldhand.testing.records import NOON, example_episode, example_feedback

SIZES = (500, 2_000)
SAMPLE = 300
"""Answers that are looked back on by rules, to see what that takes."""
_SAVED_AT_ONCE = 500
_RECORDED = 2_000
"""Answers that are recorded one by one; further ones have their rows."""
_WAYS = ("{} {} of {} before counting", "Before counting, {} {} of {}", "{} the {} of {} before counting.")  # fmt: skip
_VERBS = ("Check", "Round", "Filter", "Group", "Sort", "Convert", "Compare", "Sum")
_THINGS = ("price", "city", "salary", "weight", "date", "status", "country", "margin", "stock", "tier")  # fmt: skip
_SOURCES = (Source.OWNER, Source.EXPERT, Source.EXECUTION, Source.EVALUATOR, Source.EXTERNAL)
_TABLES = tuple(f"shop.table_{number}" for number in range(40))
_ON_TRIAL = 200
"""Lessons that answers rest on."""


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
    print(f"\nLooking back by rules: {alone(_looked_back):.1f} ms for an answer.\n")
    print("Hostile texts, proposed as lessons by reflections:\n")
    print("| came in as | texts | found by the scan | lessons made | shown without approval |")
    print("|---|---:|---:|---:|---:|")
    for line in _hostile():
        print(line)


def _row(size: int) -> str:
    with TemporaryDirectory() as folder:
        alone(partial(_filled, folder, size))
        found = alone(partial(_nights, folder))
    return (
        f"| {size:,} | {found.lessons:,} | {found.distilling:.1f} s | {1000 * found.distilling / size:.2f} s "
        f"| {found.rest:.1f} s | {found.again:.1f} s | {found.before:.0f} MiB | {found.peak:.0f} MiB |"
    )


def _filled(folder: str, size: int) -> None:
    """Answers with what was recalled for them, votes on some, and a reflection on each."""
    chance = random.Random(3)
    home = open_home(folder, clock=FixedClock(NOON))
    batch: list[Memory] = []
    for number, reflection in enumerate(_reflections(size)):
        batch.append(reflection)
        if number < _RECORDED:
            _record(home.store, chance, f"e{number}", reflection.created_at)
        if len(batch) == _SAVED_AT_ONCE:
            home.store.save_memories("default", batch)
            batch.clear()
    home.store.save_memories("default", batch)
    asyncio.run(home.close())
    if size > _RECORDED:
        _multiply(f"sqlite:///{folder}/store.db", size)


def _record(store: Store, chance: random.Random, name: str, at: datetime) -> None:
    store.record_episode(_answer(chance, name, at), _recalled(chance, name))
    if chance.random() < 0.1:
        rating = 1 if chance.random() < 0.6 else -1
        vote = example_feedback(f"vote-{name}", rating, episode_id=name, created_at=at)
        store.add_feedback(vote)


def _multiply(url: str, size: int) -> None:
    """Copy the rows of recorded answers until there are enough, because recording each would take an hour."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        for offset in range(_RECORDED, size, _RECORDED):
            for table in (
                tables.episodes,
                tables.recollections,
                tables.recollection_items,
                tables.feedback,
            ):
                connection.execute(_copied(table, offset, size))
    engine.dispose()


def _copied(table: sa.Table, offset: int, size: int) -> sa.Insert:
    """The first rows once more, as those of the answers that come so many later."""
    name = table.c.id if table is tables.episodes else table.c.episode_id
    number = sa.cast(sa.func.substr(name, 2), sa.Integer) + offset
    columns = [one for one in table.c if one.name != "seq"]
    copied = [
        "e" + sa.cast(number, sa.Text) if one is name
        else "vote-" + sa.cast(number, sa.Text) if one.name == "id"
        else one
        for one in columns
    ]  # fmt: skip
    of_first = sa.cast(sa.func.substr(name, 2), sa.Integer) < _RECORDED
    rows = sa.select(*copied).where(of_first, number < size)
    return sa.insert(table).from_select([one.name for one in columns], rows)


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
    before = peak_mib()
    distilling = processor_seconds(home.night.distiller.distil)
    rest = processor_seconds(lambda: _night(home))
    again = processor_seconds(lambda: _night(home))
    lessons = len(_lessons(home.store))
    found = Nights(lessons, distilling, rest, again, before, peak_mib())
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
        seconds = processor_seconds(lambda: asyncio.run(home.reflecting.run()))
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


def _proposal(chance: random.Random, name: str) -> LessonProposal:
    table = _one_of(chance, _TABLES)
    words = (_one_of(chance, _VERBS), _one_of(chance, _THINGS), table)
    kind = chance.choice(("semantic", "checklist", "bug_fix"))
    text = chance.choice(_WAYS).format(*words)
    return example_proposal(text, name, type=kind, domain=table, source=chance.choice(_SOURCES))


def _filter(chance: random.Random, name: str) -> LessonProposal:
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
