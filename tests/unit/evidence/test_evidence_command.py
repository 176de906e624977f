"""`oldhand evidence`, as people see it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from shutil import copytree
from xml.etree import ElementTree as ET

import pytest
from tests.command_line import CommandLine

from oldhand.bootstrap import Home, open_home
from oldhand.cli.whole import app
from oldhand.learning.lifecycle.quarantine import set_aside
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.feedback import Source
from oldhand.record.memory import MemoryType, Provenance
from oldhand.record.stage import DISTILLED, Stage
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import example_episode, example_feedback, example_memory

RUNNER = CommandLine()


@contextmanager
def opened(folder: Path) -> Iterator[Home]:
    home = open_home(folder, clock=FixedClock())
    yield home
    home.store.close()
    home.catalog.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.yaml").write_text("trial:\n  horizon: 100\n")
    return home


@pytest.fixture
def home(folder: Path) -> Iterator[Home]:
    with opened(folder) as home:
        yield home


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a home with a harmful lesson, `rule-bad`, and a new one; tests work on copies."""
    folder = tmp_path_factory.mktemp("lived")
    with opened(folder) as home:
        live(home)
    return folder


@pytest.fixture
def tried(lived: Path, folder: Path) -> Iterator[Home]:
    """A home with a harmful lesson, `rule-bad`, and a new one."""
    copytree(lived, folder, dirs_exist_ok=True)
    with opened(folder) as home:
        yield home


def live(home: Home) -> None:
    """Ask 120 questions with and without the harmful lesson, and let people rate the answers."""
    says = {"rule-bad": "Count cancelled orders <too>", "rule-new": "Round to cents"}
    for name, rule in says.items():
        memory = example_memory(
            name,
            MemoryType.SEMANTIC,
            user_id="default",
            summary=rule,
            payload={"rule": rule},
            provenance={"source": "execution"},
        )
        home.store.save_memory(memory)
    random = Random(2)
    for number in range(120):
        name, shown = f"e{number}", random.random() < 0.5
        items = (
            Recalled(kind="memory", item_id="rule-bad", rank=1, score=1, shown=shown, chance=0.5),
        )
        home.store.record_episode(
            example_episode(name, session_id=name), Recollection(episode_id=name, items=items)
        )
        rating = 1 if random.random() < 0.8 - 0.6 * shown else -1
        home.store.add_feedback(example_feedback(f"f{number}", rating, episode_id=name))


def said(folder: Path, *arguments: str) -> str:
    done = RUNNER.invoke(app, ["evidence", *arguments, "--home", str(folder)])
    assert done.exit_code == 0, done.output
    return done.output


def test_without_trials_it_says_what_would_start_one(home, folder):
    output = said(folder)
    assert "No lesson has been on trial yet" in output
    assert "50%" in output
    assert json.loads(said(folder, "--json")) == []


def test_the_table_shows_the_effect_and_what_follows(tried, folder):
    output = said(folder)
    assert "rule-bad" in output
    assert "harms: retire" in output
    assert "1 to be decided" in output


def test_one_lesson_is_told_in_sentences(tried, folder):
    output = said(folder, "rule-b")
    assert "of them were right, without it" in output
    assert "with 95 % confidence" in output
    assert "Leaving it out has cost -" in output
    assert "retired the next night" in output


def test_deciding_retires_the_harmful_one_once(tried, folder):
    assert "Retired rule-bad: -" in said(folder, "--decide")
    assert "retired" in tried.store.memory("default", "rule-bad").tags
    assert "Nothing is decided" in said(folder, "--decide")


def test_the_numbers_come_as_json(tried, folder):
    (known,) = json.loads(said(folder, "--json"))
    assert known["lesson_id"] == "rule-bad"
    assert known["shown"] + known["held_out"] == 120
    assert known["effect"]["low"] < known["effect"]["mean"] < known["effect"]["high"] < 0
    assert known["decision"] == "retire"


@pytest.mark.parametrize("arguments", [(), ("rule-bad",), ("rule-new",)])
def test_the_plot_is_a_picture_whatever_a_lesson_says(tried, folder, tmp_path, arguments):
    file = tmp_path / "effects.svg"
    assert "Drawn:" in said(folder, *arguments, "--plot", str(file))
    assert ET.parse(file).getroot().tag.endswith("svg")


def test_lessons_that_wait_or_were_never_tried_are_listed(home, folder):
    found = Provenance(source=Source.EVALUATOR)
    idle = example_memory("rule-idle", MemoryType.SEMANTIC, provenance=found, tags=(DISTILLED, Stage.CANDIDATE))  # fmt: skip
    waits = example_memory("rule-waits", MemoryType.SEMANTIC)
    home.store.save_memory(idle)
    home.store.save_memory(set_aside(waits, "It would break an answer."))
    output = said(folder)
    assert "rule-idle" in output
    assert "never tried" in output
    assert "rule-waits" in output
    assert "It would break an answer." in output
    first = said(folder, "--limit", "1")
    assert "rule-waits" in first
    assert "rule-idle" not in first
    assert "And 1 more: --limit 10 shows more of them." in " ".join(first.split())


def test_a_plot_of_another_kind_is_refused(home, folder, tmp_path):
    done = RUNNER.invoke(
        app, ["evidence", "--plot", str(tmp_path / "p.png"), "--home", str(folder)]
    )
    assert done.exit_code != 0
    assert not (tmp_path / "p.png").exists()
