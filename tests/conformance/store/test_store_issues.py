from collections.abc import Callable
from datetime import timedelta

import pytest

from oldhand.errors import UsageError
from oldhand.record.evaluation import Evaluation
from oldhand.store import EvaluationFilter, IssueScope, Store, TallyFilter
from oldhand.store.issues.runs import Draw
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import NOON, example_episode, example_evaluation

SCOPE = IssueScope("default", "gpt-4", "spatial_qa", "sqlvalidator")


def found(number: int, issue: str = "Degrees as metres", **changes: object) -> Evaluation:
    at = NOON + timedelta(seconds=number)
    known = {"query_idx": number, "issues": (issue,), "created_at": at, **changes}
    return example_evaluation(f"v-{number}", **known)


def tallies(store: Store, **wanted: object) -> dict[str, int]:
    rows = store.results.tallies("default", TallyFilter(**wanted))  # pyright: ignore[reportArgumentType]
    return {one.text: one.count for one in rows}


def test_evaluations_outside_of_an_episode_are_kept_whole(store: Store):
    one = found(1, advice=("Say LIMIT",), keys=("degrees:wells",), details={"hint": [1, None]})
    assert store.results.add("default", [one]) == (one,)
    assert store.results.found("default", EvaluationFilter()) == (one,)


def test_the_same_evaluation_again_changes_nothing(store: Store):
    store.results.add("default", [found(1)])
    assert store.results.add("default", [found(1), found(1)]) == ()
    assert tallies(store) == {"Degrees as metres": 1}


def test_evaluations_are_filtered_and_come_in_order_of_arrival(store: Store):
    others = [found(3, policy_model="o3"), found(4, task_type="qa"), found(5, evaluator_type="x")]
    store.results.add("default", [found(2), found(1), *others])
    store.results.add("other", [found(1)])
    wanted = EvaluationFilter("gpt-4", "spatial_qa", "sqlvalidator")
    assert [one.id for one in store.results.found("default", wanted)] == ["v-2", "v-1"]
    late = EvaluationFilter(since=NOON + timedelta(seconds=4))
    assert [one.id for one in store.results.found("default", late)] == ["v-4", "v-5"]
    newest = store.results.found("default", EvaluationFilter(), limit=2)
    assert [one.id for one in newest] == ["v-4", "v-5"]


def test_issues_of_one_key_are_one_however_they_are_worded(store: Store):
    store.results.add("default", [found(1, "No column a.b", keys=("unknown:a.b",), score=0.7)])
    store.results.add("default", [found(2, "a has no b", keys=("unknown:a.b",), score=0.2)])
    store.results.add("default", [found(3, "a has no b", keys=("unknown:a.c",))])
    same, other = store.results.tallies("default", TallyFilter())
    assert (same.text, same.count, same.worst_score) == ("a has no b", 2, 0.2)
    assert (same.first_seen, same.last_seen) == (
        NOON + timedelta(seconds=1),
        NOON + timedelta(seconds=2),
    )
    assert other.count == 1


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("Distance value without units.", "Distance value  without UNITS", True),
        ("Using geometry in EPSG:4326 with meter distance", "Using geometry with a meter distance in EPSG:4326", True),
        ("Distance value without units in the filter", "Distance value without units", True),
        ("The join of visits and wells has a condition", "The join of visits and wells has no condition", False),
        ("No such column orders.total", "No such column orders.amount", False),
        ("Joining orders to customers multiplies the rows of the result", "Joining visits to customers multiplies the rows of the result", False),
        ("Degrees compared with metres in ST_DWithin", "Tables are joined without a condition", False),
    ],
)  # fmt: skip
def test_texts_without_a_key_are_one_when_they_say_the_same(
    store: Store, first: str, second: str, is_same: bool
):
    store.results.add("default", [found(1, first), found(2, second)])
    assert len(tallies(store)) == (1 if is_same else 2)


def test_models_tasks_and_evaluators_are_counted_apart(store: Store):
    store.results.add(
        "default",
        [found(1), found(2, policy_model="o3"), found(3, task_type="qa"), found(4, evaluator_type="x")],
    )  # fmt: skip
    assert [one.count for one in store.results.tallies("default", TallyFilter())] == [1] * 4
    assert len(store.results.tallies("default", TallyFilter(policy_model="o3"))) == 1


