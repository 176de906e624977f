"""Arithmetic in plain words."""

import pytest

from oldhand.agent.analyst.arithmetic import computed
from oldhand.record.situation import Intent, intent_of


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What's 2+2?", "4"),
        ("What is 2 + 2?", "4"),
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4 =", "20"),
        ("calculate 7 times 6", "42"),
        ("7 x 6", "42"),
        ("100 divided by 8", "12.5"),
        ("what is 10 minus 3 minus 2?", "5"),
        ("-2 ^ 2", "-4"),
        ("3 squared", "9"),
        ("15% of 80", "12"),
        ("12.5 percent of 200", "25"),
        ("1,200 + 300", "1500"),
        ("square root of 144", "12"),
        ("What is the sum of 2, 3 and 4?", "9"),
        ("0.1 + 0.2", "0.3"),
        ("1 / 8", "0.125"),
    ],
)
def test_what_can_be_said_exactly_is(question, value):
    assert computed(question).endswith(f" = {value}")
    assert intent_of(question) is Intent.CALCULATION


@pytest.mark.parametrize(("question", "value"), [("1 / 3", "0.333333333333"), ("sqrt 2", "1.41421356237")])  # fmt: skip
def test_what_has_no_end_is_said_to_be_cut(question, value):
    assert computed(question).endswith(f"is about {value}")


@pytest.mark.parametrize(
    "question",
    ["How many orders?", "2024", "", "2 +", "(2 + 3", "2 2", "what is churn?", "10 % 3 orders", "two plus two"],
)  # fmt: skip
def test_anything_else_is_not_computed(question):
    assert computed(question) is None


@pytest.mark.parametrize(
    "question", ["1/0", "0 ^ -1", "sqrt -4", "9^9^9^9", "(10^1000)^1000", "sqrt (0 - 4)"]
)
def test_what_has_no_value_is_said_to_have_none(question):
    said = computed(question)
    assert said is None or "has no value" in said


def test_a_very_long_sum_ends_in_time():
    assert computed("+".join(["1"] * 5_000)) is None
