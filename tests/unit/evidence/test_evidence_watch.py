"""The test of one lesson: what it retires, what it spares, and that looking often changes nothing."""

from random import Random

import pytest

from oldhand.learning.evidence.spending import SpendingPlan
from oldhand.learning.evidence.watch import Watch
from oldhand.settings import TrialSettings

PLAN = SpendingPlan.of(TrialSettings())


def watched(
    seed: int, effect: float, *, noise: float = 0.2, showings: int = 1_000, chance: float = 0.5
) -> Watch:
    random, watch, shown_so_far = Random(seed), Watch(PLAN), 0
    while shown_so_far < showings:
        shown = random.random() < chance
        right = random.random() < 0.7 + effect * shown
        watch.add(shown, chance, float(right != (random.random() < noise)))
        shown_so_far += shown
    return watch


def test_harmful_lessons_are_mostly_retired_within_a_thousand_showings():
    retired = [watched(seed, -0.1).harms() is not None for seed in range(150)]
    assert sum(retired) / len(retired) >= 0.74


def test_useless_lessons_are_rarely_retired_or_promoted():
    found = [watched(seed, 0.0) for seed in range(200)]
    assert sum(one.harms() is not None for one in found) / len(found) < 0.07
    assert sum(one.helps() is not None for one in found) / len(found) < 0.07


def test_helpful_lessons_are_promoted_and_never_retired():
    found = [watched(seed, 0.1, noise=0.1) for seed in range(60)]
    assert not any(one.harms() for one in found)
    assert sum(one.helps() is not None for one in found) > 48


def test_false_alarms_stay_rare_where_hardly_anything_is_held_out():
    found = [watched(seed, 0.0, noise=0.0, chance=0.9, showings=3_000) for seed in range(80)]
    assert sum(one.harms() is not None for one in found) / len(found) < 0.06


def test_great_harm_is_seen_early():
    crossing = watched(1, -0.4, noise=0.1).harms()
    assert crossing is not None
    assert crossing.look.showings <= 300


@pytest.mark.parametrize("every", [1, 7, 400])
def test_how_often_one_asks_makes_no_difference(every):
    random, watch, first = Random(4), Watch(PLAN), None
    for number in range(2_500):
        shown = random.random() < 0.5
        watch.add(shown, 0.5, float(random.random() < 0.6 - 0.12 * shown))
        if number % every == 0 and first is None:
            first = watch.harms()
    last = watch.harms()
    assert last is not None
    assert first in {None, last}
    assert every == 400 or first == last


def test_what_comes_later_does_not_undo_what_was_seen():
    watch = watched(2, -0.3)
    seen = watch.harms()
    for number in range(4_000):
        watch.add(number % 2 == 0, 0.5, float(number % 2 == 0))
    assert watch.harms() == seen


def test_answers_that_are_always_right_decide_nothing():
    watch = Watch(PLAN)
    for number in range(10_000):
        watch.add(number % 2 == 0, 0.5, 1.0)
    assert watch.harms() is None
    assert watch.helps() is None


def test_partial_successes_count_as_such():
    watch = Watch(PLAN)
    random = Random(3)
    for _ in range(2_000):
        shown = random.random() < 0.5
        watch.add(shown, 0.5, 0.5 + 0.2 * random.random() - 0.1 * shown)
    assert watch.harms() is not None
