"""How every store counts the votes on answers that rest on a memory."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oldhand.record.episode import Recalled, Recollection
from oldhand.record.feedback import Source
from oldhand.record.lesson import Tally
from oldhand.record.ports import random_id
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


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(
    said=st.lists(
        st.tuples(
            st.sampled_from(["e1", "e2"]),
            st.sampled_from([1, 0, -1, None]),
            st.sampled_from([None, "SELECT 2"]),
            st.sampled_from([(), ("confirms",)]),
            st.sampled_from(["ana", "ben"]),
            st.sampled_from(["owner", "expert", "external", "evaluator"]),
        ),
        max_size=8,
    )
)
def test_counting_with_each_vote_comes_to_what_the_log_says(store: Store, said):
    turn = random_id()
    for name in ("e1", "e2"):
        answered(store, f"{name}-{turn}", both=True, **{name: None, f"not-{name}": False})
    wanted = ["both", "e1", "e2", "not-e1", "not-e2"]
    for name, rating, correction, tags, rater, source in said:
        changes = {"correction": correction, "tags": tags, "rater": rater, "source": source}
        rated(store, f"{name}-{turn}", rating, **changes)
    counted = store.outcomes("default", wanted)
    store.rebuilding.votes("default")
    assert store.outcomes("default", wanted) == counted
    assert counted["not-e1"] == counted["not-e2"] == Tally()
    parts = (counted["e1"], counted["e2"])
    assert counted["both"] == Tally(sum(one.ups for one in parts), sum(one.downs for one in parts))


def test_what_an_erased_user_said_counts_no_longer(store: Store):
    answered(store, "e1", m=True, other=True)
    rated(store, "e1", +1)
    rated(store, "e1", -1, rater="ben", source=Source.EXPERT)
    assert store.outcomes("default", ["m"]) == {"m": Tally(1, 1)}
    store.erasing.begin("default", "ben")
    assert store.outcomes("default", ["m"]) == {"m": Tally(1, 0)}
