"""Tests between two versions of a prompt, simulated: how often they end rightly."""

from random import Random

from benchmarks.prompt_tests import ACTIVE, one_test

from oldhand.settings import PromptSettings


def promoted(difference: float, tests: int) -> int:
    limits = PromptSettings()
    return sum(one_test(ACTIVE + difference, Random(seed), limits).promoted for seed in range(tests))  # fmt: skip


def test_a_version_that_changes_nothing_is_rarely_promoted_however_often_somebody_looks():
    assert promoted(0.0, 100) <= 10


def test_a_much_better_version_is_nearly_always_found():
    assert promoted(0.10, 40) >= 34


def test_a_worse_version_is_not_promoted():
    assert promoted(-0.05, 40) <= 1
