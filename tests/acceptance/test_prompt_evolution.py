"""A prompt evolves from feedback: users find answers too verbose, a variant is tried, and takes the place of the old one.

From the log to the next prompt, offline: the model is one whose answer depends on its prompt, the users are drawn.
"""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.homes import with_turn

from oldhand.bootstrap import Home, open_home
from oldhand.errors import ModelUnavailable
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.feedback import Said, Source
from oldhand.record.memory import Memory, MemoryType, PromptPayload, Provenance
from oldhand.testing import ScriptedModel
from oldhand.testing.clock import FixedClock
from oldhand.testing.prompts import Prompt
from oldhand.testing.scripted import Scripted

TEXT = "You are Kai, an LLM orchestrator. Before executing code, verify: no unsafe operations."
SHORT = "Two."
LONG = "Having looked at all of the customers in the shop, I have found that there are two of them."
LIKED = {SHORT: 0.95, LONG: 0.2}
"""How often users are content with an answer of either kind."""


def react(prompt: Prompt) -> Scripted:
    match prompt.stage:
        case "validate":
            return {"verdict": "answerable", "databases": ["shop"]}
        case "plan":
            return {"steps": [{"number": 1, "purpose": "count them", "database": "shop"}]}
        case "generate_sql":
            return {"sql": "SELECT COUNT(*) AS n FROM customers"}
        case "summarise":
            return {"text": SHORT if "be concise" in prompt.text.casefold() else LONG}
        case _:
            return ModelUnavailable("It answers questions only, so that rules reflect.")


def version(number: int, text: str, *, confidence: float) -> Memory:
    return Memory(
        type=MemoryType.PROMPT,
        id=f"orchestrator_v{number}",
        created_at=FixedClock().now(),
        confidence=confidence,
        tags=("orchestrator", "active" if number == 2 else "deprecated"),
        provenance=Provenance(source=Source.OWNER),
        payload=PromptPayload(version=f"v{number}", text=text),
    )


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(react)


@pytest.fixture
def home(tmp_path: Path, model: ScriptedModel) -> Iterator[Home]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers (city) VALUES ('Berlin'), ('Oslo')")
        connection.commit()
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "settings.yaml").write_text("prompts: {episodes: 30, most_episodes: 100}")
    opened = open_home(tmp_path / "home", model=model)
    opened.catalog.add(f"sqlite:///{tmp_path}/shop.db", name="shop")
    opened.people.name(owner="ana", experts=tuple(f"user{number}" for number in range(5)))
    opened.store.save_memories(
        DEFAULT_CLONE, [version(1, "Be fast.", confidence=0.7), version(2, TEXT, confidence=0.9)]
    )
    yield opened
    asyncio.run(opened.close())


async def conversation(
    home: Home, number: int, *, content: bool, tags: tuple[str, ...] = ()
) -> str:
    """A question, its answer, and what the user says of it."""
    user = f"user{number % 5}"
    answer = await home.turn.ask(f"How many customers are there, take {number}?", user=user)
    said = Said(user, 1 if content else -1, tags=tags)
    await home.critique.give(answer.episode_id, said)
    return answer.text


async def live(home: Home, users: Random) -> int:
    """Ask and vote until the test is decided; gives how many answers that took."""
    for number in range(1_000):
        answer = await home.turn.ask(f"How many customers are there, day {number}?", user="user1")
        content = users.random() < LIKED[answer.text]
        await home.critique.give(answer.episode_id, Said("user1", 1 if content else -1))
        if number % 10 == 9 and home.night.evolving.evolve().promoted:
            return number + 1
    pytest.fail("It was never decided.")


def test_a_variant_that_users_like_better_takes_the_place_of_the_prompt(home, model):
    async def whole() -> int:
        # Log: 15 answers that users find too verbose.
        for number in range(15):
            assert await conversation(home, number, content=False, tags=("too-verbose",)) == LONG
        # Reflect and distil: each answer is looked back on, and all suggest the same.
        await home.night.work()
        (variant,) = [
            one for one in home.night.evolving.shelf.versions("orchestrator") if one.number == 3
        ]
        assert variant.id == "orchestrator_v3_concise"
        assert variant.payload.supersedes == "orchestrator_v2"
        assert variant.payload.text == f"{TEXT}\n- Be concise unless asked to elaborate."
        assert len(variant.memory.provenance.episode_ids) == 15
        # A/B test: each answer is made with either of the two, by a chance that is put on record.
        return await live(replace_random(home, 7), Random(11))

    answers = asyncio.run(whole())
    assert 30 <= answers <= 120
    old, new = home.night.evolving.shelf.versions("orchestrator")[1:]
    assert "deprecated" in old.memory.tags
    assert old.payload.model_extra == {"superseded_by": "orchestrator_v3_concise"}
    assert "active" in new.memory.tags
    metrics = [home.night.evolving.shelf.metrics(one.id) for one in (old, new)]
    assert metrics[1].success_rate > metrics[0].success_rate
    assert sum(one.episodes_used for one in metrics) == 15 + answers
    # Adapt: from now on every prompt says it.
    answer = asyncio.run(home.turn.ask("How many customers are there?"))
    assert answer.text == SHORT
    assert "Be concise unless asked to elaborate." in model.prompts[-1].text


def replace_random(home: Home, seed: int) -> Home:
    prompting = replace(home.turn.prompting, random=Random(seed))
    return with_turn(home, replace(home.turn, prompting=prompting))
