"""A world with helpful, useless and harmful lessons, where votes come late and some are wrong."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import sin
from random import Random
from typing import NamedTuple, Protocol

from oldhand.learning.evidence.weighed import Draws, EvidenceDecision, decided
from oldhand.record.episode import SAME
from oldhand.record.memory import LEAST_CONFIDENCE
from oldhand.record.trial import Trial
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


CHURN = 0.06
"""Share of the answers that a lesson changes besides, for better or worse as chance has it."""
CORRECTED = 0.3
"""Share of the wrong answers that somebody votes down who also says what would have been right."""


class Shown(NamedTuple):
    """One lesson in one answer."""

    lesson: int
    shown: bool
    chance: float
    other: bool | None = None
    """Whether the opposite draw would have been right; None where the answer would have been the same."""


class Heard(NamedTuple):
    """A vote on an answer."""

    drawn: Sequence[Shown]
    success: float
    corrected: bool


class Arm(Protocol):
    """What decides which lessons are shown."""

    def draw(self, lesson: int, random: Random) -> Shown | None:
        """Whether to show a lesson that fits; None when it is not even considered."""
        ...

    def vote(self, heard: Heard) -> None:
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

    def vote(self, heard: Heard) -> None:
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

    def vote(self, heard: Heard) -> None:
        """Raise or lower."""
        for one in heard.drawn:
            if one.shown:
                moved = self._confidence[one.lesson] + (0.1 if heard.success else -0.1)
                self._confidence[one.lesson] = round(min(max(moved, 0.0), 1.0), 3)

    def night(self, episode: int) -> None:
        """Do nothing."""


class HoldOutAndTest:
    """Where a question costs too much to be answered twice: shown at random, decided by the package, each night."""

    def __init__(self) -> None:
        self._limits = TrialSettings()
        self._draws = [Draws(self._limits) for _ in EFFECTS]
        self._chances: list[float | None] = [self._limits.young] * len(EFFECTS)
        self.retired: dict[int, int] = {}
        """Lessons by the episode after which they were retired."""
        self.promoted: dict[int, int] = {}

    def draw(self, lesson: int, random: Random) -> Shown | None:
        """Draw by the chance of its stage."""
        chance = self._chances[lesson]
        return None if chance is None else Shown(lesson, random.random() < chance, chance)

    def vote(self, heard: Heard) -> None:
        """Add to the evidence of each lesson."""
        for one in heard.drawn:
            trial = Trial("", "", _NOW, one.shown, one.chance, heard.success)
            self._draws[one.lesson].add(self.seen(trial, one, heard))

    def seen(self, trial: Trial, one: Shown, heard: Heard) -> Trial:  # noqa: ARG002
        """What is known of a draw: the answer that was shown."""
        return trial

    def night(self, episode: int) -> None:
        """Decide."""
        for lesson, draws in enumerate(self._draws):
            if self._chances[lesson] is None:
                continue
            decision = decided(draws, promoted=lesson in self.promoted)
            if decision is EvidenceDecision.RETIRE:
                self._chances[lesson] = None
                self.retired[lesson] = episode
            elif decision is EvidenceDecision.PROMOTE:
                self._chances[lesson] = self._limits.trusted
                self.promoted[lesson] = episode
            elif lesson not in self.promoted:
                self._chances[lesson] = draws.chance()


class Shadows(HoldOutAndTest):
    """Ours, where a question may be answered both ways: a draw decides only where the answers differ."""

    def seen(self, trial: Trial, one: Shown, heard: Heard) -> Trial:
        """The shadow of a right answer is wrong; a correction tells of both."""
        if one.other is None:
            return trial._replace(shadow=SAME)
        known = 0.0 if heard.success else float(one.other) if heard.corrected else None
        return trial._replace(shadow="other", other=known)


ARMS: dict[str, Callable[[], Arm]] = {
    "keep none": lambda: Always(lambda _: False),
    "keep all": lambda: Always(lambda _: True),
    "confidence only": ConfidenceOnly,
    "draws (ours, language models)": HoldOutAndTest,
    "shadows (ours, built-in mind)": Shadows,
    "only what helps (truth known)": lambda: Always(lambda effect: effect > 0),
}
OURS = "shadows (ours, built-in mind)"
DRAWS = "draws (ours, language models)"
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


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


class Question:
    """One question: which answers are right, and whether a lesson changes them, follows from its name alone."""

    def __init__(self, name: str, base: float) -> None:
        random = Random(name)
        self._base = base
        self._luck = random.random()
        self._churned = {lesson: random.random() < CHURN for lesson in range(len(EFFECTS))}
        self._fresh = {lesson: random.random() for lesson in range(len(EFFECTS))}

    def chance(self, shown: frozenset[int]) -> float:
        """Of a right answer with these lessons."""
        return self._base + sum(EFFECTS[lesson] for lesson in shown)

    def right(self, shown: frozenset[int]) -> bool:
        """Whether it is right: lessons that churn give it other luck."""
        changed = [lesson for lesson in sorted(shown) if self._churned[lesson]]
        luck = self._fresh[changed[-1]] if changed else self._luck
        return luck < self.chance(shown)

    def shadow(self, shown: frozenset[int], lesson: int) -> bool | None:
        """Whether it would be right with the opposite draw of a lesson; None where the rows are the same.

        Two right answers are the same. Two wrong ones differ where the lesson churns.
        """
        right, other = self.right(shown), self.right(shown ^ {lesson})
        differs = right != other or (not right and self._churned[lesson])
        return other if differs else None


def live(arm: str, noise: float, seed: int) -> Lived:
    """Answer all questions of one world with one arm; every arm meets the same questions and the same luck."""
    decides, own = ARMS[arm](), Random(f"own {seed}")
    fits, votes = Random(f"fits {seed}"), Random(f"votes {noise} {seed}")
    waiting: deque[list[Heard]] = deque([] for _ in range(20 * DELAY))
    chances: list[float] = []
    for episode in range(EPISODES):
        offered = fits.sample(range(len(EFFECTS)), RECALLED)
        drawn = [one for lesson in offered if (one := decides.draw(lesson, own))]
        question = Question(f"{seed} {episode}", 0.55 + 0.05 * sin(episode / 1_000))
        shown = frozenset(one.lesson for one in drawn if one.shown)
        chances.append(question.chance(shown))
        right = question.right(shown)
        drawn = [one._replace(other=question.shadow(shown, one.lesson)) for one in drawn]
        said = right != (votes.random() < noise)
        late = min(int(votes.expovariate(1 / DELAY)), len(waiting) - 1)
        judged, corrects = votes.random() < JUDGED, votes.random() < CORRECTED
        if judged:
            corrected = corrects and not said and not right
            waiting[late].append(Heard(drawn, float(said), corrected))
        for heard in waiting.popleft():
            decides.vote(heard)
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
