"""What happens to feedback and turns when learning or recalling fails, is interrupted, or is done twice at once."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.errors import UsageError
from oldhand.learning.wording import Wording
from oldhand.record.answer import Outcome
from oldhand.record.evidence import Pair
from oldhand.record.feedback import Said
from oldhand.record.memory import ExamplePayload, Memory, MemoryType
from oldhand.store import Store, sqlite_url
from oldhand.testing import FixedClock

QUESTION = "How many customers live in Berlin?"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
async def home(folder: Path, clock: FixedClock) -> AsyncIterator[Home]:
    opened = open_home(folder / "home", clock=clock)
    opened.catalog.add(f"sqlite:///{folder / 'shop.db'}", name="shop")
    yield opened
    await opened.close()


def examples(home: Home) -> tuple[Memory, ...]:
    return home.store.memories("default", type=MemoryType.EXAMPLE)


def fails(_: Pair, /) -> Sequence[object]:
    raise RuntimeError("no words today")


async def test_learning_that_fails_loses_no_feedback_and_says_so(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    wording = Wording("default", home.store, fails, lambda *_: True)
    broken = replace(home.critique, learner=replace(home.critique.learner, wording=wording))
    receipt = await broken.give(answer.episode_id, Said("default", rating=1))
    assert "kept, but learning from it failed: RuntimeError: no words today" in receipt.note
    assert home.store.feedback_on("default", answer.episode_id) == (receipt.feedback,)
    assert home.critique.mishaps.counts["learning"] == 1
    assert examples(home) == ()
    home.memories.learner.rebuild()
    assert len(examples(home)) == 1


async def test_a_recall_that_fails_breaks_no_turn(
    home: Home, folder: Path, clock: FixedClock
) -> None:
    with Store.open(sqlite_url(folder / "broken.db"), clock=clock) as broken:
        with closing(sqlite3.connect(folder / "broken.db")) as connection, connection:
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'search%'"
            ).fetchall():
                connection.execute(f"DROP TABLE IF EXISTS {name}")
        recalling = replace(home.turn.recalling, ground=replace(home, store=broken))
        turn = replace(home.turn, recalling=recalling)
        answer = await turn.ask(QUESTION)
    assert answer.outcome is Outcome.ANSWERED
    assert home.turn.recalling.mishaps.counts["recall"] == 1
    recollection = home.store.recollection("default", answer.episode_id)
    assert recollection is not None
    assert recollection.items == ()


async def test_what_was_recalled_is_recorded_with_whether_it_was_used(home: Home) -> None:
    first = await home.turn.ask(QUESTION)
    await home.critique.give(first.episode_id, Said("default", rating=1))
    again = await home.turn.ask(QUESTION)
    recollection = home.store.recollection("default", again.episode_id)
    assert recollection is not None
    (item,) = recollection.items
    (example,) = examples(home)
    assert (item.item_id, item.rank, item.shown, item.chance) == (example.id, 1, True, 1.0)
    assert item.used is (example.id in again.lessons)


async def test_memories_about_databases_that_are_not_asked_are_left_out(
    home: Home, folder: Path
) -> None:
    home.catalog.add(f"sqlite:///{folder / 'shop.db'}", name="twin")
    first = await home.turn.ask(QUESTION, databases=["shop"])
    await home.critique.give(first.episode_id, Said("default", rating=1))
    other = await home.turn.ask(QUESTION, databases=["twin"])
    recollection = home.store.recollection("default", other.episode_id)
    assert recollection is not None
    assert recollection.items == ()


async def test_learning_again_changes_nothing(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    receipt = await home.critique.give(answer.episode_id, Said("default", rating=1))
    again = home.critique.learner.learn(receipt.feedback)
    assert again.saved == again.withdrawn == ()
    (example,) = examples(home)
    assert len(home.store.memory_versions("default", example.id)) == 1


async def test_the_next_feedback_makes_up_for_an_interrupted_one(
    home: Home, clock: FixedClock
) -> None:
    answer = await home.turn.ask(QUESTION)
    await home.critique.give(answer.episode_id, Said("default", text="Let me think."))
    given = home.store.feedback_on("default", answer.episode_id)[0]
    lost = given.model_copy(update={"id": "lost", "rating": 1, "text": None})
    home.store.add_feedback(lost)  # and then the process died
    assert examples(home) == ()
    clock.advance(60)
    await home.critique.give(answer.episode_id, Said("default", text="Yes."))
    (example,) = examples(home)
    assert isinstance(example.payload, ExamplePayload)
    assert example.payload.evidence == ("lost",)


async def test_pinned_memories_stay_as_they_are(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    await home.critique.give(answer.episode_id, Said("default", rating=1))
    (example,) = examples(home)
    pinned = example.model_copy(update={"tags": (*example.tags, "pinned")})
    home.store.save_memory(pinned)
    await home.critique.give(answer.episode_id, Said("default", rating=-1))
    assert examples(home) == (pinned,)


async def test_a_pair_from_another_home_stays_until_somebody_speaks_of_it_here(
    home: Home, clock: FixedClock
) -> None:
    answer = await home.turn.ask(QUESTION)
    await home.critique.give(answer.episode_id, Said("default", rating=1))
    (example,) = examples(home)
    source = example.provenance.model_copy(update={"episode_ids": ("elsewhere",)})
    foreign = example.model_copy(update={"id": "example-elsewhere", "provenance": source})
    home.store.save_memory(foreign)
    clock.advance(60)
    await home.critique.give(answer.episode_id, Said("default", rating=0))
    home.memories.learner.rebuild()
    assert examples(home) == (foreign,)


async def test_a_moment_that_has_not_come_yet_is_no_way_back(home: Home, clock: FixedClock) -> None:
    with pytest.raises(UsageError, match="not come yet"):
        home.memories.roll_back(clock.now() + timedelta(seconds=1), None)


PROGRAM = """
import asyncio, os, signal, sys
from dataclasses import replace
from oldhand.bootstrap import open_home
from oldhand.learning.wording import Wording
from oldhand.record.feedback import Said

