"""The demo of learning shows what it says, whatever the company: wrong, corrected, learned, right, set aside, wrong again."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

from oldhand.demo.course import Course, make_course
from oldhand.demo.home import DemoHome, make_home
from oldhand.demo.learning import (
    QuestionAsked,
    Scene,
    SceneBetween,
    has_learned,
    learn_on_the_job,
    questions_in,
)
from oldhand.demo.teaching import has_taught, teach_without_sql
from oldhand.face import AsyncOldhand
from oldhand.record.effect import DefaultFilter
from oldhand.record.memory import Memory
from oldhand.record.why import Cause
from oldhand.sources.databases.embedded import embedded_url

from .seeds import trials


async def scenes_of(made: DemoHome, course: Course) -> tuple[Scene, ...]:
    async with AsyncOldhand(made.path) as old:
        await asyncio.to_thread(made.register, old.databases)
        return tuple([scene async for scene in learn_on_the_job(old, course)])


@pytest.mark.parametrize("seed", [1, *trials(2, 3, 4, 5, 6, 7, 8, 9, 10)])
def test_it_learns_on_the_job_and_unlearns(seed: int, tmp_path: Path, cluster: Path):
    made = make_home(tmp_path / "home", seed, embedded_url(cluster, f"demo_learning_{seed}"))
    scenes = asyncio.run(scenes_of(made, make_course(made.company)))
    asked = questions_in(scenes)
    assert has_learned(scenes), [(one.exercise.text, one.right, one.used) for one in asked]
    assert all(one.right for one in asked[1:-1]), "what the owner corrected is in force"
    between = {one.kind: one for one in scenes if isinstance(one, SceneBetween)}
    (lesson,) = cast("tuple[Memory, ...]", between["distilled"].facts["lessons"])
    assert isinstance(lesson.effect, DefaultFilter)
    learned = next(scene for scene in asked if scene.used)
    assert {"reflection", "feedback", "episode"} <= _kinds(learned, lesson.id)
    assert asked[0].answer.episode_id in _ids(learned, lesson.id)


def test_the_command_says_so(newcomer: Path):
    command = [sys.executable, "-m", "oldhand", "demo", "--learn", "--json", "--home"]
    ran = subprocess.run(
        [*command, str(newcomer / "home")],
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [one["scene"] for one in told][:4] == ["asked", "corrected", "looked back", "distilled"]
    assert "wrong again without it" in ran.stderr


@pytest.mark.parametrize("seed", [7, *trials(1, 2)])
def test_it_is_taught_without_sql_in_four_ways(seed: int, tmp_path: Path, cluster: Path):
    made = make_home(tmp_path / "home", seed, embedded_url(cluster, f"demo_teaching_{seed}"))

    async def taught() -> list[Scene]:
        async with AsyncOldhand(made.path) as old:
            await asyncio.to_thread(made.register, old.databases)
            return [scene async for scene in teach_without_sql(old, made.company)]

    scenes = asyncio.run(taught())
    kinds = [one.kind for one in scenes[1::3] if isinstance(one, SceneBetween)]
    assert kinds == ["picked", "told", "agreed", "stated"]
    answers = [(one.exercise.text, one.right) for one in questions_in(scenes)]
    assert has_taught(scenes), answers
    assert not has_taught(scenes[:-1])
    assert not has_taught(scenes[3:])


def test_the_command_shows_each_way_of_teaching(newcomer: Path):
    command = [sys.executable, "-m", "oldhand", "demo", "--teach", "--json", "--home"]
    ran = subprocess.run(
        [*command, str(newcomer / "home")],
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = [json.loads(line)["scene"] for line in ran.stdout.splitlines()]
    assert told[1::3] == ["picked", "told", "agreed", "stated"]


def _chain(asked: QuestionAsked, lesson_id: str) -> list[Cause]:
    found = [cause for cause in asked.why.used if cause.id == lesson_id]
    for cause in found:
        found += cause.because
    return found


def _kinds(asked: QuestionAsked, lesson_id: str) -> set[str]:
    return {cause.kind for cause in _chain(asked, lesson_id)}


def _ids(asked: QuestionAsked, lesson_id: str) -> set[str]:
    return {cause.id for cause in _chain(asked, lesson_id)}
