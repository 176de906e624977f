"""What every store knows of earlier versions, and how it goes back to them."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from oldhand.errors import UnknownMemory
from oldhand.record.lesson import Search
from oldhand.store import Store
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import example_episode, example_feedback, example_memory


def found(store: Store, text: str) -> list[str]:
    (hits,) = store.search_each("default", [Search(text)])
    return sorted(one.memory.id for one in hits)


def test_the_versions_of_a_memory_tell_when_and_by_whom(store: Store, clock: FixedClock):
    store.save_memory(example_memory(summary="first"))
    clock.advance(60)
    store.save_memory(
        example_memory(summary="second", provenance={"source": "expert", "rater": "ben"})
    )
    clock.advance(60)
    store.forget_memory("default", "memory-1")
    first, second, third = store.memory_versions("default", "memory-1")
    assert [first.version, second.version, third.version] == [1, 2, 3]
    assert second.saved_at - first.saved_at == timedelta(seconds=60)
    assert [one.memory.provenance.rater for one in (first, second)] == ["ana", "ben"]
    assert third.forgotten_at == clock.now()
    assert first.forgotten_at is second.forgotten_at is None


def test_a_memory_that_never_was_has_no_versions(store: Store):
    with pytest.raises(UnknownMemory):
        store.memory_versions("default", "memory-1")


def test_everything_learned_is_as_it_was(store: Store, clock: FixedClock):
    changed, forgotten = example_memory("changed"), example_memory("forgotten")
    store.save_memories("default", [changed, forgotten, example_memory("untouched")])
    before = clock.now()
    clock.advance(60)
    store.save_memory(example_memory("changed", summary="worse"))
    store.forget_memory("default", "forgotten")
    store.save_memory(example_memory("new", summary="tractors"))
    rolled_back = store.roll_back("default", before)
    assert rolled_back.restored == ("changed", "forgotten")
    assert rolled_back.removed == ("new",)
    everything = {one.id: one for one in store.memories("default")}
    assert everything == {
        "changed": changed,
        "forgotten": forgotten,
        "untouched": example_memory("untouched"),
    }
    assert found(store, "tractors worse") == []
    assert found(store, "learned") == ["changed", "forgotten", "untouched"]


def test_a_roll_back_can_be_rolled_back(store: Store, clock: FixedClock):
    store.save_memory(example_memory(summary="first"))
    first = clock.now()
    clock.advance(60)
    store.save_memory(example_memory(summary="second"))
    second = clock.now()
    clock.advance(60)
    store.roll_back("default", first)
    clock.advance(60)
    assert store.memory("default", "memory-1").summary == "first"
    assert store.roll_back("default", second).restored == ("memory-1",)
    assert store.memory("default", "memory-1").summary == "second"
    assert len(store.memory_versions("default", "memory-1")) == 4


def test_rolling_back_twice_changes_nothing_more(store: Store, clock: FixedClock):
    before = clock.now()
    clock.advance(60)
    store.save_memory(example_memory())
    assert store.roll_back("default", before).removed == ("memory-1",)
    assert store.roll_back("default", before) == ((), ())
    assert store.roll_back("default", clock.now() + timedelta(days=1)) == ((), ())


def test_what_was_forgotten_then_is_forgotten_again(store: Store, clock: FixedClock):
    store.save_memory(example_memory())
    store.forget_memory("default", "memory-1")
    before = clock.now()
    clock.advance(60)
    store.save_memory(example_memory())
    assert store.roll_back("default", before).removed == ("memory-1",)
    assert store.memories("default") == ()


def test_answers_feedback_and_other_clones_stay(store: Store, clock: FixedClock):
    before = clock.now()
    clock.advance(60)
    store.record_episode(example_episode())
    store.add_feedback(example_feedback("f-1", +1))
    store.save_memory(example_memory("m", clone_id="theirs"))
    assert store.roll_back("default", before) == ((), ())
    assert store.episode("default", "episode-1").success is True
    assert [one.id for one in store.memories("default")] == ["episode-1"]
    assert [one.id for one in store.memories("theirs")] == ["m"]


def test_the_journal_follows(store: Store, clock: FixedClock, tmp_path: Path):
    store.save_memory(example_memory("kept"))
    before = clock.now()
    clock.advance(60)
    store.save_memory(example_memory("kept", summary="worse"))
    store.save_memory(example_memory("new"))
    store.roll_back("default", before)
    lines = (tmp_path / "memory/ana/preferences.jsonl").read_text("utf-8").splitlines()
    latest = {one["id"]: one for one in map(json.loads, lines)}
    assert latest["kept"]["summary"] == "Something that was learned"
    assert latest["new"]["forgotten_at"] == "2026-01-01T00:01:00Z"
