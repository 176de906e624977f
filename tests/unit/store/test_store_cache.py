"""What was read for a recall is kept, and yet each recall gives what counts at its moment."""

from oldhand.record.lesson import Search
from oldhand.record.memory import EpisodicPayload, MemoryType
from oldhand.store import Store
from oldhand.store.cache import Cache
from oldhand.testing.records import example_episode, example_feedback, example_memory

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


def test_what_signals_say_of_an_answer_is_read_each_time(store: Store) -> None:
    store.record_episode(example_episode("episode-1"))
    asked = ASKED._replace(types={MemoryType.EPISODIC})
    said: list[str | None] = []
    for rating in (1, -1):
        store.add_feedback(example_feedback(f"f{rating}", rating, episode_id="episode-1"))
        [[one]] = store.search_each(CLONE, [asked])
        assert isinstance(one.memory.payload, EpisodicPayload)
        said.append(one.memory.payload.feedback)
    assert said == ["positive", "negative"]


def test_those_used_longest_ago_make_room() -> None:
    cache = Cache[int, str](most=2)
    cache.keep({1: "a", 2: "b"})
    cache.among([1])
    cache.keep({3: "c"})
    assert cache.among([1, 2, 3]) == {1: "a", 3: "c"}
