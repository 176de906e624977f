"""Learning on the job, scene by scene: a wrong answer, a correction, and what becomes of it.

Nothing is scripted: each scene is what the product does, and the answers are compared with those that are right.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from oldhand.demo.course import Course, Exercise
from oldhand.face import AsyncOldhand
from oldhand.loop.night import NightReport
from oldhand.record.answer import Answer
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.receipt import Receipt
from oldhand.record.why import Why


@dataclass(frozen=True)
class QuestionAsked:
    """A question was answered."""

    exercise: Exercise
    answer: Answer
    why: Why
    lessons: frozenset[str]
    """Ids of what was distilled and is in force."""

    @property
    def right(self) -> bool:
        """Whether the answer is the right one."""
        return self.exercise.expected.accepts_answer(self.answer)

    @property
    def used(self) -> frozenset[str]:
        """Ids of the distilled lessons that it rests on."""
        return frozenset(one.id for one in self.why.used) & self.lessons


@dataclass(frozen=True)
class OwnerCorrected:
    """The owner said what would have been right."""

    rule: str
    receipt: Receipt


@dataclass(frozen=True)
class LookedBack:
    """The answer was reflected on."""

    reflection: Memory


@dataclass(frozen=True)
class NightDistilled:
    """The night made lessons of it."""

    report: NightReport
    lessons: tuple[Memory, ...]


@dataclass(frozen=True)
class Retired:
    """What the answer rested on was set aside."""

    lessons: tuple[Memory, ...]


Scene = QuestionAsked | OwnerCorrected | LookedBack | NightDistilled | Retired


@dataclass(frozen=True)
class ScenesOutcome:
    """What the scenes have shown."""

    scenes: tuple[Scene, ...]

    @property
    def asked(self) -> tuple[QuestionAsked, ...]:
        """All questions, in order."""
        return tuple(scene for scene in self.scenes if isinstance(scene, QuestionAsked))

    @property
    def succeeded(self) -> bool:
        """Wrong at first, right by a distilled lesson, wrong again without it."""
        first, *others = self.asked
        learned = [one for one in others if one.used]
        return bool(learned) and not first.right and learned[0].right and not others[-1].right


async def learn_on_the_job(old: AsyncOldhand, course: Course) -> AsyncIterator[Scene]:
    """Make a mistake, be corrected, learn, do better, and unlearn it.

    Args:
        old: an assistant over the company that the course is about, that has learned nothing yet.
        course: what is asked, and what the owner says.
    """
    yield await asked(old, course.first, frozenset())
    wrong = (await old.episodes.list(limit=1))[0]
    yield OwnerCorrected(course.rule, await old.feedback(wrong.id, correction=course.correction))
    yield LookedBack(await old.episodes.reflect(wrong.id))
    report = await old.learn()
    lessons = await old.memories.list(type=MemoryType.SEMANTIC)
    yield NightDistilled(report, lessons)
    ids = frozenset(one.id for one in lessons)
    for exercise in course.others:
        scene = await asked(old, exercise, ids)
        yield scene
        if scene.used:
            yield await _retired(old, scene)
            yield await asked(old, exercise, ids)
            return


async def asked(old: AsyncOldhand, exercise: Exercise, lessons: frozenset[str]) -> QuestionAsked:
    """Ask one question, and look up what its answer rests on."""
    answer = await old.ask(exercise.text)
    return QuestionAsked(exercise, answer, await old.episodes.why(answer.episode_id), lessons)


async def _retired(old: AsyncOldhand, asked: QuestionAsked) -> Retired:
    """Set aside all that the answer rests on."""
    aside = [
        await old.memories.retire(one.id, reason="to see what the answer is without it")
        for one in asked.why.used
        if one.kind == "lesson"
    ]
    return Retired(tuple(aside))
