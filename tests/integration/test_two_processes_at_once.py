"""Two processes work in one home at the same time: nothing is lost, and what can't be done is refused by name."""

import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.store import import_memories

sys.path.insert(0, str(Path(__file__).parent))
import killed_worker
import two_workers

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["two_workers", "oldhand.store.migrate"])
ROUNDS = 6
REFUSED = {"UsageError", "UnknownMemory"}
PAIRS = (("approve", "retire"), ("edit", "retire"), ("edit", "edit"), ("undo", "undo"), ("forget", "edit"), ("forget", "forget"), ("undo", "forget"), ("retire", "prune"))  # fmt: skip
Done = tuple[str, str]
"""`done` and the id of what was made, or an error and what it says."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers VALUES (1, 'Berlin'), (2, 'Oslo')")
    home = open_home(tmp_path / "home")
    home.catalog.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    home.people.name(owner="default", experts=("bo",))
    file = tmp_path / "rules.jsonl"
    file.write_text("\n".join(killed_worker.line_of(f"rule-{one}", one) for one in range(30)))
    import_memories(home.store, file, trust=True)
    home.store.close()
    home.catalog.close()
    return tmp_path / "home"


class Two:
    """Two processes in one home."""

    def __init__(self, folder: Path) -> None:
        self._pipes = [_CONTEXT.Pipe() for _ in range(2)]
        for _, theirs in self._pipes:
            _CONTEXT.Process(target=two_workers.work, args=(folder, theirs)).start()
            theirs.close()
        assert [ours.recv() for ours, _ in self._pipes] == ["ready"] * 2

    def at_once(self, one: str, other: str, about: str = "", rounds: int = ROUNDS) -> list[Done]:
        """What both say of what they did at the same time, so many times each; EOFError where one ended with a traceback."""
        for (ours, _), act in zip(self._pipes, (one, other), strict=True):
            ours.send((act, rounds, about))
        return [done for ours, _ in self._pipes for done in ours.recv()]

    def end(self) -> None:
        for ours, _ in self._pipes:
            ours.send(None)


@pytest.fixture
def two(folder: Path) -> Iterator[Two]:
    processes = Two(folder)
    yield processes
    processes.end()


async def asked(folder: Path) -> str:
    home = open_home(folder)
    answer = await home.turn.ask(killed_worker.QUESTIONS[0], user="bo")
    await home.close()
    return answer.episode_id


async def check(folder: Path) -> None:
    """The files tell what the store holds, and what follows from the logs is what is there."""
    home = open_home(folder)
    try:
        assert home.store.pending_journal_lines() == 0
        for file in sorted((folder / "memory").rglob("*.jsonl")):
            assert all(
                isinstance(json.loads(one), dict) for one in file.read_text("utf-8").splitlines()
            )
        before = known(home)
        await home.rebuilding.rebuild(drop=True)
        assert known(home) == before
    finally:
        await home.close()


def known(home: Home) -> list[str]:
    found = home.store.memories("default", limit=None)
    return sorted(one.model_dump_json() for one in found if one.id != "night")


async def test_answers_and_nights_beside_each_other_lose_nothing(folder: Path, two: Two) -> None:
    told = two.at_once("ask", "ask")
    told += two.at_once("night", "ask", rounds=2)
    told += two.at_once("night", "night", rounds=2)
    told += two.at_once("learn", "learn")
    told += two.at_once("rebuild", "night", rounds=2)
    assert {what for what, _ in told} == {"done"}, told
    home = open_home(folder)
    ids = {id_ for _, id_ in told if id_}
    assert len(ids) == 2 * ROUNDS + 2
    assert {one.id for one in home.store.episodes("default", limit=None)} == ids
    await home.close()
    await check(folder)


async def test_what_is_said_of_one_answer_at_once_is_all_kept(folder: Path, two: Two) -> None:
    answer = await asked(folder)
    told = two.at_once("praise", "praise", answer)
    told += two.at_once("praise", "correct", answer)
    told += two.at_once("correct", "correct", answer)
    told += two.at_once("correct", "night", answer, rounds=2)
    assert {what for what, _ in told} == {"done"}, told
    home = open_home(folder)
    said = {one.id for one in home.store.feedback_on("default", answer)}
    assert said >= {id_ for _, id_ in told if id_}
    await home.close()
    await check(folder)


async def test_two_who_change_one_memory_are_told_what_became_of_it(folder: Path, two: Two) -> None:
    for number, (one, other) in enumerate(PAIRS, 3):
        name = f"rule-{number}"
        two.at_once("edit", "retire", name, rounds=1)
        told = two.at_once(one, other, name)
        assert {what for what, _ in told} <= {"done", *REFUSED}, told
        assert any(what == "done" for what, _ in told), (one, other, told)
        assert all(said.endswith((".", "`")) for what, said in told if what in REFUSED), told
        home = open_home(folder)
        versions = home.store.memory_versions("default", name)
        assert [it.version for it in versions] == list(range(1, len(versions) + 1))
        await home.close()
    await check(folder)


async def test_what_is_imported_while_others_prune_is_all_there(folder: Path, two: Two) -> None:
    told = two.at_once("bring", "prune")
    assert {what for what, _ in told} == {"done"}, told
    home = open_home(folder)
    home.reviewing.prune()
    there = {one.id for one in home.store.memories("default", limit=None)}
    for number in range(ROUNDS):
        assert {f"in{number}-{one}" for one in range(20) if one != 2} <= there
        assert f"in{number}-2" not in there
    await home.close()
    await check(folder)