def test_keys_without_issues_are_refused(store: Store):
    with pytest.raises(UsageError, match="keys"):
        store.results.add("default", [found(1, keys=("a", "b"))])
    assert store.results.found("default", EvaluationFilter()) == ()


def test_an_issue_that_comes_again_although_it_was_shown_is_counted_as_recurring(store: Store):
    store.results.add("default", [found(1, episode_id="run-1", step_number=1)])
    [one] = store.results.pool(SCOPE, "run-2", []).issues.values()
    store.results.draw(SCOPE, "run-2", [Draw(one.seq, shown=True, chance=0.9)], at=NOON)
    store.results.add("default", [found(2, episode_id="run-2")])
    store.results.add("default", [found(3, episode_id="run-3")])
    [tally] = store.results.tallies("default", TallyFilter(only_recurring=True))
    assert (tally.count, tally.shown, tally.recurred) == (3, 1, 1)


def test_the_first_draw_of_a_run_holds(open_store: Callable[[], Store]):
    first = open_store()
    first.results.add("default", [found(1)])
    [one] = first.results.pool(SCOPE, "run-2", []).issues.values()
    hidden = Draw(one.seq, shown=False, chance=0.5)
    first.results.draw(SCOPE, "run-2", [hidden], at=NOON)
    again = open_store().results.draw(SCOPE, "run-2", [hidden._replace(shown=True)], at=NOON)
    assert again == {one.seq: hidden}
    assert first.results.pool(SCOPE, "run-2", []).in_run[one.seq].draw == hidden
    assert [t.shown for t in first.results.tallies("default", TallyFilter())] == [0]


def test_an_issue_fades_after_runs_without_it_and_comes_back_when_it_comes_again(store: Store):
    store.results.add("default", [found(1, episode_id="run-1")], fading=3)
    for number in range(2, 6):
        clean = found(number, episode_id=f"run-{number}", issues=(), is_valid=True, score=1.0)
        store.results.add("default", [clean], fading=3)
    [tally] = store.results.tallies("default", TallyFilter())
    assert (tally.faded, tally.runs_ago) == (True, 4)
    assert store.results.pool(SCOPE, None, ["degree"]).issues == {}
    store.results.add("default", [found(9, episode_id="run-9")], fading=3)
    assert len(store.results.pool(SCOPE, None, ["degree"]).found) == 1


def test_steps_of_one_run_are_one_run(store: Store):
    steps = [found(number, episode_id="run-1", step_number=number) for number in (1, 2, 3)]
    store.results.add(
        "default", [*steps, found(4, episode_id="run-2"), found(5, episode_id="run-1")]
    )
    assert store.results.pool(SCOPE, None, []).runs == 2


def test_pruning_keeps_the_tallies(store: Store):
    store.results.add("default", [found(1), found(100)])
    assert store.results.prune("default", NOON + timedelta(seconds=50)) == 1
    assert [one.id for one in store.results.found("default", EvaluationFilter())] == ["v-100"]
    assert tallies(store) == {"Degrees as metres": 2}


def test_what_was_judged_before_the_episode_was_recorded_counts_for_its_success(store: Store):
    whole = {"granularity": "trajectory", "episode_id": "episode-1"}
    store.results.add("default", [found(1, **whole)])
    store.record_episode(example_episode(success=True))
    assert store.episode("default", "episode-1").success is False
    assert [one.id for one in store.evaluations("default", "episode-1")] == ["v-1"]


def test_any_text_can_be_an_issue(store: Store):
    texts = ["\x00\ud800", "'; DROP TABLE issue_tallies; --", "Größe" * 500, "   "]
    store.results.add("default", [found(n, text) for n, text in enumerate(texts)])
    assert set(tallies(store)) >= set(texts[:3])


def test_words_of_the_question_find_old_issues_among_many(store: Store, clock: FixedClock):
    old = found(0, "Depths are feet here", question="How deep are the boreholes of Geelong?")
    store.results.add("default", [old])
    many = [found(n, f"No column c{n} in t{n}", keys=(f"k{n}",)) for n in range(1, 200)]
    store.results.add("default", many)
    pool = store.results.pool(SCOPE, None, ["geelong", "borehole"])
    assert [pool.issues[seq].text for seq in pool.found] == ["Depths are feet here"]
