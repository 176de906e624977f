"""How tests between two versions of a prompt end: a simulation in which the truth is known."""

from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, median, stdev
from typing import NamedTuple

from oldhand.learning.evidence.contrast import t_quantile
from oldhand.learning.prompts.beta import Arm
from oldhand.learning.prompts.comparing import PromptVerdict, chance_of, verdict_of, watch_of
from oldhand.settings import PromptSettings

ACTIVE = 0.84
"""Share of right answers of the version in use."""
DIFFERENCES = (-0.10, -0.05, 0.0, 0.05, 0.10)
"""What the version on trial changes."""
SEEDS = 20
TESTS = 25
"""Tests for each seed."""
NIGHTLY = 10
"""Answers between two looks."""
SPAN = 2_000
"""Answers over which is counted what testing has brought."""


class Ended(NamedTuple):
    """One test, when it ended."""

    promoted: bool
    answers: int
    gained: float
    """Right answers within the span, against always using the old version."""


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print the table."""
    limits = PromptSettings()
    print(
        f"The active version is right in {ACTIVE:.0%} of the answers. {SEEDS} seeds with {TESTS} tests each, with 95 % "
        f"intervals over the seeds; a look every {NIGHTLY} answers, from {limits.episodes} on.\n"
    )
    print(
        f"| truth of the candidate | promoted | answers until decided | until promoted | right answers more than with the old version, of {SPAN:,} |"
    )
    print("|---|---|---|---|---|")
    for difference in DIFFERENCES:
        print(_line(difference, limits), flush=True)
    print()


def _line(difference: float, limits: PromptSettings) -> str:
    by_seed = [
        [one_test(ACTIVE + difference, Random(100 * seed + test), limits) for test in range(TESTS)]
        for seed in range(SEEDS)
    ]
    every = [one for tests in by_seed for one in tests]
    of_promoted = [one.answers for one in every if one.promoted]
    until = f"{median(of_promoted):.0f}" if len(of_promoted) >= 10 else "-"
    return (
        f"| {difference:+.2f} | {_told(by_seed, lambda one: 100.0 * one.promoted)} % "
        f"| {median(one.answers for one in every):.0f} | {until} | {_told(by_seed, lambda one: one.gained)} |"
    )


def _told(by_seed: Sequence[Sequence[Ended]], of: Callable[[Ended], float]) -> str:
    """The mean with its interval."""
    means = [fmean(map(of, tests)) for tests in by_seed]
    reach = t_quantile(0.975, len(means) - 1) * stdev(means) / sqrt(len(means))
    return f"{fmean(means):.1f} ± {reach:.1f}"


def one_test(candidate: float, random: Random, limits: PromptSettings) -> Ended:
    """Draw, vote and look until the test ends; it does so at the latest when `most_episodes` are judged."""
    arms = {True: Arm(0, 0), False: Arm(0, 0)}
    shares = {True: candidate, False: ACTIVE}
    watch, gained, number, verdict = watch_of(limits), 0.0, 0, PromptVerdict.WAIT
    while verdict is PromptVerdict.WAIT:
        number += 1
        chance = chance_of(arms[False], arms[True], limits)
        tried = random.random() < chance
        gained += shares[tried] - ACTIVE
        good = random.random() < shares[tried]
        arms[tried] = Arm(arms[tried].good + good, arms[tried].bad + (not good))
        watch.add(tried, chance, float(good))
        if number % NIGHTLY == 0:
            verdict = verdict_of(arms[False], arms[True], watch, limits)
    promoted = verdict is PromptVerdict.PROMOTE
    return Ended(promoted, number, gained + promoted * (SPAN - number) * (candidate - ACTIVE))
