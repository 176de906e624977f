from functools import cache

import pytest

from oldhand.demo.company import make_company
from oldhand.demo.questions import Question, QuestionKind, make_questions

KINDS = list(QuestionKind)[:8]
"""Those that are asked of databases."""

SEEDS = range(100, 110)


@cache
def questions_of(seed: int) -> tuple[Question, ...]:
    return make_questions(make_company(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_eight_questions_of_rising_difficulty_all_but_the_last_with_an_answer(seed: int) -> None:
    questions = questions_of(seed)
    assert [question.kind for question in questions] == KINDS
    assert [bool(question.expected.rows) for question in questions] == [True] * 7 + [False]
    assert [question.expected.ranked for question in questions] == [False] * 3 + [True] + [
        False
    ] * 4
    assert all("{" not in question.text for question in questions)


def test_the_seed_changes_what_is_asked_and_how() -> None:
    asked = [questions_of(seed) for seed in SEEDS]
    for number, kind in enumerate(KINDS):
        assert len({questions[number].text for questions in asked}) >= 5, kind


def test_the_same_seed_asks_the_same() -> None:
    assert questions_of(100) == make_questions(make_company(100))
