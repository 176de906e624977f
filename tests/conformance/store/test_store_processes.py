"""Several processes on one store, and processes that are killed in the middle."""

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from oldhand.store import Store
from oldhand.testing.records import example_episode

PROGRAM = Path(__file__).with_name("writer_program.py")


def writer(url: str, home: Path, name: str, count: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, PROGRAM, url, home / "memory", name, str(count)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def check_consistent(store: Store, home: Path) -> None:
    """Every episode is whole, and the journal says of each exactly what the store says."""
    episodes = store.episodes("default", limit=None)
    for episode in episodes:
        assert episode.model_copy(update={"success": None}) == example_episode(episode.id)
    lines = (home / "memory/ana/episodic.jsonl").read_text("utf-8").split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(set(lines))
    latest = {record["id"]: record["payload"] for record in map(json.loads, lines)}
    assert {one: payload["success"] for one, payload in latest.items()} == {
        episode.id: episode.success for episode in episodes
    }
    assert store.pending_journal_lines() == 0


def test_two_processes_on_one_store_lose_nothing(
    store_url: str, tmp_path: Path, open_store: Callable[[], Store]
):
    writers = [writer(store_url, tmp_path, name, 20) for name in ("a", "b")]
    for process in writers:
        process.communicate()
        assert process.returncode == 0
    store = open_store()
    assert len(store.episodes("default", limit=None)) == 40
    assert all(episode.success for episode in store.episodes("default", limit=None))
    check_consistent(store, tmp_path)


def test_a_killed_process_loses_nothing_that_was_acknowledged(
    store_url: str, tmp_path: Path, open_store: Callable[[], Store]
):
    acknowledged: set[tuple[str, str]] = set()
    for name, lines in (("a", 1), ("b", 8), ("c", 15)):
        process = writer(store_url, tmp_path, name, 10_000)
        assert process.stdout is not None
        seen = list(islice(process.stdout, lines))
        process.kill()
        seen += process.stdout.read().splitlines()
        process.wait()
        process.stdout.close()
        acknowledged |= {(kind, episode_id) for kind, episode_id in map(str.split, seen)}
    store = open_store()
    recorded = {episode.id: episode for episode in store.episodes("default", limit=None)}
    rated = {one for kind, one in acknowledged if kind == "feedback"}
    assert len(rated) >= 11
    assert {one for _, one in acknowledged} <= set(recorded)
    assert rated <= {one for one, episode in recorded.items() if episode.success}
    check_consistent(store, tmp_path)
