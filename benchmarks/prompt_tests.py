"""How tests between two versions of a prompt end: a simulation in which the truth is known."""

from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import NamedTuple

from oldhand.learning.prompts.beta import Arm
from oldhand.learning.prompts.comparing import Verdict, chance_of, verdict_of
from oldhand.settings import PromptSettings

ACTIVE = 0.84
"""Share of right answers of the version in use."""
DIFFERENCES = (-0.08, -0.04, 0.0, 0.08)
"""What the version on trial changes."""
TESTS = 150
NIGHTLY = 10
"""Answers between two looks."""


class Ended(NamedTuple):
    """One test, when it ended."""

    promoted: bool
    answers: int
    lost: float
    """Right answers that the draws have cost, against always using the better version."""


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print the table."""
    limits = PromptSettings()
    print(
        f"The active version is right in {ACTIVE:.0%} of the answers. {TESTS} tests for each line; a look every {NIGHTLY} "
        f"answers, from {limits.episodes} on.\n"
    )
    print(
        "| truth of the candidate | promoted | answers until decided, median | drawn too often, right answers lost |"
    )
    print("|---|---|---|---|")
    for difference in DIFFERENCES:
        random = Random(7)
        ended = [one_test(ACTIVE + difference, random, limits) for _ in range(TESTS)]
        print(
            f"| {difference:+.2f} | {fmean(one.promoted for one in ended):.1%} | {median(one.answers for one in ended):.0f} "
            f"| {fmean(one.lost for one in ended):.1f} |"
        )
    print()


def one_test(candidate: float, random: Random, limits: PromptSettings) -> Ended:
    """Draw, vote and look until the test ends, or 20 times the most that it should take."""
    arms = {True: Arm(0, 0), False: Arm(0, 0)}
    shares = {True: candidate, False: ACTIVE}
    lost = 0.0
    for number in range(1, 20 * limits.most_episodes):
        tried = random.random() < chance_of(arms[False], arms[True], limits)
        lost += max(shares.values()) - shares[tried]
        good = random.random() < shares[tried]
        arms[tried] = Arm(arms[tried].good + good, arms[tried].bad + (not good))
        if number % NIGHTLY == 0:
            verdict = verdict_of(arms[False], arms[True], limits)
            if verdict is not Verdict.WAIT:
                return Ended(verdict is Verdict.PROMOTE, number, lost)
    return Ended(False, 20 * limits.most_episodes, lost)