def dies(_):
    os.kill(os.getpid(), signal.SIGKILL)

async def main(folder, how, episode_ids):
    home = open_home(folder)
    critique = home.critique
    if how == "dies":
        wording = Wording("default", home.store, dies, lambda *_: True)
        critique = replace(critique, learner=replace(critique.learner, wording=wording))
    sys.stdin.readline()
    for one in episode_ids:
        await critique.give(one, Said("default", rating=1))
    await home.close()

asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
"""


def started(home: Home, how: str, *episode_ids: str) -> "subprocess.Popen[str]":
    arguments = [sys.executable, "-c", PROGRAM, str(home.path), how, *episode_ids]
    return subprocess.Popen(arguments, stdin=subprocess.PIPE, text=True, env={**os.environ})


async def test_feedback_outlives_a_process_that_is_killed_while_it_learns(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    dying = started(home, "dies", answer.episode_id)
    dying.communicate("go\n")
    assert dying.returncode == -signal.SIGKILL
    assert len(home.store.feedback_on("default", answer.episode_id)) == 1
    assert examples(home) == ()
    home.memories.learner.rebuild()
    assert len(examples(home)) == 1


async def test_processes_that_learn_at_once_lose_no_evidence(home: Home) -> None:
    asked = [await home.turn.ask(QUESTION) for _ in range(8)]
    ids = [answer.episode_id for answer in asked]
    both = [started(home, "lives", *ids[:4]), started(home, "lives", *ids[4:])]
    for process in both:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in both:
        process.communicate()
        assert process.returncode == 0
    (example,) = examples(home)
    assert isinstance(example.payload, ExamplePayload)
    assert len(example.payload.evidence) == 8
    rebuilt = home.memories.learner.rebuild()
    assert rebuilt.saved == rebuilt.withdrawn == ()
