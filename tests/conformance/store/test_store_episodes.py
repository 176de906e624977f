"""What every store does with episodes, feedback and clones."""

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
import sqlalchemy as sa

from oldhand.errors import UnknownEpisode, UsageError
from oldhand.record.clone import Clone
from oldhand.record.episode import Message, Recalled, Recollection
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Source
from oldhand.record.usage import LedgerEntry, Usage
from oldhand.store import Store, UsageTotal
from oldhand.testing.records import NOON, example_episode, example_feedback

HOSTILE = "a\x00b \x1a \x1a0000 \U0001f600 ' \" \\ %_ ; DROP TABLE episodes; -- \u2028 Ω"


def evaluation(evaluation_id: str, is_valid: bool | None, **changes: object) -> Evaluation:
    fields: dict[str, object] = {
        "id": evaluation_id,
        "episode_id": "episode-1",
        "evaluator_type": "SQLErrorProfiler",
        "granularity": "trajectory",
        "score": None if is_valid is None else float(is_valid),
        "is_valid": is_valid,
        "issues": ("the join has no condition",),
        "created_at": NOON,
    }
    return Evaluation.model_validate({**fields, **changes})


def test_the_suite_runs_on_sqlite_and_on_postgres(
    request: pytest.FixtureRequest, stores: dict[str, str]
):
    ran_on = set()
    for fixture in stores.values():
        engine = sa.create_engine(sa.make_url(request.getfixturevalue(fixture)).set(query={}))
        ran_on.add(engine.dialect.name)
    assert ran_on == {"sqlite", "postgresql"}


def test_an_episode_comes_back_as_it_was_recorded(store: Store):
    episode = example_episode(success=True)
    store.record_episode(episode)
    assert store.episode("default", "episode-1") == episode


def test_an_episode_survives_closing_the_store(open_store: Callable[[], Store]):
    open_store().record_episode(example_episode())
    assert open_store().episode("default", "episode-1") == example_episode()


def test_any_text_comes_back_as_it_was(store: Store):
    episode = example_episode(
        HOSTILE,
        question=HOSTILE,
        text=HOSTILE,
        rows=((HOSTILE, 2**70, 1e16, -0.0, False, None),),
        messages=(Message(role="user", content=HOSTILE),),
        tags=(HOSTILE,),
    )
    store.record_episode(episode)
    found = store.episode("default", HOSTILE)
    assert found == episode
    assert [type(cell) for cell in found.answer.rows[0]] == [
        str,
        int,
        float,
        float,
        bool,
        type(None),
    ]


def test_a_result_may_hold_numbers_that_are_none(store: Store):
    store.record_episode(example_episode(rows=((math.nan, math.inf),)))
    nan, infinity = store.episode("default", "episode-1").answer.rows[0]
    assert isinstance(nan, float)
    assert math.isnan(nan)
    assert infinity == math.inf


def test_times_come_back_in_utc_to_the_microsecond(store: Store):
    tokyo = datetime(2026, 1, 1, 9, 0, 0, 123456, tzinfo=timezone(timedelta(hours=9)))
    store.record_episode(example_episode(created_at=tokyo))
    found = store.episode("default", "episode-1").created_at
    assert found == tokyo
    assert found.tzinfo == UTC


def test_recording_the_same_episode_again_changes_nothing(store: Store):
    store.record_episode(example_episode())
    store.record_episode(example_episode())
    assert len(store.episodes("default")) == 1


def test_a_second_episode_cannot_take_the_id_of_another(store: Store):
    store.record_episode(example_episode())
    with pytest.raises(UsageError, match="taken"):
        store.record_episode(example_episode(text="43."))
    assert store.episode("default", "episode-1") == example_episode()


def test_parts_of_another_episode_are_refused(store: Store):
    with pytest.raises(UsageError, match="belong"):
        store.record_episode(example_episode(), Recollection(episode_id="episode-2"))
    assert store.episodes("default") == ()


