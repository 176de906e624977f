"""What every store does with memories, and with the journal behind them."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from oldhand.errors import MemoryConflict, UnknownMemory, UsageError
from oldhand.record.memory import EpisodicPayload, MemoryType
from oldhand.store import SavedChange, Store
from oldhand.testing.records import NOON, example_episode, example_feedback, example_memory


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]


@pytest.mark.parametrize("kind", MemoryType)
def test_a_memory_of_any_type_comes_back_as_it_was(store: Store, kind: MemoryType):
    memory = example_memory(kind=kind, last_used_at=NOON, ttl_days=7)
    assert store.save_memory(memory) is SavedChange.NEW
    assert store.memory("default", "memory-1") == memory


def test_unknown_fields_of_a_payload_are_kept(store: Store):
    extra = {"key": "k", "value": "v", "big": 2**80, "deep": {"list": [1.0, None, "\x00 \ud800"]}}
    store.save_memory(example_memory(payload=extra))
    found = store.memory("default", "memory-1").payload.model_dump()
    assert {name: found[name] for name in ("big", "deep")} == {
        "big": 2**80,
        "deep": {"list": [1.0, None, "\x00 \ud800"]},
    }


def test_a_changed_memory_replaces_the_earlier_version(store: Store):
    store.save_memory(example_memory())
    assert store.save_memory(example_memory(summary="Better said")) is SavedChange.CHANGED
    assert [one.summary for one in store.memories("default")] == ["Better said"]


def test_saving_what_is_there_already_changes_nothing(store: Store):
    store.save_memory(example_memory())
    assert store.save_memory(example_memory()) is SavedChange.UNCHANGED


def test_an_id_cannot_move_to_another_user_or_type(store: Store):
    store.save_memory(example_memory())
    with pytest.raises(MemoryConflict, match="ana"):
        store.save_memory(example_memory(user_id="ben"))
    with pytest.raises(MemoryConflict, match="type"):
        store.save_memory(example_memory(kind=MemoryType.SEMANTIC))


def test_a_forgotten_memory_is_gone_until_it_is_saved_again(store: Store):
    store.save_memory(example_memory())
    store.forget_memory("default", "memory-1")
    assert store.memories("default") == ()
    with pytest.raises(UnknownMemory):
        store.memory("default", "memory-1")
    with pytest.raises(UnknownMemory):
        store.forget_memory("default", "memory-1")
    store.save_memory(example_memory())
    assert store.memory("default", "memory-1") == example_memory()


def test_hundreds_of_words_and_endless_ids_are_refused_by_name(store: Store):
    store.save_memory(example_memory())
    assert store.memories("default", text="nowhere " * 10_000) == ()
    with pytest.raises(UsageError, match="101 words"):
        store.memories("default", text=" ".join(map(str, range(101))))
    with pytest.raises(UsageError, match="No feedback") as raised:
        store.feedback("default", "x%" * 50_000)
    assert len(str(raised.value)) < 5_000


def test_memories_are_found_by_user_type_tag_and_words(store: Store):
    store.save_memory(example_memory("m1", MemoryType.SEMANTIC, tags=("a", "b")))
    store.save_memory(example_memory("m2", user_id="ben", tags=('"a',), summary="ÜBER Köln"))
    store.save_memory(example_memory("m3", tags=("B",), payload={"key": "100%", "value": "x_y"}))

    def found(**wanted: object) -> list[str]:
        return sorted(one.id for one in store.memories("default", **wanted))

    assert found() == ["m1", "m2", "m3"]
    assert found(user_id="ana") == ["m1", "m3"]
    assert found(type=MemoryType.SEMANTIC) == ["m1"]
    assert found(tag="a") == ["m1"]
    assert found(tag="b") == ["m1"]
    assert found(text="köln über") == ["m2"]
    assert found(text="CANCELLED orders") == ["m1"]
    assert found(text="100%") == ["m3"]
    assert found(text="x_") == ["m3"]
    assert found(text="köln nowhere") == []
    assert found(user_id="ana", tag="B", text="learned") == ["m3"]


def test_memories_are_listed_newest_first_and_limited(store: Store):
    for n, minutes in enumerate((5, 1, 9)):
        store.save_memory(example_memory(f"m{n}", created_at=NOON + timedelta(minutes=minutes)))
    assert [one.id for one in store.memories("default", limit=2)] == ["m2", "m0"]


def test_a_tag_that_was_taken_off_no_longer_finds_the_memory(store: Store):
    store.save_memory(example_memory(tags=("draft", "draft")))
    store.save_memory(example_memory(tags=()))
    assert store.memories("default", tag="draft") == ()


def test_an_episode_is_also_an_episodic_memory(store: Store):
    store.record_episode(example_episode())
    (memory,) = store.memories("default", type=MemoryType.EPISODIC)
    assert memory.id == "episode-1"
    assert memory.ttl_days == 90
    payload = memory.payload
    assert isinstance(payload, EpisodicPayload)
    assert payload.assistant_text == "42 customers live in Berlin."
    assert payload.latency_ms == 743
    assert payload.cost == 0.002


def test_feedback_shows_in_the_episodic_memory(store: Store):
    store.record_episode(example_episode())
    store.add_feedback(example_feedback("f-1", -1))
    payload = store.memory("default", "episode-1").payload
    assert isinstance(payload, EpisodicPayload)
    assert (payload.success, payload.feedback) == (False, "negative")


def test_an_imported_episodic_memory_keeps_what_its_file_said(store: Store):
    payload = {
        **example_memory(kind=MemoryType.EPISODIC).payload.model_dump(),
        "feedback": "positive",
    }
    store.save_memory(example_memory("from-elsewhere", MemoryType.EPISODIC, payload=payload))
    found = store.memory("default", "from-elsewhere").payload
    assert isinstance(found, EpisodicPayload)
    assert found.feedback == "positive"


def test_every_commit_is_followed_by_its_line(store: Store, tmp_path: Path):
    store.record_episode(example_episode(success=True))
    store.add_feedback(example_feedback("f-1", +1))
    store.save_memory(example_memory())
    store.forget_memory("default", "memory-1")
    first, second = records(tmp_path / "memory/ana/episodic.jsonl")
    assert "feedback" not in first["payload"]
    assert second["payload"] == {**first["payload"], "feedback": "positive"}
    saved, forgotten = records(tmp_path / "memory/ana/preferences.jsonl")
    assert saved["id"] == forgotten["id"] == "memory-1"
    assert forgotten["forgotten_at"] == "2026-01-01T00:00:00Z"
    assert store.pending_journal_lines() == 0


def test_other_clones_lie_where_no_user_can_be(store: Store, tmp_path: Path):
    store.save_memory(example_memory(clone_id="ana", user_id="ben"))
    assert (tmp_path / "memory/_clones/ana/ben/preferences.jsonl").is_file()
    assert not (tmp_path / "memory/ana").exists()


def test_lines_that_could_not_be_appended_are_appended_at_the_next_open(
    open_store: Callable[[], Store], tmp_path: Path
):
    store = open_store()
    in_the_way = tmp_path / "memory/ana"
    in_the_way.write_text("not a folder")
    store.save_memory(example_memory("m1"))
    store.save_memory(example_memory("m2", user_id="ben"))
    assert store.pending_journal_lines() == 1
    assert len(records(tmp_path / "memory/ben/preferences.jsonl")) == 1
    in_the_way.unlink()
    assert open_store().pending_journal_lines() == 0
    assert [one["id"] for one in records(tmp_path / "memory/ana/preferences.jsonl")] == ["m1"]
