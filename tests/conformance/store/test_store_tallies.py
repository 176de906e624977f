"""How every store counts the votes on answers that rest on a memory."""

import pytest

from oldhand.record.feedback import Source
from oldhand.record.lesson import Tally
from oldhand.record.recollection import Recalled, Recollection
from oldhand.store import Store
from oldhand.testing.records import example_episode, example_feedback


def answered(store: Store, episode_id: str, **used: bool | None) -> None:
    """Record an episode for which memories were recalled, and used or not."""
    items = tuple(
        Recalled(kind="memory", item_id=one, rank=n, score=1.0, shown=True, chance=1.0, used=said)
        for n, (one, said) in enumerate(used.items(), 1)
    )
    recollection = Recollection(episode_id=episode_id, items=items)
    store.record_episode(example_episode(episode_id), recollection)


def rated(store: Store, episode_id: str, rating: int | None, **changes: object) -> None:
    number = len(store.feedback_on("default", episode_id))
    feedback = example_feedback(f"{episode_id}-{number}", rating, episode_id=episode_id, **changes)
    store.add_feedback(feedback)


def test_votes_count_for_what_was_used_or_may_have_been(store: Store):
    answered(store, "e1", used=True, unused=False, unknown=None)
    rated(store, "e1", +1)
    assert store.outcomes("default", ["used", "unused", "unknown", "other"]) == {
        "used": Tally(1, 0),
        "unused": Tally(),
        "unknown": Tally(1, 0),
        "other": Tally(),
    }
    assert store.outcomes("theirs", ["used"]) == {"used": Tally()}
    assert store.outcomes("default", []) == {}


def test_a_changed_vote_counts_once(store: Store):
    answered(store, "e1", m=True)
    rated(store, "e1", +1)
    rated(store, "e1", +1)
    assert store.outcomes("default", ["m"]) == {"m": Tally(1, 0)}
    rated(store, "e1", -1)
    assert store.outcomes("default", ["m"]) == {"m": Tally(0, 1)}
    rated(store, "e1", 0)
    assert store.outcomes("default", ["m"]) == {"m": Tally(0, 0)}


def test_each_person_and_each_answer_counts(store: Store):
    for episode in ("e1", "e2"):
        answered(store, episode, m=True)
        rated(store, episode, +1)
        rated(store, episode, -1, rater="ben", source=Source.EXPERT)
    assert store.outcomes("default", ["m"]) == {"m": Tally(2, 2)}


@pytest.mark.parametrize("source", ["external", "evaluator", "execution"])
def test_nobody_else_counts(store: Store, source: str):
    answered(store, "e1", m=True)
    rated(store, "e1", -1, rater="eve", source=source)
    assert store.outcomes("default", ["m"]) == {"m": Tally()}


def test_a_person_who_is_no_longer_trusted_takes_back_what_they_say_anew(store: Store):
    answered(store, "e1", m=True)
    rated(store, "e1", +1, rater="ben", source=Source.EXPERT)
    rated(store, "e1", -1, rater="ben", source=Source.EXTERNAL)
    assert store.outcomes("default", ["m"]) == {"m": Tally()}


def test_an_evaluator_with_the_name_of_a_person_does_not_speak_for_them(store: Store):
    answered(store, "e1", m=True)
    rated(store, "e1", +1)
    rated(store, "e1", -1, source=Source.EVALUATOR)
    assert store.outcomes("default", ["m"]) == {"m": Tally(1, 0)}


def test_a_correction_counts_against_and_a_remark_does_not_count(store: Store):
    answered(store, "e1", m=True)
    rated(store, "e1", None, correction="SELECT 2")
    rated(store, "e1", None, text="hm", rater="ben", source=Source.EXPERT)
    assert store.outcomes("default", ["m"]) == {"m": Tally(0, 1)}


def test_what_was_held_out_or_recalled_twice_is_not_counted_double(store: Store):
    fields = {"kind": "memory", "rank": 1, "score": 1.0, "chance": 0.5}
    items = (
        Recalled(item_id="twice", shown=True, **fields),
        Recalled(item_id="twice", shown=True, used=True, **fields),
        Recalled(item_id="held out", shown=False, **fields),
        Recalled(item_id="chunk", shown=True, **{**fields, "kind": "chunk"}),
    )
    store.record_episode(example_episode("e1"), Recollection(episode_id="e1", items=items))
    rated(store, "e1", -1)
    assert store.outcomes("default", ["twice", "held out", "chunk"]) == {
        "twice": Tally(0, 1),
        "held out": Tally(),
        "chunk": Tally(),
    }