def test_what_was_recalled_comes_back_in_its_order(store: Store):
    items = tuple(
        Recalled(kind="memory", item_id=f"m{n}", rank=n, score=1 / n, shown=n < 3, chance=0.9)
        for n in (2, 1, 3)
    )
    recollection = Recollection(episode_id="episode-1", items=items)
    store.record_episode(example_episode(), recollection)
    assert store.recollection("default", "episode-1") == recollection


def test_what_only_some_of_the_recalled_have_is_kept_of_each(store: Store):
    known = {"score": 0.5, "shown": True, "chance": 0.5}
    items = (
        Recalled(kind="memory", item_id="m1", rank=1, **known),
        Recalled(kind="memory", item_id="m2", rank=2, shadow="same", **known),
        Recalled(kind="chunk", item_id="c1", rank=3, boost=0.25, **known),
    )
    recollection = Recollection(episode_id="episode-1", items=items)
    store.record_episode(example_episode(), recollection)
    assert store.recollection("default", "episode-1") == recollection


def test_recalling_nothing_differs_from_not_recording_it(store: Store):
    store.record_episode(example_episode(), Recollection(episode_id="episode-1"))
    store.record_episode(example_episode("episode-2"))
    assert store.recollection("default", "episode-1") == Recollection(episode_id="episode-1")
    assert store.recollection("default", "episode-2") is None


def test_evaluations_come_back_in_their_order(store: Store):
    found = (evaluation("v-2", is_valid=None), evaluation("v-1", is_valid=False, step_number=1))
    store.results.add("default", found)
    store.record_episode(example_episode())
    assert store.evaluations("default", "episode-1") == found


def test_episodes_are_listed_newest_first_and_limited(store: Store):
    for n, minutes in enumerate((5, 1, 9, 9)):
        at = NOON + timedelta(minutes=minutes)
        store.record_episode(example_episode(f"e{n}", created_at=at))
    assert [one.id for one in store.episodes("default", limit=3)] == ["e3", "e2", "e0"]


def test_episodes_can_be_asked_for_by_user_and_session(store: Store):
    store.record_episode(example_episode("e1", user_id="ana", session_id="s1"))
    store.record_episode(example_episode("e2", user_id="ben", session_id="s2"))
    store.record_episode(example_episode("e3", user_id="ana", session_id="s2"))
    assert [one.id for one in store.episodes("default", user_id="ana")] == ["e3", "e1"]
    assert [one.id for one in store.episodes("default", session_id="s2")] == ["e3", "e2"]
    assert [one.id for one in store.episodes("default", "ben", "s2")] == ["e2"]


def test_clones_do_not_see_each_other(store: Store):
    store.record_episode(example_episode(clone_id="ours", text="ours"))
    store.record_episode(example_episode(clone_id="theirs", text="theirs"))
    store.add_feedback(example_feedback("f-1", -1, clone_id="theirs"))
    assert store.episode("ours", "episode-1").answer.text == "ours"
    assert store.episode("ours", "episode-1").success is None
    assert store.episode("theirs", "episode-1").success is False
    assert store.feedback_on("ours", "episode-1") == ()
    with pytest.raises(UnknownEpisode):
        store.episode("default", "episode-1")


def test_the_beginning_of_an_id_is_enough_when_it_is_the_only_one(store: Store):
    store.record_episode(example_episode("abcd-1"))
    store.record_episode(example_episode("abce-1"))
    assert store.episode("default", "abcd").id == "abcd-1"


def test_a_beginning_that_fits_several_ids_is_refused_with_their_names(store: Store):
    store.record_episode(example_episode("abcd-1"))
    store.record_episode(example_episode("abcd-2"))
    with pytest.raises(UsageError, match="abcd-1, abcd-2"):
        store.episode("default", "abcd")


def test_a_whole_id_wins_over_longer_ones_that_begin_with_it(store: Store):
    store.record_episode(example_episode("abcd"))
    store.record_episode(example_episode("abcd-2"))
    assert store.episode("default", "abcd").id == "abcd"


@pytest.mark.parametrize("given", ["", "abc", "ABCD", "____", "%bcd", "zzzz"])
def test_other_beginnings_find_nothing(store: Store, given: str):
    store.record_episode(example_episode("abcd-1"))
    with pytest.raises(UnknownEpisode):
        store.episode("default", given)


