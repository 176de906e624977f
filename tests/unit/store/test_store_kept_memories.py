"""Memories that were found are kept, and yet each recall gives what counts at its moment."""

from oldhand.record.lesson import Search
from oldhand.record.memory import MemoryType
from oldhand.store import Store
from oldhand.store.kept_memories import KeptMemories
from oldhand.testing.records import example_memory

CLONE = "default"
ASKED = Search("how many clients are there in Berlin", frozenset({MemoryType.EXAMPLE}), 5)


def found(store: Store) -> list[tuple[str, float]]:
    return [(one.memory.id, one.memory.confidence) for one in store.search_each(CLONE, [ASKED])[0]]


def test_a_new_version_is_found_where_an_older_one_was_kept(store: Store) -> None:
    memory = example_memory("e1", MemoryType.EXAMPLE)
    for confidence in (0.5, 0.9):
        store.save_memories(CLONE, [memory.model_copy(update={"confidence": confidence})])
        assert found(store) == found(store) == [("e1", confidence)]


def test_what_is_forgotten_is_not_found_though_it_was_kept(store: Store) -> None:
    store.save_memories(CLONE, [example_memory(one, MemoryType.EXAMPLE) for one in ("e1", "e2")])
    assert len(found(store)) == 2
    store.forget_memory(CLONE, "e1")
    assert [one for one, _ in found(store)] == ["e2"]


def test_episodes_are_read_each_time() -> None:
    kept = KeptMemories()
    kept.keep({1: example_memory("e1", MemoryType.EPISODIC)})
    assert kept.among([1]) == {}


def test_those_found_longest_ago_make_room() -> None:
    kept = KeptMemories(most=2)
    kept.keep({number: example_memory(f"e{number}") for number in (1, 2)})
    kept.among([1])
    kept.keep({3: example_memory("e3")})
    assert sorted(kept.among([1, 2, 3])) == [1, 3]
