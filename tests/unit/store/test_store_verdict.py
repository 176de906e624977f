import itertools

import pytest

from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Source, standing
from oldhand.store.verdict import Verdict, verdict
from oldhand.testing.records import NOON, example_feedback

POSITIVE, NEGATIVE = Verdict(True, "positive"), Verdict(False, "negative")


def judged(is_valid: bool | None, granularity: str = "trajectory", by: str = "A") -> Evaluation:
    return Evaluation.model_validate(
        {
            "id": "v",
            "episode_id": "episode-1",
            "evaluator_type": by,
            "granularity": granularity,
            "is_valid": is_valid,
            "created_at": NOON,
        }
    )


def test_nothing_is_known_without_signals():
    assert verdict(()) == Verdict(None, None)


@pytest.mark.parametrize("executed", [True, False])
def test_execution_counts_when_nothing_else_is_known(executed: bool):
    assert verdict((), (), executed) == Verdict(executed, None)


def test_signals_are_ranked_correction_then_rating_then_expert_then_evaluator_then_execution():
    ranked = [
        example_feedback("f-1", None, correction="43", source="external", rater="eva"),
        example_feedback("f-2", +1, source=Source.OWNER, rater="ana"),
        example_feedback("f-3", -1, source=Source.EXTERNAL, rater="ben"),
        example_feedback("f-4", +1, source=Source.EXPERT, rater="kim"),
        example_feedback("f-5", -1, source=Source.EVALUATOR, rater="SQLValidator"),
        example_feedback("f-6", +1, source=Source.EXECUTION, rater="run"),
    ]
    for first in range(len(ranked)):
        for order in itertools.permutations(ranked[first : first + 3]):
            assert verdict(order).success is (first % 2 == 1)


def test_the_latest_of_equally_strong_signals_counts():
    votes = [example_feedback("f-1", +1, rater="ana"), example_feedback("f-2", -1, rater="ben")]
    assert verdict(votes) == NEGATIVE
    assert verdict(votes[::-1]) == POSITIVE


def test_a_withdrawn_vote_leaves_the_next_signal():
    votes = [example_feedback("f-1", +1), example_feedback("f-2", 0)]
    assert verdict(votes) == Verdict(None, None)
    assert verdict(votes, (), True) == Verdict(True, None)


def test_a_comment_supersedes_no_vote():
    votes = [example_feedback("f-1", +1), example_feedback("f-2", None, text="Thanks")]
    assert [one.id for one in standing(votes)] == ["f-1"]
    assert verdict(votes) == POSITIVE


def test_a_thumb_down_after_a_correction_agrees_with_it():
    votes = [example_feedback("f-1", None, correction="43"), example_feedback("f-2", -1)]
    assert [one.id for one in standing(votes)] == ["f-1"]


def test_an_evaluator_leaves_no_feedback_of_a_person():
    votes = [example_feedback("f-1", -1, source=Source.EVALUATOR, rater="SQLValidator")]
    assert verdict(votes) == Verdict(False, None)


def test_a_correction_is_negative_feedback_even_with_a_thumb_up():
    assert verdict([example_feedback("f-1", +1, correction="43")]) == NEGATIVE


def test_every_evaluator_must_be_content_and_only_its_latest_word_counts():
    assert verdict((), [judged(True, by="A"), judged(False, by="B")]).success is False
    assert verdict((), [judged(False, by="A"), judged(True, by="A")]).success is True


def test_steps_and_unknown_verdicts_say_nothing_about_the_whole():
    found = [judged(False, "step"), judged(None)]
    assert verdict((), found) == Verdict(None, None)


def test_raters_are_told_apart_and_only_the_last_word_of_each_stays():
    votes = [
        example_feedback("f-1", +1, rater="ana"),
        example_feedback("f-2", -1, rater="ben"),
        example_feedback("f-3", -1, rater="ana"),
    ]
    assert [one.id for one in standing(votes)] == ["f-2", "f-3"]


def test_a_person_with_an_evaluators_name_does_not_overrule_it():
    votes = [
        example_feedback("f-1", -1, rater="SQLValidator", source=Source.EVALUATOR),
        example_feedback("f-2", None, rater="SQLValidator", source=Source.EXTERNAL),
    ]
    assert verdict(votes).success is False


def test_a_person_who_became_an_expert_still_supersedes_the_own_vote():
    votes = [
        example_feedback("f-1", -1, rater="ben", source=Source.EXTERNAL),
        example_feedback("f-2", +1, rater="ben", source=Source.EXPERT),
    ]
    assert verdict(votes) == POSITIVE
