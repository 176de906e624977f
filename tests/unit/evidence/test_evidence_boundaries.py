"""The bounds against published tables, and what they promise by simulation."""

from math import e, inf, log, sqrt
from random import Random

import pytest

from oldhand.learning.evidence.boundaries import Bounds, crossing
from oldhand.learning.evidence.spending import SpendingPlan, obrien_fleming, power_family

FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0)


def pocock(alpha: float, share: float) -> float:
    return alpha * log(1 + (e - 1) * share)


def bounds_for(spending, alpha: float, shares) -> list[float]:
    bounds = Bounds()
    return [bounds.at_next(share, spending(alpha, share)) for share in shares]


@pytest.mark.parametrize(
    ("spending", "expected"),
    [
        # Lan and DeMets' functions at 5 even looks, one-sided 0.025, as gsDesign and East print them.
        (obrien_fleming, (4.8769, 3.3569, 2.6803, 2.2898, 2.0310)),
        (pocock, (2.4380, 2.4268, 2.4101, 2.3966, 2.3859)),
    ],
)
def test_the_bounds_are_those_of_the_published_tables(spending, expected):
    assert bounds_for(spending, 0.025, FIFTHS) == pytest.approx(expected, abs=0.002)


@pytest.mark.parametrize(
    ("at", "looks"),
    [
        # Jennison and Turnbull (2000), tables 2.1 and 2.3, two-sided 0.05: each side spends half of it.
        ([2.413] * 5, 5),
        ([2.178] * 2, 2),
        ([2.555] * 10, 10),
        ([2.040 * sqrt(5 / look) for look in range(1, 6)], 5),
        ([2.087 * sqrt(10 / look) for look in range(1, 11)], 10),
    ],
)
def test_classic_bounds_are_crossed_with_the_probability_they_promise(at, looks):
    assert sum(crossing(range(1, looks + 1), at)) == pytest.approx(0.025, abs=0.0002)


def test_unequal_looks_spend_exactly_what_they_may():
    shares = (0.11, 0.13, 0.4, 0.42, 0.9, 1.0)
    at = bounds_for(power_family, 0.05, shares)
    spent = 0.0
    for share, part in zip(shares, crossing(shares, at), strict=True):
        spent += part
        assert spent == pytest.approx(power_family(0.05, share), abs=0.0003)


def test_brownian_motion_crosses_as_often_as_planned():
    plan, random = SpendingPlan(alpha=0.05, horizon=1000), Random(5)
    looks = [50.0 * number for number in range(1, 21)]
    bounds = Bounds()
    at = [bounds.at_next(look, plan.spent(look)) for look in looks]

    def crosses() -> bool:
        total = 0.0
        for look, bound in zip(looks, at, strict=True):
            total += random.gauss(0, sqrt(50))
            if total / sqrt(look) >= bound:
                return True
        return False

    share = sum(crosses() for _ in range(20_000)) / 20_000
    assert share == pytest.approx(plan.spent(1000), abs=0.0045)


def test_nothing_is_spent_where_nothing_may_be():
    assert Bounds().at_next(1.0, 0.0) == inf


def test_all_horizons_together_never_spend_more_than_allowed():
    plan = SpendingPlan(alpha=0.05, horizon=1000)
    spent = [plan.spent(1.07**step) for step in range(400)]
    assert spent == sorted(spent)
    assert 0.0499 < spent[-1] <= 0.05


def test_looks_always_move_on():
    plan, showings, looks = SpendingPlan(alpha=0.05, horizon=1000), 0.0, []
    while showings < 50_000:
        showings = plan.next_look(showings)
        looks.append(showings)
    assert looks == sorted(set(looks))
    assert len(looks) < 70
