"""What was left to chance, read back in the order in which it became known how the answers went."""

from datetime import timedelta

from oldhand.record.episode import Recalled, Recollection
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Source
from oldhand.record.trial import Trial
from oldhand.store import Store
from oldhand.testing.records import NOON, example_episode, example_feedback


def record(store: Store, number: int, *, at: int, shown: bool = True, chance: float = 0.5, evaluated: bool | None = None) -> None:  # fmt: skip
    name = f"e{number}"
    items = (
        Recalled(kind="memory", item_id="rule", rank=1, score=1, shown=shown, chance=chance),
        Recalled(kind="memory", item_id="always", rank=2, score=1, shown=True, chance=1.0),
        Recalled(kind="chunk", item_id="rule", rank=3, score=1, shown=True, chance=0.5),
    )
    created = NOON + timedelta(minutes=at)
    judged = [
        Evaluation(
            id=f"v{number}", episode_id=name, evaluator_type="rows", granularity="trajectory",
            is_valid=evaluated, created_at=created,
        )
    ]  # fmt: skip
    store.results.add("default", judged if evaluated is not None else ())
    store.record_episode(
        example_episode(name, created_at=created, session_id=name),
        Recollection(episode_id=name, items=items),
    )


def vote(store: Store, number: int, rating: int | None, *, at: int, rater: str = "ana", **more: object) -> None:  # fmt: skip
    name = f"f-{number}-{at}-{rater}"
    moment = NOON + timedelta(minutes=at)
    store.add_feedback(
        example_feedback(
            name, rating, episode_id=f"e{number}", created_at=moment, rater=rater, **more
        )
    )


def told(store: Store, lesson: str | None = None) -> list[Trial]:
    found: list[Trial] = []
    store.trials.each("default", found.append, lesson_id=lesson)
    return found


def known(store: Store) -> list[tuple[str, float | None]]:
    return [(one.episode_id, one.success) for one in told(store)]


def test_only_what_was_left_to_chance_is_a_trial(store):
    record(store, 1, at=0)
    record(store, 2, at=1, shown=False, chance=0.9)
    record(store, 3, at=2, chance=1.0)
    found = told(store)
    assert [(one.lesson_id, one.episode_id, one.shown, one.chance) for one in found] == [
        ("rule", "e1", True, 0.5),
        ("rule", "e2", False, 0.9),
    ]
    assert found[0].cost == 0.002
    assert found[0].seconds == 0.743
    assert found[0].at == NOON
    assert found[0].success is None


def test_one_lesson_can_be_asked_for(store):
    record(store, 1, at=0)
    assert told(store, "rule") == told(store)
    assert told(store, "other") == []


def test_votes_that_come_late_come_last(store):
    for number in (1, 2, 3):
        record(store, number, at=number)
    vote(store, 3, 1, at=10)
    vote(store, 1, -1, at=20)
    assert known(store) == [("e2", None), ("e3", 1.0), ("e1", 0.0)]


def test_a_changed_vote_counts_and_keeps_its_place(store):
    for number in (1, 2):
        record(store, number, at=number)
    vote(store, 1, 1, at=10)
    vote(store, 2, 1, at=11)
    vote(store, 1, -1, at=30)
    assert known(store) == [("e1", 0.0), ("e2", 1.0)]
    vote(store, 1, 0, at=40)
    assert known(store) == [("e1", None), ("e2", 1.0)]


def test_what_an_evaluator_said_is_known_at_once_and_a_person_overrules_it(store):
    record(store, 1, at=1, evaluated=False)
    record(store, 2, at=2)
    vote(store, 2, 1, at=5)
    vote(store, 1, 1, at=9)
    assert known(store) == [("e1", 1.0), ("e2", 1.0)]


def test_comments_say_nothing_of_how_it_went(store):
    for number in (1, 2):
        record(store, number, at=number)
    vote(store, 1, None, at=3, text="Hm.")
    vote(store, 2, 1, at=4)
    vote(store, 1, 1, at=5, source=Source.EXTERNAL, rater="cy")
    assert known(store) == [("e2", 1.0), ("e1", 1.0)]


def test_a_clock_that_is_set_back_does_not_put_later_votes_first(store):
    for number, at in ((1, 0), (2, 500), (3, -900)):
        record(store, number, at=at)
    vote(store, 2, 1, at=501)
    vote(store, 1, 1, at=-800)
    vote(store, 3, 1, at=-700)
    assert [one for one, _ in known(store)] == ["e2", "e1", "e3"]


def test_many_episodes_come_in_order_and_whole(store):
    for number in range(23):
        record(store, number, at=number)
    found: list[Trial] = []
    store.trials.each("default", found.append, batch=10)
    assert [one.episode_id for one in found] == [f"e{number}" for number in range(23)]
