"""The estimate: unbiased whatever happens around it, with intervals that hold the truth."""

from collections.abc import Callable
from math import sin
from random import Random

import pytest

from oldhand.learning.evidence.contrast import LEAST, Contrast


def estimated(seed: int, trials: int, chance: Callable[[int], float], outcome) -> Contrast:
    random, contrast = Random(f"lesson {seed}"), Contrast(0.5)
    for number in range(trials):
        p = chance(number)
        shown = random.random() < p
        contrast.add(shown, p, outcome(number, shown, random))
    return contrast


def right(base: float, effect: float):
    return lambda number, shown, random: float(random.random() < base + effect * shown)


def drifting(number: int, shown: bool, random: Random) -> float:
    return float(random.random() < 0.5 + 0.35 * sin(number / 300) - 0.1 * shown)


@pytest.mark.parametrize(
    ("chance", "outcome", "truth"),
    [
        (lambda _: 0.5, right(0.6, 0.1), 0.1),
        (lambda _: 0.9, right(0.9, -0.1), -0.1),
        (lambda number: 0.5 if number < 400 else 0.9, right(0.6, 0.1), 0.1),
        (lambda number: 0.5 if number < 400 else 0.9, drifting, -0.1),
    ],
    ids=["even", "mostly shown", "promoted on the way", "promoted while the base drifts"],
)
def test_the_estimate_is_unbiased_and_its_interval_holds_the_truth(chance, outcome, truth):
    found = [estimated(seed, 800, chance, outcome).interval() for seed in range(400)]
    assert None not in found
    means = [one.mean for one in found]
    assert sum(means) / len(means) == pytest.approx(truth, abs=0.008)
    held = sum(one.low <= truth <= one.high for one in found)
    assert held / len(found) >= 0.93


def test_plain_shares_would_be_misled_where_chances_and_rates_change_together():
    """Promoted in bad times, a useless lesson looks harmful to whoever just compares shares."""
    contrast = estimated(
        1, 20_000, lambda n: 0.5 if n < 10_000 else 0.9,
        lambda n, _, random: float(random.random() < (0.8 if n < 10_000 else 0.4)),
    )  # fmt: skip
    shown, held_out = contrast.means()
    assert shown is not None
    assert held_out is not None
    assert shown - held_out < -0.1
    interval = contrast.interval()
    assert interval is not None
    assert abs(interval.mean) < 0.02


def test_too_few_of_either_kind_give_no_interval():
    contrast = Contrast()
    for _ in range(100):
        contrast.add(True, 0.9, 1.0)
    for number in range(LEAST):
        assert contrast.interval() is None, number
        contrast.add(False, 0.9, 0.0)
    assert contrast.interval() is not None


def test_outcomes_that_never_differ_have_no_effect():
    contrast = Contrast()
    for number in range(40):
        contrast.add(number % 2 == 0, 0.5, 0.75)
    interval = contrast.interval()
    assert interval is not None
    assert (interval.mean, interval.low, interval.high) == pytest.approx((0, 0, 0), abs=1e-12)


def test_seconds_and_dollars_are_estimated_too():
    found = estimated(
        3, 2_000, lambda _: 0.5, lambda _, shown, random: random.expovariate(1.0) + 0.5 * shown
    )
    interval = found.interval()
    assert interval is not None
    assert interval.low < 0.5 < interval.high
    assert interval.low > 0
