"""Recall before acting: what of all that was learned a mind gets to see, and the record of it."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from oldhand.errors.mishaps import Mishap
from oldhand.learning.evidence import Drawn, HoldOut
from oldhand.learning.recall import Recall
from oldhand.loop.ground import LoopPart
from oldhand.record.effect import Alias, RowRule, ValueMapping
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.lesson import Lesson
from oldhand.record.memory import ExamplePayload, IssuePayload, Memory
from oldhand.record.situation import Situation, situation_of
from oldhand.settings import RecallSettings

Fitting = Callable[[tuple[Lesson, ...]], tuple[Lesson, ...]]
"""Which of the lessons a mind can take in, in their order."""


def all_of(lessons: tuple[Lesson, ...]) -> tuple[Lesson, ...]:
    """For a mind that takes in whatever there is."""
    return lessons


@dataclass(frozen=True)
class Considered:
    """What was recalled for one question."""

    lessons: tuple[Lesson, ...] = ()
    """Most useful first."""
    drawn: tuple[Drawn, ...] = ()
    """Those that the mind has room for, and whether it gets to see them."""
    shadows: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the opposite draws would have answered, by lesson; as in `Recalled.shadow`."""

    @property
    def shown(self) -> tuple[Lesson, ...]:
        """Those that the mind got to see."""
        return tuple(one.lesson for one in self.drawn if one.shown)

    def among(self, lessons: Collection[Lesson]) -> "Considered":
        """What is left where only these lessons may be known to who asks."""
        known = {one.id for one in lessons}
        left = tuple(one for one in self.lessons if one.id in known)
        drawn = tuple(one for one in self.drawn if one.lesson.id in known)
        return self if len(left) == len(self.lessons) else replace(self, lessons=left, drawn=drawn)

    def recollection(
        self,
        episode_id: str,
        used: Collection[str] | None,
        notes: Iterable[Recalled] = (),
    ) -> Recollection:
        """The record of it, and of versions of prompts and notes of evaluators after the lessons.

        `used` are ids of the memories that the answer rests on; None when that can't be told.
        """
        return Recollection(episode_id=episode_id, items=in_order(self.recalled(used), notes))

    def recalled(self, used: Collection[str] | None = None) -> tuple[Recalled, ...]:
        """The record of the lessons alone."""
        drawn = {one.lesson.id: one for one in self.drawn}
        return tuple(
            Recalled(
                kind="memory",
                item_id=lesson.id,
                rank=rank,
                score=lesson.score,
                shown=lesson.id in drawn and drawn[lesson.id].shown,
                chance=drawn[lesson.id].chance if lesson.id in drawn else 1.0,
                used=None if used is None else lesson.id in used,
                shadow=self.shadows.get(lesson.id),
            )
            for rank, lesson in enumerate(self.lessons, 1)
        )


def in_order(*recalled: Iterable[Recalled]) -> tuple[Recalled, ...]:
    """All of them, ranked one after the other."""
    ranked = enumerate(chain(*recalled), 1)
    return tuple(one.model_copy(update={"rank": rank}) for rank, one in ranked)


@dataclass(frozen=True)
class Recalling(LoopPart):
    """Recalls for the turns of one clone; a recall that fails recalls nothing. Methods block."""

    limits: RecallSettings
    hold_out: HoldOut
    fitting: Fitting = all_of

    def consider(
        self, question: str, user: str, databases: Collection[str], tools: Collection[str] = ()
    ) -> Considered:
        """What is known that fits `question`, of the clone's own and of `user`'s memories.

        Without any tools, asking the databases is all that can be done.
        """
        asking = tools or [f"sql:{name}" for name in databases]
        situation = situation_of(question, tools=asking, databases=databases)
        found = self.mishaps.spared("recall", lambda: self._considered(question, user, situation))
        return Considered() if isinstance(found, Mishap) else found

    def _considered(self, question: str, user: str, situation: Situation) -> Considered:
        recall = Recall.of_store(self.store, self.clone_id, self.limits, self.clock, user)
        with self.store.snapshot():
            lessons = recall.recall(
                question,
                concerns=lambda memory: _concerns(memory, situation.databases),
                situation=situation,
            )
        return Considered(lessons, self.hold_out.draw(self.fitting(lessons)))


def _concerns(memory: Memory, databases: Collection[str]) -> bool:
    """False when a memory is about a database that is not at hand."""
    about = memory.payload if memory.effect is None else memory.effect
    if isinstance(about, ExamplePayload | IssuePayload | Alias | RowRule | ValueMapping):
        return about.database is None or about.database in databases
    return True
