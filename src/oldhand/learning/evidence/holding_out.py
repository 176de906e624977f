"""Which lessons an answer is made without, at random, so that their effect can be told."""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, cast

from oldhand.learning.lifecycle.quarantine import TRIAL
from oldhand.record.lesson import Lesson
from oldhand.record.memory import Memory
from oldhand.record.stage import Stage, is_on_trial, is_shown, stage_of
from oldhand.settings import TrialSettings


class Drawn(NamedTuple):
    """What became of one lesson for one answer."""

    lesson: Lesson
    shown: bool
    chance: float
    """The probability with which it was to be shown, fixed before the draw."""


@dataclass(frozen=True)
class HoldOut:
    """Draws for each lesson on its own whether it is shown; what is not on trial always is.

    >>> from oldhand.record.memory import MemoryType
    >>> from oldhand.testing.records import example_memory
    >>> kinds = (MemoryType.EXAMPLE, MemoryType.SEMANTIC)
    >>> found = {"source": "execution"}
    >>> lessons = tuple(Lesson(memory=example_memory(kind, kind, provenance=found)) for kind in kinds)
    >>> [(one.lesson.id, one.shown, one.chance) for one in HoldOut(TrialSettings(), Random(1)).draw(lessons)]
    [('example', True, 1.0), ('semantic', True, 0.5)]
    """

    limits: TrialSettings
    random: Random

    def draw(self, lessons: Iterable[Lesson]) -> tuple[Drawn, ...]:
        """Draw once for an answer: whatever is done for it later rests on the same lessons.

        Give those that the mind has room for, so that chance alone decides; what is retired or set aside is left out.
        """
        return tuple(self._drawn(lesson) for lesson in lessons if is_shown(lesson.memory))

    def _drawn(self, lesson: Lesson) -> Drawn:
        chance = self.chance(lesson.memory)
        return Drawn(lesson, chance >= 1 or self.random.random() < chance, chance)

    def chance(self, memory: Memory) -> float:
        """The probability with which a memory is shown that may be shown at all; 1 for what is not on trial."""
        if not is_on_trial(memory):
            return 1.0
        if stage_of(memory) is Stage.TRUSTED:
            return self.limits.trusted
        return kept_chance(memory) or self.limits.young


def kept_chance(memory: Memory) -> float | None:
    """The chance that the last night gave a lesson, by what was known of it then; None where it gave none."""
    trial = (memory.payload.model_extra or {}).get(TRIAL)
    kept = cast("dict[str, object]", trial).get("chance") if isinstance(trial, dict) else None
    return kept if isinstance(kept, float) and 0 < kept < 1 else None
