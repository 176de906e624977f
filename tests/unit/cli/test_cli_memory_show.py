"""What `oldhand memory show` tells of a lesson that was distilled."""

from pathlib import Path

from oldhand.cli.learned import memory_lines, said_for
from oldhand.loop.memories import Remembered
from oldhand.record.memory import MemoryType
from oldhand.record.stage import state_of
from oldhand.store import Store
from oldhand.testing import FixedClock
from oldhand.testing.records import example_memory

WHY = "episode-1: Cancelled orders were counted."


def test_a_rule_shows_what_was_found_in_the_answers_that_it_comes_from(tmp_path: Path) -> None:
    payload = {"rule": "Leave out cancelled orders.", "evidence": [WHY]}
    provenance = {"source": "owner", "episode_ids": ["episode-1"]}
    rule = example_memory("rule-1", MemoryType.SEMANTIC, payload=payload, provenance=provenance)
    found = Remembered(memory=rule, state=state_of(rule), uses=0, ups=0, downs=0, versions=())
    with Store.open(f"sqlite:///{tmp_path / 'store.db'}", clock=FixedClock()) as store:
        shown = [line.plain for line in memory_lines(found, said_for(rule, store))]
    assert f"evidence    {WHY}" in shown
    assert "by          owner" in shown
