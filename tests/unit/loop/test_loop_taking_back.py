"""What is taken back stays so whatever the clock says, and comes back as a whole when people change their minds."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.record.feedback import Said
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.receipt import Receipt
from oldhand.testing import FixedClock

HOUR, DAY = 3_600, 86_400


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
async def home(tmp_path: Path, clock: FixedClock) -> AsyncIterator[Home]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT, tier TEXT)")
        connection.execute("INSERT INTO customers VALUES (1, 'Berlin', 'A1'), (2, 'Oslo', 'B2')")
    opened = open_home(tmp_path / "home", clock=clock)
    opened.catalog.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    yield opened
    await opened.close()


async def says_right(home: Home, city: str = "Berlin", rater: str = "default") -> Receipt:
    answer = await home.turn.ask(f"How many customers live in {city}?")
    return await home.critique.give(answer.episode_id, Said(rater, rating=1))


def learned(home: Home) -> dict[str, Memory]:
    """All pairs and words that are believed."""
    found = home.store.memories("default", limit=None)
    wanted = (MemoryType.EXAMPLE, MemoryType.ISSUE, MemoryType.PREFERENCE)
    return {
        one.id: one
        for one in found
        if one.type in wanted and "retraction" not in one.tags and one.confidence > 0
    }


async def roll_back(home: Home, clock: FixedClock, seconds_ago: float) -> str:
    """Roll back; gives the id of the note."""
    home.memories.roll_back(clock.now() - timedelta(seconds=seconds_ago), None)
    return note_of(home)


def note_of(home: Home) -> str:
    return home.store.memories("default", tag="retraction", limit=1)[0].id


async def test_a_roll_back_that_is_taken_back_brings_stated_words_back(
    home: Home, clock: FixedClock
) -> None:
    clock.advance(HOUR)
    await says_right(home)
    await home.memories.define("VIPs", "shop.customers.tier = A1", "default")
    before = learned(home)
    clock.advance(HOUR)
    note = await roll_back(home, clock, HOUR + 60)
    assert learned(home) == {}
    clock.advance(HOUR)
    home.memories.forget(note)
    assert learned(home) == before
    assert home.memories.learner.rebuild().saved == ()


async def test_a_word_that_was_stated_anew_since_keeps_the_later_meaning(
    home: Home, clock: FixedClock
) -> None:
    clock.advance(HOUR)
    await home.memories.define("VIPs", "shop.customers.tier = A1", "default")
    clock.advance(60)
    note = await roll_back(home, clock, 120)
    clock.advance(60)
    await home.memories.define("VIPs", "shop.customers.tier = B2", "default")
    after = learned(home)
    home.memories.forget(note)
    stated = {one.effect.target for one in learned(home).values() if one.effect is not None}
    assert "shop.customers.tier = 'B2'" in stated
    assert after.keys() <= learned(home).keys()


async def test_a_word_that_the_roll_back_revived_goes_again(home: Home, clock: FixedClock) -> None:
    word = await home.memories.define("VIPs", "shop.customers.tier = A1", "default")
    clock.advance(HOUR)
    home.memories.forget(word.id)
    assert learned(home) == {}
    clock.advance(HOUR)
    note = await roll_back(home, clock, HOUR + 60)
    assert [one.id for one in learned(home).values()] == [word.id]
    home.memories.forget(note)
    assert learned(home) == {}


async def test_what_was_imported_comes_back_too(home: Home, clock: FixedClock) -> None:
    clock.advance(HOUR)
    await says_right(home)
    (pair,) = learned(home).values()
    source = pair.provenance.model_copy(update={"episode_ids": ("elsewhere",)})
    home.store.save_memory(pair.model_copy(update={"id": "example-2", "provenance": source}))
    before = learned(home)
    clock.advance(60)
    note = await roll_back(home, clock, 120)
    assert learned(home) == {}
    home.memories.forget(note)
    assert learned(home) == before


@pytest.mark.parametrize("jump", [-DAY, DAY])
async def test_people_can_teach_after_a_roll_back_whatever_the_clock_says(
    home: Home, clock: FixedClock, jump: float
) -> None:
    clock.advance(DAY)
    said = await says_right(home)
    home.memories.roll_back(None, said.id)
    assert learned(home) == {}
    clock.advance(jump)
    await says_right(home, rater="default")
    (pair,) = learned(home).values()
    assert pair.type is MemoryType.EXAMPLE


async def test_what_is_said_after_forgetting_counts_though_the_clock_went_back(
    home: Home, clock: FixedClock
) -> None:
    clock.advance(DAY)
    await says_right(home)
    (pair,) = learned(home)
    home.memories.forget(pair)
    assert learned(home) == {}
    clock.advance(-HOUR)
    await says_right(home)
    assert list(learned(home)) == [pair]


async def test_what_was_said_before_a_roll_back_does_not_count_though_its_date_is_later(
    home: Home, clock: FixedClock
) -> None:
    clock.advance(DAY)
    said = await says_right(home)
    clock.advance(DAY)
    await says_right(home, "Oslo")
    clock.advance(-DAY)
    home.memories.roll_back(None, said.id)
    home.memories.learner.rebuild()
    assert learned(home) == {}


async def test_a_clock_that_jumps_changes_nothing_that_is_learned(
    home: Home, clock: FixedClock
) -> None:
    clock.advance(DAY)
    first = await says_right(home)
    clock.advance(-HOUR)
    second = await says_right(home)
    (pair,) = learned(home).values()
    assert pair.created_at == first.created_at > second.created_at