def test_a_later_vote_of_the_same_rater_supersedes_and_the_log_keeps_both(store: Store):
    store.record_episode(example_episode())
    votes = [example_feedback("f-1", +1), example_feedback("f-2", -1, text="no, 43")]
    for vote in votes:
        store.add_feedback(vote)
    assert store.feedback_on("default", "episode-1") == tuple(votes)
    assert store.episode("default", "episode-1").success is False


def test_feedback_with_the_same_id_counts_once(store: Store):
    store.record_episode(example_episode())
    store.add_feedback(example_feedback("f-1", +1))
    store.add_feedback(example_feedback("f-1", +1))
    assert len(store.feedback_on("default", "episode-1")) == 1


def test_a_feedback_id_cannot_be_used_for_something_else(store: Store):
    store.record_episode(example_episode())
    store.add_feedback(example_feedback("f-1", +1))
    with pytest.raises(UsageError, match="taken"):
        store.add_feedback(example_feedback("f-1", -1))
    assert store.episode("default", "episode-1").success is True


def test_feedback_on_an_unknown_episode_is_refused(store: Store):
    with pytest.raises(UnknownEpisode, match="episode-1"):
        store.add_feedback(example_feedback("f-1", +1))


def test_a_correction_outweighs_thumbs_and_evaluators(store: Store):
    store.results.add("default", [evaluation("v-1", is_valid=True)])
    store.record_episode(example_episode())
    store.add_feedback(example_feedback("f-1", None, correction="43", rater="ben", source="expert"))
    store.add_feedback(example_feedback("f-2", +1))
    assert store.episode("default", "episode-1").success is False


def test_a_thumb_outweighs_an_evaluator_and_an_evaluator_outweighs_execution(store: Store):
    store.results.add("default", [evaluation("v-1", is_valid=False)])
    store.record_episode(example_episode(success=True))
    assert store.episode("default", "episode-1").success is False
    store.add_feedback(example_feedback("f-1", +1, source=Source.EXTERNAL))
    assert store.episode("default", "episode-1").success is True


def test_nothing_known_is_not_a_failure(store: Store):
    store.record_episode(example_episode())
    store.add_feedback(example_feedback("f-1", None, text="I can't tell"))
    assert store.episode("default", "episode-1").success is None


def test_a_clone_is_kept_and_replaced(store: Store):
    assert store.clone("default") is None
    store.save_clone(Clone(created_at=NOON))
    store.save_clone(Clone(owner="ana", experts=("ben", "eva"), created_at=NOON))
    assert store.clone("default") == Clone(owner="ana", experts=("ben", "eva"), created_at=NOON)


def test_usage_adds_up_by_stage_and_model_and_can_start_late(store: Store):
    def entry(stage: str, model: str, tokens: int, minutes: int) -> LedgerEntry:
        usage = Usage(requests=1, input_tokens=tokens, output_tokens=1, cost=0.25)
        at = NOON + timedelta(minutes=minutes)
        return LedgerEntry(stage=stage, model=model, usage=usage, seconds=0.5, at=at)

    store.record_episode(
        example_episode("e1", ledger=(entry("plan", "m", 10, 0), entry("plan", "m", 20, 5)))
    )
    store.record_episode(
        example_episode("e2", ledger=(entry("plan", "n", 40, 5), entry("validate", "m", 80, 5)))
    )
    two = Usage(requests=2, input_tokens=30, output_tokens=2, cost=0.5)
    totals = store.usage_totals("default")
    day = NOON.date()
    assert totals[0] == UsageTotal(day=day, stage="plan", model="m", usage=two, seconds=1.0)
    assert [(one.model, one.stage) for one in totals] == [
        ("m", "plan"),
        ("m", "validate"),
        ("n", "plan"),
    ]
    late = store.usage_totals("default", since=NOON + timedelta(minutes=1))
    assert [one.usage.input_tokens for one in late] == [20, 80, 40]
    assert store.usage_totals("other") == ()
