"""One lesson at a time: how often a rule retires it, and after how many showings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sin
from random import Random
from typing import NamedTuple

from benchmarks._evidence.rules import GroupSequential, Rule
from benchmarks._stream.intervals import Interval, clustered

NOISE = 0.2
"""Votes that say the opposite of what is so."""


@dataclass(frozen=True)
class Stream:
    """What happens to a lesson."""

    effect: float
    noise: float = NOISE
    base: float = 0.6
    """Share of right answers without it."""
    showings: int = 1_000
    """After which nobody looks any more."""
    drift: float = 0.0
    """By how much the base rises and falls over time."""
    later: float = 0.5
    """Its chance to be shown in the second half of the time."""
    repeated: int = 1
    """Answers in a row that go well or badly together, as those to one question do."""

    def trials(self, seed: int) -> Iterator[tuple[bool, float, float]]:
        """Whether it was shown, with what chance, and what was said of the answer."""
        draw = Random(f"{self} {seed}").random
        shown_so_far, number, luck = 0, 0, 0.0
        while shown_so_far < self.showings:
            chance = 0.5 if shown_so_far < self.showings / 2 else self.later
            if number % self.repeated == 0:
                luck = draw()
            shown = draw() < chance
            right = luck < self.base + self.drift * sin(number / 250) + self.effect * shown
            said = right != (draw() < self.noise)
            yield shown, chance, float(said)
            shown_so_far += shown
            number += 1


class Fate(NamedTuple):
    """What became of one lesson."""

    retired: bool
    showings: int
    """Until then."""


def fate(stream: Stream, rule: Rule, seed: int) -> Fate:
    """Watch one lesson to its end."""
    showings = 0
    for shown, chance, said in stream.trials(seed):
        showings += shown
        if rule.add(shown, chance, said):
            return Fate(True, showings)
    return Fate(False, showings)


def fates(stream: Stream, make: Callable[[], Rule], seeds: Iterable[int]) -> list[Fate]:
    """What becomes of many lessons of one kind."""
    return [fate(stream, make(), seed) for seed in seeds]


def share_retired(found: Sequence[Fate]) -> Interval:
    """The share that was retired, with its 95 % interval."""
    return clustered((number, float(one.retired)) for number, one in enumerate(found))


def mean_showings(found: Sequence[Fate]) -> float:
    """Showings until it was retired, or nobody looked any more."""
    return sum(one.showings for one in found) / len(found)


def coverage(stream: Stream, lessons: int) -> Interval:
    """How often the 95 % interval holds the effect as votes show it."""
    truth = stream.effect * (1 - 2 * stream.noise)
    held: list[bool] = []
    for seed in range(lessons):
        rule = GroupSequential()
        for trial in stream.trials(seed):
            rule.watch.add(*trial)
        interval = rule.watch.success.interval()
        held.append(interval is not None and interval.low <= truth <= interval.high)
    return clustered((number, float(one)) for number, one in enumerate(held))


USELESS = Stream(0.0)
HARMFUL = Stream(-0.1)
FALSE_ALARMS = {
    "1,000 showings": USELESS,
    "4,000 showings": replace(USELESS, showings=4_000),
    "nearly always right, no wrong votes": replace(USELESS, base=0.95, noise=0.0),
    "the base drifts by ±20 points": replace(USELESS, drift=0.2),
    "shown with 90 % in the second half": replace(USELESS, later=0.9),
    "answers come in tens that go alike": replace(USELESS, repeated=10),
}
"""Lessons without any effect, under conditions that tests may stumble over."""
EFFECTS = (-0.05, -0.1, -0.15, -0.2)
NOISES = (0.0, 0.1, 0.2, 0.3)
