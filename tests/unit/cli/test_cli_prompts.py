"""`oldhand prompts` and `oldhand routes`, as people see them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from shutil import copytree

import pytest
from tests.command_line import CommandLine

from oldhand.bootstrap import Home, open_home
from oldhand.cli.whole import app
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.memory import MemoryType
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import NOON, example_episode, example_feedback, example_memory

RUNNER = CommandLine()
SETTINGS = """
routing:
  models:
    - {name: granite-local, free: true, local: true, base_url: "http://localhost:9/v1"}
    - {name: claude-opus, cost: 0.03, base_url: "http://localhost:9/v1"}
night:
  enabled: false
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.yaml").write_text(SETTINGS)
    return home


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a home whose third version of a prompt is tried; tests work on copies."""
    folder = tmp_path_factory.mktemp("lived")
    (folder / "settings.yaml").write_text(SETTINGS)
    with opened(folder) as home:
        live(home)
    return folder


@pytest.fixture
def home(lived: Path, folder: Path) -> Iterator[Home]:
    copytree(lived, folder, dirs_exist_ok=True)
    with opened(folder) as home:
        yield home


@contextmanager
def opened(folder: Path) -> Iterator[Home]:
    home = open_home(folder, clock=FixedClock(), model="builtin")
    yield home
    home.store.close()
    home.catalog.close()


def live(home: Home) -> None:
    for number, state, text in ((1, "deprecated", ""), (2, "active", "- Be kind."), (3, "candidate", "- Be kind.\n- Be concise.")):  # fmt: skip
        payload = {"version": f"v{number}", "text": text, "description": f"Number [{number}]"}
        if number > 1:
            payload["supersedes"] = f"orchestrator_v{number - 1}"
        home.store.save_memory(
            example_memory(
                f"orchestrator_v{number}", MemoryType.PROMPT, user_id="default", payload=payload,
                tags=("orchestrator", state), created_at=NOON + timedelta(seconds=number), confidence=0.9,
            )
        )  # fmt: skip
    for number in range(40):
        tried = number % 2 == 0
        items = tuple(
            Recalled(kind="prompt", item_id=name, rank=1, score=1, shown=shown, chance=0.5)
            for name, shown in (("orchestrator_v3", tried), ("orchestrator_v2", not tried))
        )
        name, at = f"e{number}", NOON + timedelta(minutes=number + 1)
        home.store.record_episode(
            example_episode(name, session_id=name, created_at=at, model="claude-opus"),
            Recollection(episode_id=name, items=items),
        )
        rating = 1 if tried or number % 4 == 1 else -1
        home.store.add_feedback(
            example_feedback(f"f{number}", rating, episode_id=name, created_at=at)
        )


def said(home: Home, *words: str) -> str:
    result = RUNNER.invoke(app, [*words, "--home", str(home.path)])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_list_says_how_each_version_does(home):
    text = said(home, "prompts", "list")
    assert "on trial" in text
    assert "100.0%" in text
    assert "50.0%" in text
    assert "Number [3]" in text


def test_the_list_as_json_is_the_records_with_figures(home):
    found = json.loads(said(home, "prompts", "list", "orchestrator", "--json"))
    assert [one["id"] for one in found] == ["orchestrator_v1", "orchestrator_v2", "orchestrator_v3"]
    metrics = found[2]["payload"]["performance_metrics"]
    assert (metrics["success_rate"], metrics["episodes_used"]) == (1.0, 20)
    assert set(metrics) == {
        "success_rate", "avg_cost", "avg_latency_ms", "episodes_used", "positive_feedback", "negative_feedback",
    }  # fmt: skip


def test_a_version_is_shown_whole(home):
    text = said(home, "prompts", "show", "orchestrator_v3")
    assert "- Be concise." in text
    assert "It takes the place of orchestrator_v2." in text


def test_the_difference_of_two_versions_is_shown_as_a_patch(home):
    text = said(home, "prompts", "diff", "orchestrator_v3")
    assert "--- orchestrator_v2" in text
    assert "+ - Be concise." in text
    assert "- - Be kind." in said(home, "prompts", "diff", "orchestrator_v1", "orchestrator_v2")


def test_a_running_test_is_told_in_sentences(home):
    text = " ".join(said(home, "prompts", "ab", "orchestrator").split())
    assert "orchestrator_v3 is tried against orchestrator_v2." in text
    assert "20 answers of the test were judged" in text
    assert "of 100 answers more are right; with 95 % confidence" in text
    assert "Nothing is decided before 60 more answers are judged." in text
    found = json.loads(said(home, "prompts", "ab", "orchestrator", "--json"))
    assert found["chance"] == 0.8
    assert found["difference"]["mean"] == pytest.approx(0.5, abs=0.05)
    assert found["verdict"] == "wait"


def test_going_back_ends_the_test_and_then_uses_the_version_before(home):
    assert "orchestrator_v2 is used" in said(home, "prompts", "rollback", "orchestrator")
    to = said(home, "prompts", "rollback", "orchestrator", "--to", "orchestrator_v3")
    assert "orchestrator_v3 is used" in to


@pytest.mark.parametrize(
    "words",
    [
        ("prompts", "show", "orchestrator_v9"),
        ("prompts", "list", "poet"),
        ("prompts", "rollback", "generate_sql"),
        ("prompts", "diff", "orchestrator_v3", "no"),
    ],
)
def test_what_is_not_there_is_named(home, words):
    result = RUNNER.invoke(app, [*words, "--home", str(home.path)])
    assert result.exit_code != 0
    assert "Traceback" not in result.output


def test_routes_say_how_models_do_and_who_gets_the_next_question(home):
    found = json.loads(said(home, "routes", "--json"))
    by_model = {one["model"]: one for one in found}
    assert by_model["claude-opus"]["judged"] == 40
    assert by_model["granite-local"]["answers"] == 0
    assert sum(one["chance"] for one in found) == pytest.approx(1)
    assert "claude-opus" in said(home, "routes")


def test_the_chances_for_one_question_are_told(home):
    text = said(home, "routes", "What's 2 + 2?")
    assert "Intent calculation" in text
    assert "100.0%" in text


def test_without_models_to_choose_from_routes_say_so(home):
    (home.path / "settings.yaml").write_text("night: {enabled: false}")
    assert "one mind answers all" in said(home, "routes")
