"""Looking back in the background: nobody waits for it, nothing is lost, and a model is asked where something went wrong."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
import yaml

from oldhand.bootstrap import Home, open_home
from oldhand.learning.reflection import Reflected, Reflection, Reflectors
from oldhand.loop.critique import FeedbackIntake, Said
from oldhand.loop.reflecting import RULES_SECONDS
from oldhand.record.memory import Depth, Memory, MemoryType, ReflectionPayload
from oldhand.testing import FixedClock
from oldhand.testing.scripted import ScriptedModel

QUESTION = "How many customers live in Rome?"
ROME = "SELECT COUNT(*) FROM customers WHERE city = 'Rome'"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def home(tmp_path: Path, clock: FixedClock) -> Iterator[Home]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT, closed INT)")
        connection.execute("INSERT INTO customers (city, closed) VALUES ('Rome', 0), ('Oslo', 1)")
    opened = open_home(tmp_path / "home", clock=clock)
    opened.catalog.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    yield opened
    asyncio.run(opened.close())


def reflections(home: Home) -> tuple[Memory, ...]:
    return home.store.memories("default", type=MemoryType.REFLECTION)


def payload_of(memory: Memory) -> ReflectionPayload:
    assert isinstance(memory.payload, ReflectionPayload)
    return memory.payload


async def test_every_answer_is_looked_back_on_in_the_background(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    assert reflections(home) == ()
    home.background.soon()
    home.background.wait(600)
    (memory,) = reflections(home)
    assert payload_of(memory).episode_id == answer.episode_id
    assert payload_of(memory).depth == "light"
    assert home.store.reflections.waiting("default") == 0


async def test_later_feedback_makes_a_new_version_of_the_reflection(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    await asyncio.to_thread(home.background.catch_up, 30)
    right = f"{ROME} AND closed <> 1"
    await home.critique.give(answer.episode_id, Said("default", correction=right))
    await asyncio.to_thread(home.background.catch_up, 30)

    (memory,) = reflections(home)
    assert payload_of(memory).depth == "deep"
    assert payload_of(memory).learnings.rules != ()
    assert len(home.store.memory_versions("default", memory.id)) == 2


async def test_catching_up_stops_when_its_time_is_over(home: Home) -> None:
    for _ in range(3):
        await home.turn.ask(QUESTION)
    assert len(await asyncio.to_thread(home.background.catch_up, 0)) == 1
    assert home.store.reflections.waiting("default") == 2
    assert len(await asyncio.to_thread(home.background.catch_up, 30)) == 2


class Failing:
    """A mind that breaks."""

    async def reflect(self, reflected: Reflected, depth: Depth) -> Reflection:
        raise ZeroDivisionError


async def test_what_breaks_is_tried_again_later_and_hurts_nobody(
    home: Home, clock: FixedClock
) -> None:
    await home.turn.ask(QUESTION)
    broken = replace(home.reflecting, reflectors=Reflectors(Failing()))
    assert await broken.run() == ()
    assert home.reflecting.mishaps.counts["reflection"] == 1
    assert await home.reflecting.run() == ()
    clock.advance(RULES_SECONDS + 1)
    assert len(await home.reflecting.run()) == 1


def looked_back_on_later(home: Home) -> FeedbackIntake:
    """What takes feedback, and leaves it to others to look back on the answer."""
    return replace(home.critique, distil=lambda _: ())


class AtIt:
    """A mind that does not come to an end before it is told to."""

    def __init__(self) -> None:
        self.begun = Event()
        self.may_end = Event()

    async def reflect(self, reflected: Reflected, depth: Depth) -> Reflection:
        self.begun.set()
        await asyncio.to_thread(self.may_end.wait)
        return Reflection(text="Nothing to be said.")


async def test_a_night_learns_from_what_the_background_is_still_at(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    await looked_back_on_later(home).give(
        answer.episode_id, Said("default", correction=f"{ROME} AND closed <> 1")
    )
    slow = AtIt()
    background = type(home.background)(replace(home.reflecting, reflectors=Reflectors(slow)))
    background.soon()
    assert await asyncio.to_thread(slow.begun.wait, 600)

    report = await home.night.work()

    slow.may_end.set()
    await asyncio.to_thread(background.stop)
    assert [event.what.value for event in report.told.events] == ["learned"]
    assert payload_of(reflections(home)[0]).reflection != "Nothing to be said."


class Waiting:
    """A model that takes its time."""

    def __init__(self) -> None:
        self.begun = Event()

    async def reflect(self, reflected: Reflected, depth: Depth) -> Reflection:
        self.begun.set()
        await asyncio.Event().wait()
        raise AssertionError("it was to be broken off")


async def test_closing_breaks_off_a_model_and_the_answer_waits_on(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    await looked_back_on_later(home).give(answer.episode_id, Said("default", rating=-1))
    model = Waiting()
    settings = home.settings.reflection.model_copy(update={"pause_seconds": 0.0})
    minds = Reflectors(home.reflecting.reflectors.rules, model)
    reflecting = replace(home.reflecting, reflectors=minds, settings=settings)
    background = type(home.background)(reflecting)
    background.soon()
    assert await asyncio.to_thread(model.begun.wait, 600)

    await asyncio.to_thread(background.stop)

    assert payload_of(reflections(home)[0]).depth == "deep"  # what rules found is there
    assert home.store.reflections.waiting("default") == 1
    claim = home.store.reflections.claim("default", "me", seconds=1, tries=1, models=True)
    assert claim is not None


async def test_a_model_looks_again_where_something_went_wrong_and_only_there(home: Home) -> None:
    answers = [await home.turn.ask(QUESTION) for _ in range(2)]
    await looked_back_on_later(home).give(answers[1].episode_id, Said("default", rating=-1))
    lm = ScriptedModel([{"reflection": "Closed ones count.", "rules": ["Count open ones only."]}])
    with_model = open_home(home.path, model=lm, clock=home.turn.clock)
    try:
        assert len(await with_model.reflecting.run()) == 3
    finally:
        await with_model.close()

    rules = {
        payload_of(one).episode_id: payload_of(one).learnings.rules for one in reflections(home)
    }
    assert rules == {
        answers[0].episode_id: (),
        answers[1].episode_id: ("Count open ones only.",),
    }
    assert len(lm.prompts) == 1
    assert [total.stage for total in home.store.usage_totals("default")] == ["reflect"]


@pytest.mark.parametrize(
    ("limits", "by_model"),
    [({"daily_tokens": None}, 2), ({"daily_tokens": 1}, 1), ({"models": False}, 0)],
)
async def test_models_look_back_within_their_tokens_of_a_day(
    home: Home, limits: dict[str, object], by_model: int
) -> None:
    for _ in range(2):
        answer = await home.turn.ask(QUESTION)
        await looked_back_on_later(home).give(answer.episode_id, Said("default", rating=-1))
    lm = ScriptedModel([{"reflection": "Closed ones count."}] * 3)
    (home.path / "settings.yaml").write_text(yaml.safe_dump({"reflection": limits}))
    with_model = open_home(home.path, model=lm, clock=home.turn.clock)
    try:
        await with_model.reflecting.run()
        assert len(lm.prompts) == by_model
    finally:
        await with_model.close()


async def test_looking_back_at_once_needs_no_reason(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    memory = await home.reflecting.look_back(answer.episode_id[:8])
    assert payload_of(memory).episode_id == answer.episode_id
    assert payload_of(memory).depth == "deep"
    assert reflections(home) == (memory,)
    assert home.store.reflections.waiting("default") == 0


async def test_after_closing_nothing_begins(home: Home) -> None:
    await home.turn.ask(QUESTION)
    home.background.stop()
    home.background.soon()
    home.background.wait(600)
    assert home.store.reflections.waiting("default") == 1


async def test_all_can_be_made_anew_and_is_the_same(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    await looked_back_on_later(home).give(
        answer.episode_id, Said("default", rating=-1, text="Too long.")
    )
    await home.reflecting.run()
    before = reflections(home)
    home.store.save_memories("default", (), forgotten=[one.id for one in before])

    home.store.reflections.wait_again("default", answer.episode_id)
    await home.reflecting.run()

    assert reflections(home) == before
