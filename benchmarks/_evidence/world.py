"""A world with helpful, useless and harmful lessons, where votes come late and some are wrong."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sin
from random import Random
from typing import NamedTuple, Protocol

from oldhand.learning.evidence.spending import Plan
from oldhand.learning.evidence.watch import Watch
from oldhand.record.memory import LEAST_CONFIDENCE
from oldhand.settings import TrialSettings

EFFECTS = (0.1,) * 6 + (0.0,) * 6 + (-0.1,) * 6
"""What each lesson adds to the chance of a right answer."""
RECALLED = 3
"""Lessons that fit a question."""
EPISODES = 15_000
NIGHT = 150
"""Episodes of one day."""
JUDGED = 0.85
"""Share of the answers that somebody votes on."""
DELAY = 200
"""Episodes until a vote comes, on average."""


class Shown(NamedTuple):
    """One lesson in one answer."""

    lesson: int
    shown: bool
    chance: float


class Arm(Protocol):
    """What decides which lessons are shown."""

    def draw(self, lesson: int, random: Random) -> Shown | None:
        """Whether to show a lesson that fits; None when it is not even considered."""
        ...

    def vote(self, drawn: Sequence[Shown], success: float) -> None:
        """Hear of an answer."""
        ...

    def night(self, episode: int) -> None:
        """Look at everything."""
        ...


class Always:
    """Shows the lessons of a fixed set: all, none, or those that help."""

    def __init__(self, kept: Callable[[float], bool]) -> None:
        self._kept = kept

    def draw(self, lesson: int, random: Random) -> Shown:  # noqa: ARG002
        """Show what is kept."""
        return Shown(lesson, self._kept(EFFECTS[lesson]), 1.0)

    def vote(self, drawn: Sequence[Shown], success: float) -> None:
        """Learn nothing."""

    def night(self, episode: int) -> None:
        """Do nothing."""


class ConfidenceOnly:
    """Each vote moves the confidence of all lessons behind the answer by 0.1; below 0.5 they are no longer shown."""

    def __init__(self) -> None:
        self._confidence = [0.8] * len(EFFECTS)

    def draw(self, lesson: int, random: Random) -> Shown:  # noqa: ARG002
        """Show what is believed."""
        return Shown(lesson, self._confidence[lesson] >= LEAST_CONFIDENCE, 1.0)

    def vote(self, drawn: Sequence[Shown], success: float) -> None:
        """Raise or lower."""
        for one in drawn:
            if one.shown:
                moved = self._confidence[one.lesson] + (0.1 if success else -0.1)
                self._confidence[one.lesson] = round(min(max(moved, 0.0), 1.0), 3)

    def night(self, episode: int) -> None:
        """Do nothing."""


class HoldOutAndTest:
    """Ours: shown at random, promoted and retired by the test of the package, each night."""

    def __init__(self) -> None:
        self._limits = TrialSettings()
        self._watches = [Watch(Plan.of(self._limits)) for _ in EFFECTS]
        self._chances: list[float | None] = [self._limits.young] * len(EFFECTS)
        self.retired: dict[int, int] = {}
        """Lessons by the episode after which they were retired."""
        self.promoted: dict[int, int] = {}

    def draw(self, lesson: int, random: Random) -> Shown | None:
        """Draw by the chance of its stage."""
        chance = self._chances[lesson]
        return None if chance is None else Shown(lesson, random.random() < chance, chance)

    def vote(self, drawn: Sequence[Shown], success: float) -> None:
        """Add to the evidence of each lesson."""
        for one in drawn:
            self._watches[one.lesson].add(one.shown, one.chance, success)

    def night(self, episode: int) -> None:
        """Decide."""
        for lesson, watch in enumerate(self._watches):
            if self._chances[lesson] is None:
                continue
            if watch.harms():
                self._chances[lesson] = None
                self.retired[lesson] = episode
            elif lesson not in self.promoted and watch.helps():
                self._chances[lesson] = self._limits.trusted
                self.promoted[lesson] = episode


ARMS: dict[str, Callable[[], Arm]] = {
    "keep none": lambda: Always(lambda _: False),
    "keep all": lambda: Always(lambda _: True),
    "confidence only": ConfidenceOnly,
    "hold out and test (ours)": HoldOutAndTest,
    "only what helps (truth known)": lambda: Always(lambda effect: effect > 0),
}
OURS = "hold out and test (ours)"


@dataclass(frozen=True)
class Lived:
    """What came of one world."""

    success: float
    """Chance of a right answer in the last fifth."""
    all_along: float
    """The same over the whole time."""
    along: tuple[float, ...]
    """The same in each twentieth of the time."""
    retired: dict[int, int]
    promoted: dict[int, int]


def live(arm: str, noise: float, seed: int) -> Lived:
    """Answer all questions of one world with one arm; every arm meets the same questions and the same luck."""
    decides, own = ARMS[arm](), Random(f"own {seed}")
    fits, luck, votes = (
        Random(f"fits {seed}"),
        Random(f"luck {seed}"),
        Random(f"votes {noise} {seed}"),
    )
    waiting: deque[list[tuple[list[Shown], float]]] = deque([] for _ in range(20 * DELAY))
    chances: list[float] = []
    for episode in range(EPISODES):
        offered = fits.sample(range(len(EFFECTS)), RECALLED)
        drawn = [one for lesson in offered if (one := decides.draw(lesson, own))]
        chance = (
            0.55
            + 0.05 * sin(episode / 1_000)
            + sum(EFFECTS[one.lesson] for one in drawn if one.shown)
        )
        chances.append(chance)
        right = luck.random() < chance
        said = right != (votes.random() < noise)
        late = min(int(votes.expovariate(1 / DELAY)), len(waiting) - 1)
        if votes.random() < JUDGED:
            waiting[late].append((drawn, float(said)))
        for heard in waiting.popleft():
            decides.vote(*heard)
        waiting.append([])
        if episode % NIGHT == NIGHT - 1:
            decides.night(episode)
    return _lived(decides, chances)


def _lived(arm: Arm, chances: Sequence[float]) -> Lived:
    part = len(chances) // 20
    along = tuple(sum(chances[i * part : (i + 1) * part]) / part for i in range(20))
    final = sum(along[-4:]) / 4
    mean = sum(chances) / len(chances)
    if isinstance(arm, HoldOutAndTest):
        return Lived(final, mean, along, arm.retired, arm.promoted)
    return Lived(final, mean, along, {}, {})
