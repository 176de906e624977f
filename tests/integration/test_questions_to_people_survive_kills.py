"""Processes that ask people and take their replies are killed at any moment; `python -m benchmarks ledger_kills` does so longer."""

import asyncio
import os
from pathlib import Path

from benchmarks.ledger_kills import faults, killed, prepared

KILLS = int(os.environ.get("OLDHAND_TEST_KILLS", "4"))


def test_each_question_ends_once_and_nothing_is_lost(tmp_path: Path) -> None:
    home = prepared(tmp_path / "home")
    trial = killed(home, KILLS)
    states, wrong = asyncio.run(faults(home, trial))
    assert trial.asked
    assert states.total() >= len(trial.asked)
    assert wrong == []
