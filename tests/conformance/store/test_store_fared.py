"""How answers fared, read back from the logs."""

from datetime import timedelta

from oldhand.record.recollection import Recalled, Recollection
from oldhand.testing.records import NOON, example_episode, example_feedback


def record(store, number, *items, **changes):
    name = f"e{number}"
    created = NOON + timedelta(minutes=number)
    store.record_episode(
        example_episode(name, created_at=created, session_id=name, **changes),
        Recollection(episode_id=name, items=items),
    )


def version(item_id, *, shown=True, chance=0.5, used=None, kind="prompt"):
    return Recalled(
        kind=kind, item_id=item_id, rank=1, score=0.5, shown=shown, chance=chance, used=used
    )


def test_only_answers_that_were_made_with_a_version_count_for_it(store):
    record(store, 1, version("v2"))
    record(store, 2, version("v2", shown=False))
    record(store, 3, version("v2", used=False))
    record(store, 4, version("v2", kind="memory"))
    record(store, 5, version("v3", chance=0.25))
    found = store.fared.made_with("default", ["v2", "v3", "v4"], kind="prompt", limit=10)
    assert [(one.item_id, one.episode_id, one.chance) for one in found] == [
        ("v3", "e5", 0.25),
        ("v2", "e1", 0.5),
    ]


def test_what_people_say_later_changes_how_an_answer_fared(store):
    record(store, 1, version("v2"))
    store.add_feedback(example_feedback("f1", -1, episode_id="e1", rater="ana"))
    assert [(one.success, one.feedback) for one in store.fared.latest("default", 10)] == [(False, "negative")]  # fmt: skip
    later = NOON + timedelta(days=1)
    store.add_feedback(example_feedback("f2", 1, episode_id="e1", rater="ana", created_at=later))
    assert [(one.success, one.feedback) for one in store.fared.latest("default", 10)] == [(True, "positive")]  # fmt: skip


def test_the_latest_answers_come_first_and_no_more_than_wanted(store):
    for number in range(5):
        record(store, number, version("v2"), model="granite-local", seconds=2.5)
    found = store.fared.latest("default", 2)
    assert [(one.episode_id, one.model, one.seconds) for one in found] == [
        ("e4", "granite-local", 2.5),
        ("e3", "granite-local", 2.5),
    ]
    made = store.fared.made_with("default", ["v2"], kind="prompt", limit=3)
    assert [one.episode_id for one in made] == ["e4", "e3", "e2"]


def test_of_another_clone_nothing_is_read(store):
    record(store, 1, version("v2"))
    assert store.fared.latest("other", 10) == ()
