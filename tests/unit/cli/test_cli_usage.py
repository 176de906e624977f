"""`oldhand usage`, as people and programs see it."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from tests.command_line import CommandLine

from oldhand.bootstrap import open_home
from oldhand.cli.whole import app
from oldhand.record.usage import LedgerEntry, Usage
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import NOON, example_episode

RUNNER = CommandLine()


def call(stage: str, tokens: int, cached: int, days: int) -> LedgerEntry:
    used = Usage(
        requests=1, input_tokens=tokens, cached_tokens=cached, output_tokens=10, cost=0.0125
    )
    at = NOON + timedelta(days=days)
    return LedgerEntry(stage=stage, model="openai:gpt-4o", usage=used, seconds=1.5, at=at)


@pytest.fixture
async def home(tmp_path: Path) -> Path:
    opened = open_home(tmp_path / "home", clock=FixedClock(), model="builtin")
    calls = (call("plan", 1000, 0, 0), call("plan", 1000, 800, 1), call("generate_sql", 500, 0, 1))
    opened.store.record_episode(example_episode("e1", ledger=calls))
    await opened.close()
    return tmp_path / "home"


def said(home: Path, *words: str) -> str:
    done = RUNNER.invoke(app, ["usage", *words, "--home", str(home)], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_tokens_money_and_seconds_by_day_model_and_stage(home: Path) -> None:
    lines = [line.split() for line in said(home).splitlines() if "openai" in line or "all" in line]
    first, later = f"{NOON.date()}", f"{NOON.date() + timedelta(days=1)}"
    model = "openai:gpt-4o"
    assert lines == [
        [first, model, "plan", "1", "1,000", "0%", "10", "0.0125", "1.5"],
        [later, model, "generate_sql", "1", "500", "0%", "10", "0.0125", "1.5"],
        [later, model, "plan", "1", "1,000", "80%", "10", "0.0125", "1.5"],
        ["all", "3", "2,500", "32%", "30", "0.0375", "4.5"],
    ]


def test_from_a_day_on_and_for_programs(home: Path) -> None:
    later = f"{NOON.date() + timedelta(days=1)}"
    found = [json.loads(line) for line in said(home, "--since", later, "--json").splitlines()]
    assert [one["stage"] for one in found] == ["generate_sql", "plan"]
    assert found[1]["usage"]["cached_tokens"] == 800
    assert found[1]["day"] == later


def test_a_day_that_is_none_is_told_how_to_write(home: Path) -> None:
    done = RUNNER.invoke(app, ["usage", "--since", "tomorrow", "--home", str(home)])
    assert done.exit_code == 2
    assert "'tomorrow' is no day: write it as 20" in done.output
    assert "%Y" not in done.output


def test_nothing_was_asked(home: Path) -> None:
    assert said(home, "--since", "2099-01-01") == "No language model was asked in this time.\n"
