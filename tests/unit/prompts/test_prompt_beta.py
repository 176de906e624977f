"""Two shares of successes compared: against numbers that follow from counting alone."""

from random import Random

import pytest

from oldhand.learning.prompts.beta import Arm, chance_better, expected_loss

ARMS = [(Arm(0, 0), Arm(5, 5)), (Arm(46, 4), Arm(42, 8)), (Arm(3, 9), Arm(7, 2)), (Arm(200, 40), Arm(20, 8)), (Arm(9, 3), Arm(1, 30))]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ARMS)
def test_the_chance_to_be_better_is_that_of_draws(one, other):
    random = Random(1)
    draws = [
        random.betavariate(one.good + 1, one.bad + 1)
        > random.betavariate(other.good + 1, other.bad + 1)
        for _ in range(20_000)
    ]
    assert chance_better(one, other) == pytest.approx(sum(draws) / len(draws), abs=0.015)


@pytest.mark.parametrize(("one", "other"), ARMS)
def test_one_of_the_two_is_better(one, other):
    assert chance_better(one, other) + chance_better(other, one) == pytest.approx(1)


@pytest.mark.parametrize(("one", "other"), ARMS)
def test_the_expected_loss_is_that_of_draws(one, other):
    random = Random(2)
    lost = [
        max(
            random.betavariate(other.good + 1, other.bad + 1)
            - random.betavariate(one.good + 1, one.bad + 1),
            0,
        )
        for _ in range(20_000)
    ]
    assert expected_loss(one, other) == pytest.approx(sum(lost) / len(lost), abs=0.005)


def test_what_is_lost_one_way_and_the_other_differs_by_the_difference():
    one, other = Arm(46, 4), Arm(42, 8)
    gap = expected_loss(other, one) - expected_loss(one, other)
    assert gap == pytest.approx(one.mean - other.mean)


def test_thousands_of_outcomes_are_no_trouble():
    assert chance_better(Arm(1_900, 100), Arm(1_700, 300)) > 0.999
    assert expected_loss(Arm(1_900, 100), Arm(1_700, 300)) < 1e-6
