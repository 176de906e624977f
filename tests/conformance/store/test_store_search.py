"""What every store finds, and that lessons come back as they were."""

import io
import json
from pathlib import Path

import pytest

from oldhand.errors import MemoryConflict, UnknownMemory
from oldhand.record.effect import Alias
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.lesson import Search
from oldhand.record.memory import MemoryType
from oldhand.store import Store, export_memories, import_memories
from oldhand.testing.records import example_episode, example_memory

ALIAS = Alias(phrase="top tier", database="shop", table="customers", column="tier", value="A1")


def found(
    store: Store,
    text: str,
    clone: str = "default",
    user_ids: list[str] | None = None,
    types: list[MemoryType] | None = None,
) -> list[str]:
    (hits,) = store.search_each(clone, [Search(text, types)], user_ids=user_ids)
    return sorted(one.memory.id for one in hits)


def test_clones_and_users_do_not_find_each_others_memories(store: Store):
    store.save_memory(example_memory("m1", summary="tractors"))
    store.save_memory(example_memory("m2", summary="tractors", user_id="ben"))
    store.save_memory(example_memory("m3", summary="tractors", clone_id="theirs"))
    assert found(store, "tractors") == ["m1", "m2"]
    assert found(store, "tractors", user_ids=["ben", "default"]) == ["m2"]
    assert found(store, "tractors", user_ids=[]) == []
    assert found(store, "tractors", "theirs") == ["m3"]
    assert found(store, "tractors", "nobody") == []


def test_memories_are_listed_by_a_field_of_their_payload(store: Store):
    kind = MemoryType.SEMANTIC
    store.save_memory(example_memory("m1", kind, payload={"rule": "a", "exam": {"asked": 3}}))
    store.save_memory(example_memory("m2", kind, payload={"rule": "an exam of 100 %_"}))
    assert [one.id for one in store.memories("default", field="exam")] == ["m1"]
    assert [one.id for one in store.memories("default", field="rule")] == ["m2", "m1"]
    assert store.memories("default", field="ex%m") == ()


def test_episodes_are_found_among_all_memories(store: Store):
    store.record_episode(example_episode(question="How many tractors?"))
    assert found(store, "tractors") == ["episode-1"]
    assert found(store, "tractors", types=[MemoryType.EPISODIC]) == ["episode-1"]
    assert found(store, "tractors", types=[MemoryType.EXAMPLE]) == []


def test_what_is_imported_is_found_and_what_an_import_forgets_is_not(store: Store, tmp_path: Path):
    store.save_memory(example_memory("old", summary="tractors"))
    lines = [
        {"type": "preference", "id": "old", "created_at": "2026-01-01T00:00:00Z",
         "forgotten_at": "2026-01-02T00:00:00Z"},
        {"type": "preference", "id": "new", "created_at": "2026-01-01T00:00:00Z",
         "summary": "tractors", "payload": {"key": "k", "value": "v"}},
    ]  # fmt: skip
    file = tmp_path / "lines.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in lines))
    import_memories(store, file, trust=True)
    assert found(store, "tractors") == ["new"]


def test_a_save_that_fails_leaves_the_search_as_it_was(store: Store):
    store.save_memory(example_memory("m1", summary="tractors"))
    good, bad = example_memory("m2", summary="tractors"), example_memory("m1", user_id="ben")
    with pytest.raises(MemoryConflict):
        store.save_memories("default", [good, bad])
    assert found(store, "tractors") == ["m1"]


def test_what_an_answer_rests_on_comes_back(store: Store):
    query = "SELECT COUNT(*) FROM shop.main.customers"
    episode = example_episode("e1", query=query, lessons=("m1", "m2"))
    items = tuple(
        Recalled(kind="memory", item_id=one, rank=n, score=0.5, shown=True, chance=1.0, used=used)
        for n, (one, used) in enumerate({"m1": True, "m2": False, "m3": None}.items(), 1)
    )
    recollection = Recollection(episode_id="e1", items=items)
    store.record_episode(episode, recollection)
    assert store.episode("default", "e1") == episode
    assert store.recollection("default", "e1") == recollection


@pytest.mark.parametrize(
    "meaning",
    [
        *[{"value": value} for value in ("A1", 7, 2.5, None)],
        {"operator": ">", "value": 100},
        {"operator": "between", "value": 1, "upper": 2.5},
    ],
)
def test_an_effect_survives_store_journal_export_and_import(
    store: Store, tmp_path: Path, meaning: dict[str, object]
):
    effect = ALIAS.model_copy(update={**meaning, "schema_name": "main"})
    memory = example_memory(effect=effect)
    store.save_memory(memory)
    assert store.memory("default", "memory-1") == memory
    assert found(store, "top tier") == ["memory-1"]
    text = io.StringIO()
    export_memories(store, text)
    exported = tmp_path / "exported.jsonl"
    exported.write_text(text.getvalue(), "utf-8")
    for source in (exported, tmp_path / "memory"):
        import_memories(store, source, clone_id=source.stem, trust=True)
        (copy,) = store.memories(source.stem)
        assert copy == memory.model_copy(update={"clone_id": source.stem})
        assert found(store, "top tier", source.stem) == ["memory-1"]


def test_a_snapshot_sees_one_state_whatever_is_written_meanwhile(store: Store):
    store.save_memory(example_memory("m1", summary="tractors"))
    with store.snapshot(), store.snapshot():
        assert found(store, "tractors") == ["m1"]
        store.save_memory(example_memory("m2", summary="tractors"))
        assert found(store, "tractors") == ["m1"]
    assert found(store, "tractors") == ["m1", "m2"]


def test_an_error_inside_of_a_snapshot_ends_it(store: Store):
    with pytest.raises(UnknownMemory), store.snapshot():
        store.memory("default", "nothing")
    store.save_memory(example_memory("m1", summary="tractors"))
    assert found(store, "tractors") == ["m1"]


def test_a_changed_effect_is_a_new_version(store: Store):
    store.save_memory(example_memory(effect=ALIAS))
    other = Alias(phrase="best", database="shop", table="customers")
    changed = example_memory(effect=other)
    store.save_memory(changed)
    assert store.memory("default", "memory-1") == changed
    assert (found(store, "best"), found(store, "tier")) == (["memory-1"], [])
