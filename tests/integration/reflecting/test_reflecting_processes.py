"""Processes of their own ask, look back, and are killed; every answer is looked back on once, and none is lost."""

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from oldhand.models.clock import SystemClock
from oldhand.record.memory import Memory, MemoryType
from oldhand.settings import Settings
from oldhand.store import Store, home_store
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import example_episode, example_feedback

PROGRAM = Path(__file__).with_name("reflecting_program.py")
NOW = SystemClock().now()
"""What is older than its time to live would be pruned by the programs, whose clock is the real one."""


def later() -> datetime:
    """A moment at which whatever a process that is dead by now has held is held no longer."""
    return SystemClock().now() + timedelta(minutes=5)


def command(home: Path, *arguments: str) -> str:
    """What a command of a process of its own prints."""
    call = [sys.executable, "-m", "oldhand", *arguments, "--home", str(home)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def program(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, str(PROGRAM), str(home), *arguments]
    return subprocess.run(call, capture_output=True, text=True, timeout=600, check=False)


def store_of(home: Path, clock: FixedClock) -> Store:
    home.mkdir(exist_ok=True)
    return home_store(home, Settings(), clock=clock)


def reflections(store: Store) -> tuple[Memory, ...]:
    return store.memories("default", type=MemoryType.REFLECTION, limit=None)


def test_one_command_asks_and_by_the_next_one_it_was_looked_back_on(tmp_path: Path) -> None:
    home, shop = tmp_path / "home", tmp_path / "shop.db"
    with closing(sqlite3.connect(shop)) as connection, connection:
        connection.executescript("CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT)")
    command(home, "init")
    command(home, "db", "add", f"sqlite:///{shop}", "--name", "shop")
    asked = json.loads(command(home, "ask", "How many orders are there?", "--json"))

    (first,) = json.loads(command(home, "memory", "list", "--type", "reflection", "--json"))
    right = "SELECT COUNT(*) FROM orders WHERE status <> 'cancelled'"
    command(home, "feedback", "last", "--bad", "--correction", right)
    (second,) = json.loads(command(home, "memory", "list", "--type", "reflection", "--json"))

    assert first["payload"]["episode_id"] == asked["episode_id"]
    assert first["payload"]["learnings"]["rules"] == []
    assert second["id"] == first["id"]
    assert second["payload"]["proposals"][0]["effect"]["condition"] == "status <> 'cancelled'"
    (journal,) = home.rglob("reflections.jsonl")
    assert [json.loads(line)["id"] for line in journal.read_text().splitlines()] == [
        first["id"]
    ] * 2


@pytest.mark.parametrize("when", ["claimed", "found", "saved"])
def test_a_process_that_is_killed_loses_nothing_and_nothing_is_done_twice(
    tmp_path: Path, when: str
) -> None:
    home = tmp_path / "home"
    with store_of(home, FixedClock()) as store:
        for number in range(3):
            store.record_episode(example_episode(f"episode-{number}", created_at=NOW))
        store.add_feedback(example_feedback("f-1", -1, episode_id="episode-1"))

    killed = program(home, when)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    with store_of(home, FixedClock(later())) as store:
        # Nobody has to wait for what the dead one holds: here, the clock has moved on.
        claims = [
            store.reflections.claim("default", f"by-{number}", seconds=60, tries=5)
            for number in range(3)
        ]
        left = {claim.episode_id for claim in claims if claim is not None}
        done = {one.payload.episode_id for one in reflections(store)}  # pyright: ignore[reportAttributeAccessIssue]
        assert not left & done
        assert left | done == {f"episode-{number}" for number in range(3)}


def test_two_processes_at_once_look_back_on_each_answer_once(tmp_path: Path) -> None:
    home, count = tmp_path / "home", 40
    with store_of(home, FixedClock()) as store:
        for number in range(count):
            store.record_episode(example_episode(f"episode-{number}", created_at=NOW))

    call = [sys.executable, str(PROGRAM), str(home)]
    running = [subprocess.Popen(call, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    ids = [line for process in running for line in process.communicate(timeout=600)[0].split()]

    assert len(ids) == len(set(ids)) == count
    with store_of(home, FixedClock()) as store:
        assert store.reflections.waiting("default") == 0
        versions = [store.memory_versions("default", one) for one in ids]
        assert [each for each in versions if len(each) != 1] == []
