"""The night, as a home does it; started twice, killed in the middle, and caught up on."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from benchmarks._reflections import example_proposal, example_reflection

from oldhand.bootstrap import Home, open_home
from oldhand.learning.distillation.report import Happening
from oldhand.loop.night import NightReport
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import Stage, stage_of
from oldhand.settings import NightSettings
from oldhand.store import Store
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import NOON, example_episode, example_memory

PROGRAM = Path(__file__).with_name("night_program.py")
DAY = 86_400.0


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def home(tmp_path: Path, clock: FixedClock) -> Iterator[Home]:
    opened = open_home(tmp_path / "home", clock=clock)
    yield opened
    asyncio.run(opened.close())


def night(home: Home) -> NightReport:
    return asyncio.run(home.night.work())


def save_reflections(store: Store, number: int, rules: int = 10) -> None:
    store.save_memories(
        "default",
        [
            example_reflection(
                f"e{n}", example_proposal(f"Look at table_{n % rules} first", f"e{n}"), minutes=n
            )
            for n in range(number)
        ],
    )


def lessons(store: Store) -> tuple[Memory, ...]:
    return store.memories("default", type=MemoryType.SEMANTIC, limit=None)


def test_a_night_learns_and_says_what(home):
    save_reflections(home.store, 30)
    report = night(home)
    assert report.finished
    assert report.told.counts == {Happening.LEARNED: 10}
    assert len(lessons(home.store)) == 10
    assert not home.due_nights.is_due()


def test_a_night_with_nothing_to_do_changes_nothing(home):
    save_reflections(home.store, 30)
    night(home)
    before = lessons(home.store)
    again = night(home)
    assert not again.told.changed
    assert lessons(home.store) == before


def test_a_night_is_due_once_a_day_from_its_hour_on(home, clock):
    assert not home.due_nights.is_due()
    save_reflections(home.store, 1)
    assert not home.due_nights.is_due()
    clock.advance(DAY)
    assert home.due_nights.is_due()
    night(home)
    assert not home.due_nights.is_due()
    clock.advance(2 * DAY)
    assert home.due_nights.is_due()


def test_a_clock_that_ran_ahead_does_not_keep_nights_away(home, clock):
    save_reflections(home.store, 1)
    clock.advance(400 * DAY)
    night(home)
    clock.advance(-399 * DAY)
    assert home.due_nights.is_due()


def test_nights_can_be_switched_off(home, clock):
    save_reflections(home.store, 1)
    clock.advance(DAY)
    off = replace(home.due_nights, settings=NightSettings(enabled=False))
    assert not off.is_due()
    asyncio.run(off.catch_up())
    assert home.due_nights.is_due()


def test_a_night_that_was_missed_is_caught_up_by_the_next_command(tmp_path, clock):
    async def one_command() -> None:
        opened = open_home(tmp_path / "home", clock=clock)
        await opened.close()

    opened = open_home(tmp_path / "home", clock=clock)
    save_reflections(opened.store, 3)
    asyncio.run(opened.close())
    clock.advance(DAY)
    asyncio.run(one_command())
    opened = open_home(tmp_path / "home", clock=clock)
    assert len(lessons(opened.store)) == 3
    assert not opened.due_nights.is_due()
    asyncio.run(opened.close())


def test_without_time_the_rest_waits_for_the_next_time(home, clock):
    save_reflections(home.store, 3)
    report = asyncio.run(home.night.work(seconds=0))
    assert not report.finished
    clock.advance(DAY)
    assert home.due_nights.is_due()
    assert night(home).finished


def test_a_dry_run_changes_nothing(home):
    save_reflections(home.store, 3)
    expired = example_memory("old", MemoryType.SEMANTIC, confidence=0.1, created_at=NOON - timedelta(days=40))  # fmt: skip
    home.store.save_memory(expired)
    report = asyncio.run(home.night.rehearse())
    assert report.told.counts == {Happening.LEARNED: 3, Happening.ERASED: 1}
    assert [one.id for one in lessons(home.store)] == ["old"]


def test_what_has_served_its_time_goes_and_the_answers_stay(home, clock):
    home.store.record_episode(example_episode("e-old"))
    clock.advance(91 * DAY)
    report = night(home)
    assert [one.lesson_id for one in report.told.of(Happening.ERASED)] == ["e-old"]
    assert home.store.memories("default", type=MemoryType.EPISODIC) == ()
    assert home.store.episode("default", "e-old").answer.text


def test_many_similar_answers_become_one_summary(home, clock):
    cities = ("Berlin", "Paris", "Rome", "Oslo")
    for number in range(24):
        question = f"How many customers live in {cities[number % 4]}?"
        home.store.record_episode(
            example_episode(f"e{number}", question=question, user_id="default")
        )
    report = night(home)
    assert report.told.counts[Happening.SUMMARISED] == 1
    (summary,) = lessons(home.store)
    assert "customer" in summary.payload.rule
    assert len(summary.provenance.episode_ids) == 24
    assert len(home.store.episodes("default")) == 24
    assert not night(home).told.changed


def test_summaries_of_what_only_strangers_ask_wait(home):
    for number in range(24):
        home.store.record_episode(example_episode(f"e{number}", user_id="mallory"))
    night(home)
    (summary,) = lessons(home.store)
    assert stage_of(summary) is Stage.QUARANTINED


def start(url: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(PROGRAM), url, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)


@pytest.mark.parametrize("kind", ["sqlite_url", "postgres_url"])
def test_two_nights_that_are_started_at_once_are_one(kind, request, tmp_path):
    url = request.getfixturevalue(kind)
    with Store.open(url, clock=FixedClock(NOON)) as store:
        save_reflections(store, 40)
        first = start(url, "hold")
        assert first.stdout.readline() == "at work\n"
        second = start(url, "once")
        assert second.communicate(timeout=600)[0] == "busy\n"
        out, _ = first.communicate("go on\n", timeout=600)
        assert out == "done\n"
        assert len(lessons(store)) == 10


@pytest.mark.parametrize("kind", ["sqlite_url", "postgres_url"])
def test_a_night_that_was_killed_loses_nothing_and_goes_on(kind, request):
    url = request.getfixturevalue(kind)
    with Store.open(url, clock=FixedClock(NOON)) as store:
        save_reflections(store, 40)
        killed = start(url, "hold")
        assert killed.stdout.readline() == "at work\n"
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait(timeout=600)
        after = start(url, "once")
        assert after.communicate(timeout=600)[0] == "done\n"
        found = lessons(store)
        assert sorted(len(one.provenance.episode_ids) for one in found) == [4] * 10
        assert {e for one in found for e in one.provenance.episode_ids} == {f"e{n}" for n in range(40)}  # fmt: skip


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/oldhand.db"
