"""Lessons as a whole: pages of them, what is kept under an id, and how they were used; and the lock of the nights."""

from datetime import timedelta

import pytest

from oldhand.errors import UsageError
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.memory import NIGHT, MemoryType
from oldhand.store import Store
from oldhand.store.lesson_reads import MemoryUse
from oldhand.testing.records import NOON, example_episode, example_feedback, example_memory

RULE, STEP = MemoryType.SEMANTIC, MemoryType.CHECKLIST


def use(store: Store, name: str, *, shown: bool = True, used: bool | None = None, **changes: object) -> None:  # fmt: skip
    items = (
        Recalled(kind="memory", item_id="rule", rank=1, score=1, shown=shown, chance=0.5, used=used),
    )  # fmt: skip
    episode = example_episode(name, session_id=name, **changes)
    store.record_episode(episode, Recollection(episode_id=name, items=items))


def test_pages_go_on_where_the_last_one_ended(store):
    for number in range(5):
        store.save_memory(example_memory(f"r{number}", RULE))
    store.save_memory(example_memory("other", STEP))
    store.save_memory(example_memory("r0", RULE, confidence=0.3))
    store.forget_memory("default", "r1")
    first = store.lessons.page("default", [RULE], limit=3)
    rest = store.lessons.page("default", [RULE], after=first[-1].seq, limit=3)
    assert [one.memory.id for one in (*first, *rest)] == ["r2", "r3", "r4", "r0"]
    assert [one.version for one in rest] == [2]
    assert store.lessons.is_at("default", "r0", rest[0].seq)
    assert not store.lessons.is_at("default", "r2", rest[0].seq)


def test_all_are_read_whatever_pages_they_come_in(store):
    store.save_memories("default", [example_memory(f"r{number:04}", RULE) for number in range(501)])
    store.save_memory(example_memory("step", STEP))
    store.save_memory(example_memory("other", MemoryType.EXAMPLE))
    store.forget_memory("default", "r0007")
    found = [one.id for one in store.lessons.all("default", [RULE, STEP])]
    assert found == [f"r{number:04}" for number in range(501) if number != 7] + ["step"]


def test_the_beginning_of_an_id_names_a_memory_but_no_answer_and_no_note_of_nights(store):
    for name in ("rule-one", "rule-two", "rule-%_", "gone-rule", "RULE-ONE"):
        store.save_memory(example_memory(name, RULE))
    store.save_memory(example_memory("answer-1", MemoryType.EPISODIC))
    store.save_memory(example_memory("night-1", MemoryType.PREFERENCE, tags=(NIGHT,)))
    store.forget_memory("default", "gone-rule")
    named = (
        "rule-o",
        "RULE-O",
        "rule-%",
        "rule-one",
        "rul",
        "gone",
        "gone-rule",
        "answer",
        "night-",
    )
    found = [store.lessons.full_id("default", one) for one in named]
    assert found == ["rule-one", "RULE-ONE", "rule-%_", "rule-one", "rul", "gone", "gone-rule", "answer", "night-"]  # fmt: skip
    with pytest.raises(UsageError, match="3 memories begin with 'rule'"):
        store.lessons.full_id("default", "rule")


def test_what_is_kept_tells_of_tombstones_and_earlier_versions(store):
    store.save_memory(example_memory("r1", RULE, confidence=0.5))
    store.save_memory(example_memory("r1", RULE, confidence=0.6))
    store.save_memory(example_memory("r2", RULE))
    store.forget_memory("default", "r2")
    kept = store.lessons.kept("default", ["r1", "r2", "r3"])
    assert {name: one.forgotten for name, one in kept.items()} == {"r1": False, "r2": True}
    earlier = store.known_memories("default", ["r1"])
    assert [one.confidence for one in earlier["r1"][:-1]] == [0.5]


def test_uses_count_answers_that_may_rest_on_a_lesson(store):
    use(store, "e1", success=True)
    use(store, "e2", success=False, used=True, created_at=NOON + timedelta(days=1))
    use(store, "e3", success=True, used=False)
    use(store, "e4", success=True, shown=False)
    use(store, "e5", success=True)
    store.add_feedback(example_feedback("f5", -1, episode_id="e5"))
    found = store.lessons.uses("default", ["rule", "none"])
    assert found["none"] == MemoryUse()
    assert found["rule"] == MemoryUse(3, NOON + timedelta(days=1), successes=1, failures=1)
    rests_on = {"rule": {"e1", "e2", "e3", "e5"}, "other": {"e1"}, "stated": set()}
    assert store.lessons.fed_by("default", rests_on) == {"rule": {"e1", "e2"}}


def test_what_may_have_served_its_time_is_found(store):
    store.save_memory(example_memory("fresh", RULE, ttl_days=90, confidence=0.8))
    store.save_memory(example_memory("old", RULE, ttl_days=10, confidence=0.8))
    store.save_memory(example_memory("for-good", RULE, ttl_days=0, confidence=0.8))
    store.save_memory(example_memory("doubted", RULE, confidence=0.1))
    store.save_memory(example_memory("retired", RULE, tags=("retired",)))
    found = store.lessons.expiring("default", NOON + timedelta(days=11))
    assert {one.memory.id for one in found} == {"old", "doubted", "retired"}


def test_only_one_does_the_work_of_a_night(open_store):
    one, other = open_store(), open_store()
    with one.night("default") as first, other.night("default") as second:
        assert (first, second) == (True, False)
        with other.night("another") as elsewhere, other.learning("default"):
            assert elsewhere
        with one.night("default") as again:
            assert not again
    with other.night("default") as later:
        assert later
