"""All that is simulated, in two processes."""

import os
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

from benchmarks._evidence.rules import RULES, USED
from benchmarks._evidence.single import (
    EFFECTS,
    FALSE_ALARMS,
    HARMFUL,
    NOISES,
    USELESS,
    Fate,
    Stream,
    coverage,
    fates,
    mean_showings,
    share_retired,
)
from benchmarks._evidence.world import ARMS, Lived, live
from benchmarks._stream.intervals import Interval

SEEDS = range(20)
WORLD_NOISES = (0.1, 0.2, 0.3)
MANY = 2_000
"""Lessons behind the two numbers that matter most: the power at 20 % wrong votes, and the false alarms."""
SOME = 400
"""Lessons behind each of the other false alarms and rules."""
FEW = 150
"""Lessons behind each point of the power curve."""


class Power(NamedTuple):
    """What a rule does with lessons of one kind."""

    retired: Interval
    showings: float


@dataclass(frozen=True)
class Measured:
    """All results."""

    power: dict[tuple[float, float], Power]
    """By true effect and share of wrong votes."""
    alarms: dict[str, Interval]
    """Of lessons without effect, by what befalls them."""
    rules: dict[str, tuple[Power, Interval]]
    """By rule: harmful lessons retired, useless ones retired by mistake."""
    coverage: Interval
    worlds: dict[tuple[str, float], list[Lived]]
    """By arm and share of wrong votes, one for each seed."""


def measure() -> Measured:
    """Simulate everything."""
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
        worlds = {
            (arm, noise): [pool.submit(live, arm, noise, seed) for seed in SEEDS]
            for arm in ARMS
            for noise in WORLD_NOISES
        }
        power = {
            (effect, noise): _split(pool, replace(HARMFUL, effect=effect, noise=noise), FEW)
            for effect in EFFECTS
            for noise in NOISES
        }
        power[HARMFUL.effect, HARMFUL.noise] = _split(pool, HARMFUL, MANY)
        alarms = {
            told: _split(pool, stream, MANY if stream == USELESS else SOME)
            for told, stream in FALSE_ALARMS.items()
        }
        rules = {
            told: (_split(pool, HARMFUL, SOME, told), _split(pool, USELESS, SOME, told))
            for told in RULES
        }
        held = pool.submit(coverage, HARMFUL, SOME)
        return Measured(
            power={key: _power(parts) for key, parts in power.items()},
            alarms={told: share_retired(_joined(parts)) for told, parts in alarms.items()},
            rules={
                told: (_power(harmful), share_retired(_joined(useless)))
                for told, (harmful, useless) in rules.items()
            },
            coverage=held.result(),
            worlds={key: [one.result() for one in parts] for key, parts in worlds.items()},
        )


_PART = 250
"""Lessons that one process takes on at a time."""
Parts = Sequence[Future[list[Fate]]]


def _split(pool: ProcessPoolExecutor, stream: Stream, lessons: int, rule: str = USED) -> Parts:
    return [
        pool.submit(_some, stream, rule, range(start, min(start + _PART, lessons)))
        for start in range(0, lessons, _PART)
    ]


def _some(stream: Stream, rule: str, seeds: Sequence[int]) -> list[Fate]:
    return fates(stream, RULES[rule], seeds)


def _joined(parts: Parts) -> list[Fate]:
    return [fate for part in parts for fate in part.result()]


def _power(parts: Parts) -> Power:
    found = _joined(parts)
    return Power(share_retired(found), mean_showings(found))
