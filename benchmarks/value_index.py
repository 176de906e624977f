"""How fast the index over a million values is built, and how fast it finds a phrase."""

import random
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from benchmarks._generated_company import made_up_word
from benchmarks._own_process import alone, peak_mib
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import open_database
from oldhand.sources.databases.value_files import fingerprint
from oldhand.sources.databases.values import ValueIndex

COLUMNS, VALUES = 10, 100_000
"""Columns, and distinct values of each: a million in all."""
ASKED = 300
"""Phrases of each kind that are looked up."""
NUMBERED = 5
"""Columns whose values begin alike, such as `Part 0004711`, which is hard on a search for misspelt ones."""

ROUNDS = 3
"""Times that each phrase is looked up once it is warm; the fastest counts, since other programs disturb it."""


def run(data: Path | None) -> None:  # noqa: ARG001 - all is generated
    """Print the tables."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        source, path = folder / "big.db", folder / "index.sqlite"
        values = _fill(source)
        began = time.perf_counter()
        index = build(source, path)
        built = time.perf_counter() - began
        index.close()
        memory = alone(partial(added_mib, source, folder / "again.sqlite"))
        size = path.stat().st_size
        print(f"{COLUMNS * VALUES:,} distinct values in {COLUMNS} columns.\n")
        print("| build, and again when the data changed | memory added | file |\n|---|---|---|")
        print(f"| {built:.1f} s | {memory:.0f} MiB | {size / 1e6:.0f} MB |\n")
        _lookups(source, path, values)


def build(source: Path, path: Path) -> ValueIndex:
    """Index the database in the file `source`."""
    with closing(open_database(DatabaseEntry(name="big", url=f"sqlite:///{source}"))) as database:
        return ValueIndex.fresh(path, database, database.introspect())


def added_mib(source: Path, path: Path) -> float:
    """The memory that indexing adds to a process."""
    before = peak_mib()
    build(source, path).close()
    return peak_mib() - before


def _fill(path: Path) -> list[str]:
    """Write the database; some of its values."""
    chance = random.Random(7)
    some: list[str] = []
    with closing(sqlite3.connect(path)) as connection:
        for number in range(COLUMNS):
            connection.execute(f"CREATE TABLE table_{number} (id INTEGER PRIMARY KEY, value TEXT)")
            values = _numbered(number) if number < NUMBERED else _named(chance)
            rows = ((value,) for value in values)
            connection.executemany(f"INSERT INTO table_{number} (value) VALUES (?)", rows)
            some += chance.sample(values, ASKED // COLUMNS)
        connection.commit()
    return some


def _numbered(number: int) -> list[str]:
    return [f"Part {VALUES * number + n:07}" for n in range(VALUES)]


def _named(chance: random.Random) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < VALUES:
        found[" ".join(made_up_word(chance) for _ in range(chance.randint(1, 3)))] = None
    return list(found)


def _lookups(source: Path, path: Path, values: Sequence[str]) -> None:
    chance = random.Random(8)
    several = [value for value in values if value.count(" ") > 1]
    with closing(open_database(DatabaseEntry(name="big", url=f"sqlite:///{source}"))) as database:
        schema = database.introspect()
    index = ValueIndex.open(path, "big", fingerprint(schema))
    assert index is not None
    kinds: dict[str, tuple[Sequence[str], Callable[[str], object]]] = {
        "the very words": (values, lambda phrase: index.exact([phrase])),
        "40 phrases of a question at once": (values[:20], lambda _: index.exact(values[:40])),
        "two words of a longer value": ([" ".join(v.split()[:2]) for v in several], index.lookup),
        "a letter wrong": ([_misspelt(value, chance) for value in values], index.lookup),
        "not there": ([made_up_word(chance) + "qux" for _ in range(ASKED)], index.lookup),
        "not there, begins like many": (
            [f"Part {made_up_word(chance)}" for _ in range(ASKED)],
            index.lookup,
        ),
    }
    print("| lookup | first, ms | median, ms | 95 % within, ms |\n|---|---:|---:|---:|")
    for kind, (phrases, work) in kinds.items():
        first = _seconds(work, phrases[0])
        times = [min(_seconds(work, phrase) for _ in range(ROUNDS)) for phrase in phrases]
        late = quantiles(times, n=20)[-1]
        cells = (f"{1e3 * value:.2f}" for value in (first, median(times), late))
        print(f"| {kind} | {' | '.join(cells)} |")
    index.close()


def _misspelt(value: str, chance: random.Random) -> str:
    """`value` with one letter changed."""
    place = chance.randrange(len(value))
    return f"{value[:place]}{chance.choice('qxyw')}{value[place + 1 :]}"


def _seconds(work: Callable[[str], object], phrase: str) -> float:
    began = time.perf_counter()
    work(phrase)
    return time.perf_counter() - began
