"""The stream benchmark on generated questions: learning helps, a placebo does not, and a roll-back leaves nothing."""

import pytest
from benchmarks._generated_questions import generated
from benchmarks._stream.comparing import Compared, seen
from benchmarks._stream.conditions import (
    ALIASES,
    EXAMPLES,
    OFF,
    OURS,
    PLACEBO,
    ROLL_BACK,
    STATIC,
    Condition,
    Form,
    Manner,
)
from benchmarks._stream.running import run_all
from benchmarks._stream.tables import Results, report

ORDERS = (1, 2)
LATE = Manner(late=1_000)
THUMBS = Manner(Form.THUMB)
ASKED = tuple(
    Condition(*parts)
    for parts in (
        (OFF,), (EXAMPLES,), (OURS,), (PLACEBO,), (ROLL_BACK,), (STATIC,), (ALIASES,), (OURS, THUMBS), (OURS, LATE),
    )
)  # fmt: skip


def replayed(folder) -> Results:
    questions, databases = generated(folder)
    return Results(run_all(questions, databases, ASKED, ORDERS, 1), len(questions), ORDERS)


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Results:
    return replayed(tmp_path_factory.mktemp("stream"))


def rights(compared: Compared) -> list[bool]:
    return [mark.right for mark in compared.marks]


def test_every_question_is_asked_once_in_each_order(results):
    numbers = [(m.turn.order, m.turn.number) for m in results.of(Condition(OURS)).marks]
    assert len(numbers) == len(set(numbers)) == len(ORDERS) * results.length
    assert results.length >= 40


def test_confirmed_examples_make_answers_right_that_were_wrong(results):
    compared = results.of(Condition(EXAMPLES))
    assert (
        compared.accuracy()
        > Compared(compared.baseline, compared.baseline, results.length).accuracy()
    )
    assert compared.gain(seen).low > 0


def test_all_that_is_learned_helps_at_least_as_much_as_the_first_examples(results):
    assert results.of(Condition(OURS)).accuracy() >= results.of(Condition(STATIC)).accuracy()


def test_shuffled_memories_do_not_help(results):
    assert results.of(Condition(PLACEBO)).gain().mean <= 0


def test_thumbs_alone_do_no_harm(results):
    assert results.of(Condition(OURS, THUMBS)).gain().mean >= 0


def test_after_a_roll_back_the_answers_are_those_from_before(results):
    rolled = results.of(Condition(ROLL_BACK))
    late = rolled.second_half()
    pairs = zip(rolled.marks, rolled.baseline, strict=True)
    second = [(mark.right, base.right) for mark, base in pairs if late(mark.turn)]
    assert len(second) == len(ORDERS) * results.length // 2
    assert all(mark == base for mark, base in second)
    assert not any(mark.informed for mark in rolled.marks if late(mark.turn))


def test_before_the_roll_back_it_had_learned_the_same_as_without(results):
    late = results.of(Condition(ROLL_BACK)).second_half()
    pairs = zip(results.marks[Condition(ROLL_BACK)], results.marks[Condition(OURS)], strict=True)
    assert all(one == other for one, other in pairs if not late(one.turn))


def test_feedback_that_comes_too_late_changes_nothing(results):
    assert rights(results.of(Condition(OURS, LATE))) == rights(results.of(Condition(OFF)))


def test_the_same_seeds_give_the_same_tables(results, tmp_path):
    assert report(replayed(tmp_path)) == report(results)
