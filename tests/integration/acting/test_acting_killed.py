"""A process that is killed in the middle of a tool call, and another one that goes on."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from oldhand.record.step import AgentState

PROGRAM = Path(__file__).with_name("interrupted_program.py")


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_after_a_kill_nothing_is_lost_and_nothing_is_done_twice(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
):
    log = tmp_path / "log.txt"
    on_disk = f"sqlite:///{tmp_path}/store.db"
    url = on_disk if kind == "sqlite" else request.getfixturevalue("postgres_url")
    command = [sys.executable, str(PROGRAM), url, str(log)]

    with subprocess.Popen([*command, "begin"], stdout=subprocess.PIPE, text=True) as begun:
        assert begun.stdout is not None
        assert begun.stdout.readline() == "under way\n"
        begun.send_signal(signal.SIGKILL)
    assert begun.returncode == -signal.SIGKILL
    assert sorted(log.read_text().splitlines()) == ["looked at bill", "paid Ana", "watched"]

    resumed = subprocess.run([*command, "resume"], capture_output=True, text=True, check=False)
    assert resumed.returncode == 0, resumed.stderr
    state = AgentState.model_validate_json(resumed.stdout)
    assert state.outcome == "answered"
    assert state.steps[0].observation.text == "looked at bill"
    paid, watched = state.steps[1].observations
    assert paid.is_error
    assert "not known whether pay was carried out" in paid.text
    assert watched.text == "all is well"
    assert state.usage.requests == 3
    lines = log.read_text().splitlines()
    assert (lines.count("paid Ana"), lines.count("looked at bill"), lines.count("watched")) == (
        1,
        1,
        2,
    )
