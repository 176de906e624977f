"""How answers fared, read back from the logs."""

from datetime import timedelta
from random import Random

from oldhand.record.episode import Recalled, Recollection
from oldhand.record.evaluation import Evaluation
from oldhand.store import Store
from oldhand.store.verdict import verdict
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


SOURCES = ("owner", "external", "expert", "evaluator", "execution")


def said_at_random(random: Random, name: str, store: Store) -> bool | None:
    """Let people and machines say all sorts of things of an answer; gives what was known when it was recorded."""
    executed = random.choice((None, True, False))
    evaluations = [
        Evaluation(
            id=f"{name}-{number}",
            episode_id=name,
            evaluator_type=random.choice(("A", "B")),
            granularity=random.choice(("trajectory", "step")),
            is_valid=random.choice((None, True, False)),
            created_at=NOON,
        )
        for number in range(random.choice((0, 0, 1, 3)))
    ]
    store.results.add("default", evaluations)
    store.record_episode(
        example_episode(name, session_id=name, success=executed),
        Recollection(episode_id=name, items=(version("v2"),)),
    )
    for number in range(random.choice((0, 1, 2, 4, 6))):
        said = example_feedback(
            f"{name}-{number}",
            random.choice((None, -1, -1, 0, 1)),
            episode_id=name,
            rater=random.choice(("ana", "ben", "A")),
            source=random.choice(SOURCES),
            correction=random.choice((None, None, None, "", "shop: SELECT 1")),
            tags=random.choice(((), ("confirms",), ("wrong", "confirms it"))),
        )
        store.add_feedback(said)
    return executed


def test_the_database_adds_signals_up_as_the_record_does(store):
    random = Random(7)
    executed = {f"e{n}": said_at_random(random, f"e{n}", store) for n in range(150)}
    found = {one.episode_id: one for one in store.fared.latest("default", 1_000)}
    assert len(found) == 150
    told = set[tuple[object, object]]()
    for name, known in executed.items():
        said, judged = store.feedback_on("default", name), store.evaluations("default", name)
        added_up = verdict(said, judged, known)
        assert (found[name].success, found[name].feedback) == (added_up.success, added_up.feedback)
        told.add((found[name].success, found[name].feedback))
    assert (
        len(told) == 7
    )  # all that there can be: nobody's word is ever against the verdict of nobody
    rights = [one.success for one in found.values() if one.success is not None]
    counted = store.fared.tried("default", ["v2", "v3"], kind="prompt", since=NOON)
    assert counted == {"v2": (sum(rights), len(rights) - sum(rights)), "v3": (0, 0)}


def test_only_answers_that_were_left_to_chance_since_then_are_counted_as_tried(store):
    record(store, 1, version("v2"))
    record(store, 2, version("v2"))
    record(store, 3, version("v2", chance=1.0))
    record(store, 4, version("v2", used=False))
    for number in range(1, 5):
        store.add_feedback(example_feedback(f"f{number}", -1, episode_id=f"e{number}"))
    since = NOON + timedelta(minutes=2)
    assert store.fared.tried("default", ["v2"], kind="prompt", since=since) == {"v2": (0, 1)}
    assert store.fared.tried("other", ["v2"], kind="prompt", since=NOON) == {"v2": (0, 0)}
