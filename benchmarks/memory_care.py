"""How long the commands take that look over all that was learned, by the number of memories; looking at one as reference."""

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._own_process import alone
from oldhand.bootstrap import open_home
from oldhand.record.memory import Memory, MemoryType, Provenance
from oldhand.testing.records import NOON, example_memory

QUICK = 10_000
COMMANDS = (
    ("memory", "show", "m000003"),
    ("memory", "list"),
    ("memory", "list", "--waiting"),
    ("memory", "list", "--flawed"),
    ("memory", "search", "airline", "w7"),
    ("memory", "approve", "m000004"),
    ("memory", "prune", "--dry-run"),
    ("evidence",),
)
_BATCH = 1_000
_WORDS = [
    "airline",
    "airport",
    "route",
    "country",
    "city",
    "name",
    "elevation",
    "active",
    "code",
    "callsign",
    "owner",
    "report",
    "table",
    "total",
    "average",
    "monthly",
    "yearly",
    "list",
    "order",
    "show",
    "round",
    "always",
    "never",
    "net",
    "gross",
]


def run(data: Path | None, *, memories: int = QUICK) -> None:  # noqa: ARG001
    """Print the time of each command as a process of its own.

    Args:
        data: not used; the memories are made here.
        memories: how many, such as 100,000.
    """
    print(f"{memories:,} memories: rules, steps and preferences of people, rules on trial and such as wait, and pairs.\n")  # fmt: skip
    print("| command | processor, s | memory, MiB |")
    print("|---|---:|---:|")
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        alone(partial(fill, home, memories))
        for command in COMMANDS:
            seconds, mib = measured(command, home)
            print(f"| oldhand {' '.join(command)} | {seconds:.1f} | {mib:,.0f} |", flush=True)


def fill(home: Path, memories: int) -> None:
    """Make a home that has learned so much."""
    opened = open_home(home)
    opened.catalog.add(f"sqlite:///{_flights(home.with_name('flights.db'))}", name="flights")
    source = random.Random(memories)
    made = (some_memory(source, number) for number in range(memories))
    while batch := list(islice(made, _BATCH)):
        opened.store.save_memories(opened.clone_id, batch)
    opened.store.close()
    opened.catalog.close()


def _flights(file: Path) -> Path:
    """What the pairs are about, so that lessons have their exam."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE airlines (id INTEGER PRIMARY KEY, name TEXT, country TEXT, elevation INTEGER)")  # fmt: skip
        rows = ((number, f"Airline {number}", f"Country {number % 7}", number % 900) for number in range(300))  # fmt: skip
        connection.executemany("INSERT INTO airlines VALUES (?, ?, ?, ?)", rows)
        connection.commit()
    return file


def some_memory(source: random.Random, number: int) -> Memory:
    """A memory of the kind that `number` says, in words of its own; a few say what others say, or the opposite."""
    said = (
        " ".join(source.choices(_WORDS, k=6)) + f" w{number // 2 if number % 50 == 1 else number}"
    )
    kind, payload, by, tags = list(_kinds(said, number))[number % 6]
    return example_memory(
        f"m{number:06}",
        kind,
        payload=payload,
        summary=said,
        tags=tags,
        user_id="default",
        created_at=NOON + timedelta(minutes=number),
        provenance=Provenance.model_validate({"source": by, "rater": "default"}),
    )


def _kinds(
    said: str, number: int
) -> Iterator[tuple[MemoryType, dict[str, object], str, tuple[str, ...]]]:
    sql = f"SELECT COUNT(*) FROM airlines WHERE elevation > {number}"
    pair: dict[str, object] = {"question": f"How many airlines have an elevation of more than {number}?", "database": "flights", "sql": sql, "confirmed_by": "default"}  # fmt: skip
    yield MemoryType.SEMANTIC, {"rule": said}, "owner", ("distilled",)
    yield MemoryType.EXAMPLE, pair, "owner", ()
    yield MemoryType.CHECKLIST, {"step": said}, "owner", ("distilled",)
    yield MemoryType.PREFERENCE, {"key": f"k{number}", "value": said}, "owner", ()
    yield MemoryType.SEMANTIC, {"rule": said}, "external", ("quarantined",)
    yield MemoryType.SEMANTIC, {"rule": said}, "execution", ("distilled", "candidate")


def measured(command: tuple[str, ...], home: Path) -> tuple[float, float]:
    """Seconds of the processor, and the most memory, of a command that ends well."""
    told = [sys.executable, "-m", "oldhand", *command, "--home", str(home)]
    with subprocess.Popen(told, stdout=subprocess.DEVNULL) as running:
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, told)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
