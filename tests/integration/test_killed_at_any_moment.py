"""A process that works is killed at random moments: nothing that it was told is done is lost.

`OLDHAND_TEST_KILLS=50` kills fifty times; a few times by default.
"""

import json
import os
import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.record.stage import State, state_of

sys.path.insert(0, str(Path(__file__).parent))
import killed_worker

KILLS = int(os.environ.get("OLDHAND_TEST_KILLS", "4"))
_CONTEXT = get_context("forkserver")
"""Starts processes fast: what they import is imported once."""
_CONTEXT.set_forkserver_preload(["killed_worker", "oldhand.store.migrate"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers VALUES (1, 'Berlin'), (2, 'Oslo')")
    home = open_home(tmp_path / "home")
    home.catalog.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    home.people.name(owner="default", experts=("bo",))
    home.store.close()
    home.catalog.close()
    return tmp_path / "home"


def killed(
    source: random.Random, target: Callable[..., None], home: Path, *given: int
) -> list[tuple[str, str]]:
    """Let a process work, kill it at a random moment, and give what it said was done."""
    reader, writer = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=target, args=(home, writer, *given))
    process.start()
    writer.close()
    assert reader.poll(600)
    told = [reader.recv()]
    for _ in range(source.randrange(4)):
        told += _next(reader, 600)
    told += _next(reader, source.random() * 0.3)
    process.kill()
    process.join()
    while found := _next(reader, 0):
        told += found
    return told


class _Reader(Protocol):
    def poll(self, timeout: float, /) -> bool: ...
    def recv(self) -> tuple[str, str]: ...


def _next(reader: _Reader, seconds: float) -> list[tuple[str, str]]:
    try:
        return [reader.recv()] if reader.poll(seconds) else []
    except EOFError:
        return []


def lines(folder: Path) -> Iterator[object]:
    for file in sorted(folder.rglob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            yield json.loads(line)


def files_with(folder: Path, text: str) -> list[str]:
    files = [one for one in sorted(folder.rglob("*")) if one.is_file()]
    assert files
    return [one.name for one in files if text.encode() in one.read_bytes()]


def known(home: Home) -> list[str]:
    found = home.store.memories("default", limit=None)
    return sorted(one.model_dump_json() for one in found if one.id != "night")


async def test_nothing_acknowledged_is_lost(folder: Path) -> None:
    source = random.Random(7)
    for number in range(KILLS):
        told = killed(source, killed_worker.work, folder, number * 7)
        home = open_home(folder)
        try:
            for what, id_ in told:
                if what == "answer":
                    assert home.store.episode("default", id_).id == id_
                elif what == "feedback":
                    assert home.store.feedback("default", id_).id == id_
            assert home.store.pending_journal_lines() == 0
            assert all(isinstance(one, dict) for one in lines(folder / "memory"))
            await home.rebuilding.rebuild()  # what was cut off between a word and its lesson
            before = known(home)
            again = await home.rebuilding.rebuild(drop=True)
            assert again.dropped >= 0
            assert known(home) == before
        finally:
            await home.close()


async def test_what_is_imported_retired_forgotten_or_pruned_is_so_whole_or_not_at_all(folder: Path) -> None:  # fmt: skip
    source = random.Random(9)
    for number in range(KILLS):
        told = killed(source, killed_worker.care, folder, number * 1_000)
        home = open_home(folder)
        try:
            there = {one.id: one for one in home.store.memories("default", limit=None)}
            batches = Counter(id_.split("-")[0] for id_ in there if id_.split("-")[0].isdigit())
            assert all(one >= killed_worker.BATCH - 2 for one in batches.values()), batches
            for what, id_ in told:
                assert what != "imported" or id_ in batches
                assert what != "retired" or state_of(there[id_]) is State.RETIRED
                assert what not in {"forgotten", "pruned"} or id_ not in there
            assert home.store.pending_journal_lines() == 0
            assert all(isinstance(one, dict) for one in lines(folder / "memory"))
        finally:
            await home.close()


async def test_an_erasure_that_was_killed_is_finished_by_the_next(folder: Path) -> None:
    source = random.Random(8)
    for _ in range(max(2, KILLS // 4)):
        home = open_home(folder)
        answer = await home.turn.ask(killed_worker.QUESTIONS[0], user="bo")
        await home.reflecting.run()
        await home.close()
        killed(source, killed_worker.erase, folder)
        home = open_home(folder)
        await home.erasing.erase("bo")
        assert home.store.erasing.unfinished("default") == {}
        await home.close()
        assert files_with(folder, answer.episode_id) == []
