"""Unfinished runs of agents, when somebody is erased."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.cli.people import shown
from oldhand.record.episode import Recalled
from oldhand.record.lesson import Lesson
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.step import AgentState, Checkpoint
from oldhand.testing.records import example_episode, example_memory


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    opened = open_home(tmp_path / "home")
    yield opened
    asyncio.run(opened.close())


def keep(home: Home, run_id: str, user: str | None, *known: Memory) -> None:
    """Let a run be unfinished that began with these memories."""
    recalled = tuple(
        Recalled(
            kind="prompt" if one.type is MemoryType.PROMPT else "memory",
            item_id=one.id, rank=rank, score=1.0, shown=True, chance=1.0,
        )
        for rank, one in enumerate(known, 1)
    )  # fmt: skip
    lessons = tuple(Lesson(memory=one) for one in known if one.type is not MemoryType.PROMPT)
    told = {"use_tools": "- As Bo said."} if len(lessons) < len(known) else {}
    state = AgentState(run_id=run_id, query="Pay")
    checkpoint = Checkpoint(state=state, lessons=lessons, recalled=recalled, instructions=told)
    home.store.checkpoints("default", user).begin(checkpoint)


async def erase(home: Home, user: str) -> str:
    planned = await home.erasing.plan(user)
    done = await home.erasing.erase(user)
    assert (done.runs, done.runs_of_nobody) == (planned.runs, planned.runs_of_nobody)
    return shown(done)


async def test_the_runs_of_others_stay(home: Home) -> None:
    keep(home, "of-bo", "bo")
    keep(home, "of-cy", "cy")
    assert "1 runs," in await erase(home, "bo")
    assert home.store.checkpoints("default").unfinished() == ("of-cy",)


async def test_an_old_run_is_of_those_who_got_its_answer(home: Home) -> None:
    for user in ("bo", "cy"):
        keep(home, f"of-{user}", None)
        episode = example_episode(f"e-{user}", user_id=user, session_id=f"of-{user}")
        home.store.record_episode(episode)
    assert "1 runs," in await erase(home, "bo")
    assert home.store.checkpoints("default").unfinished() == ("of-cy",)


async def test_that_a_run_goes_of_which_nobody_knows_whose_it_is_is_said(home: Home) -> None:
    keep(home, "of-bo", "bo")
    keep(home, "of-nobody", None)
    assert "2 runs (1 of nobody knows whom)" in await erase(home, "bo")
    assert home.store.checkpoints("default").unfinished() == ()


async def test_runs_of_others_go_on_without_what_the_user_taught(home: Home) -> None:
    bo, cy = (
        example_memory(
            f"rule-{user}", MemoryType.SEMANTIC, user_id="default",
            provenance={"source": "expert", "rater": user, "episode_ids": []},
        )
        for user in ("bo", "cy")
    )  # fmt: skip
    prompt = example_memory(
        "use_tools_v2", MemoryType.PROMPT, tags=("use_tools",), user_id="default",
        provenance={"source": "expert", "rater": "bo"},
    )  # fmt: skip
    home.store.save_memories("default", [bo, cy, prompt])
    keep(home, "of-cy", "cy", bo, cy, prompt)
    keep(home, "other", "cy", cy)
    await erase(home, "bo")
    checkpoints = home.store.checkpoints("default")
    kept, other = checkpoints.load("of-cy"), checkpoints.load("other")
    assert kept is not None
    assert other is not None
    assert [one.id for one in kept.lessons] == ["rule-cy"]
    assert [one.item_id for one in kept.recalled] == ["rule-cy"]
    assert kept.instructions == {}
    assert [one.id for one in other.lessons] == ["rule-cy"]
