import pytest

from oldhand.demo.expected import ExpectedAnswer
from oldhand.record.answer import Answer, Outcome
from oldhand.record.base import Row

GROUPS = ExpectedAnswer((("Berlin", 2.5), ("Oslo", 1 / 3)))
RANKING = ExpectedAnswer((("Ada",), ("Bela",)), ranked=True)


def answer(outcome: Outcome, *rows: Row) -> Answer:
    return Answer(
        episode_id="e",
        question="q",
        outcome=outcome,
        text="t",
        rows=rows,
        confidence=0.5,
        model="m",
        seconds=0.1,
        session_id="s",
    )


@pytest.mark.parametrize(
    "rows",
    [
        [("Berlin", 2.5), ("Oslo", 0.3333333333)],
        [("Oslo", 0.33), ("Berlin", 2.5)],
        [(0.3333333333, "Oslo"), (2.5, "Berlin")],
        [("Berlin", "Germany", 2.5), ("Oslo", "Norway", 1 / 3)],
    ],
)
def test_groups_may_come_in_any_order_and_rounded_to_cents(rows: list[Row]) -> None:
    assert GROUPS.accepts(rows)


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [("Berlin", 2.5)],
        [("Berlin", 2.5), ("Berlin", 2.5)],
        [("Berlin", 2.5), ("Oslo", 0.4)],
        [("Berlin", 2.5), ("Oslo", None)],
        [("Berlin", 2.5), ("Oslo", 1 / 3), ("Rome", 9)],
        [("Berlin", 2.5, 7), ("Oslo", 1 / 3, 8)],
        [("Berlin",), ("Oslo",)],
    ],
)
def test_a_missing_a_wrong_or_an_ambiguous_value_is_not_accepted(rows: list[Row]) -> None:
    assert not GROUPS.accepts(rows)


def test_a_ranking_must_be_in_order_and_may_show_what_it_ranks_by() -> None:
    assert RANKING.accepts([("Ada", 90), ("Bela", 80)])
    assert not RANKING.accepts([("Bela", 80), ("Ada", 90)])
    assert not RANKING.accepts([("Ada", 90), ("Bela", 80), ("Cem", 70)])


def test_a_count_is_right_only_exactly_and_text_is_no_number() -> None:
    count = ExpectedAnswer(((1000,),))
    assert count.accepts([(1000,)])
    assert count.accepts([(1000.0,)])
    assert not count.accepts([(1001,)])
    assert not count.accepts([("1000",)])


def test_what_cannot_be_answered_wants_an_abstention_or_a_question_back_not_a_failure() -> None:
    nothing = ExpectedAnswer(())
    assert nothing.accepts_answer(answer(Outcome.ABSTAINED))
    assert nothing.accepts_answer(answer(Outcome.CLARIFY))
    assert not nothing.accepts_answer(answer(Outcome.FAILED))
    assert not nothing.accepts_answer(answer(Outcome.ANSWERED, (0,)))


def test_an_abstention_is_no_answer_to_what_can_be_answered() -> None:
    assert not GROUPS.accepts_answer(answer(Outcome.ABSTAINED))


def test_as_json_one_value_stands_by_itself_and_none_is_null() -> None:
    assert ExpectedAnswer(((3,),)).shown == 3
    assert GROUPS.shown == [["Berlin", 2.5], ["Oslo", 1 / 3]]
    assert ExpectedAnswer(()).shown is None
