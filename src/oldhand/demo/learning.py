"""Learning on the job, scene by scene: a wrong answer, a correction, and what becomes of it.

Nothing is scripted: each scene is what the product does, and the answers are compared with those that are right.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from oldhand.demo.course import Course, Exercise
from oldhand.face import AsyncOldhand
from oldhand.loop.night import NightReport
from oldhand.loop.stating import RulePreview
from oldhand.record.answer import Answer
from oldhand.record.fixing import Fixing
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
class SceneBetween:
    """What the owner, or the night, did between two questions."""

    kind: str
    """What `--json` calls it, such as `corrected`."""
    title: str
    said: str
    """What the owner knows or says; empty when nobody says anything."""
    came_of_it: tuple[Receipt | Fixing | RulePreview | NightReport | Memory, ...]
    facts: Mapping[str, object]
    """What `--json` tells of it."""


Scene = QuestionAsked | SceneBetween


def questions_in(scenes: Sequence[Scene]) -> tuple[QuestionAsked, ...]:
    """All questions, in order."""
    return tuple(scene for scene in scenes if isinstance(scene, QuestionAsked))


def has_learned(scenes: Sequence[Scene]) -> bool:
    """Whether it was shown: wrong at first, right by a distilled lesson, wrong again without it."""
    first, *others = questions_in(scenes)
    learned = [one for one in others if one.used]
    return bool(learned) and not first.right and learned[0].right and not others[-1].right


async def learn_on_the_job(old: AsyncOldhand, course: Course) -> AsyncIterator[Scene]:
    """Make a mistake, be corrected, learn, do better, and unlearn it."""
    first = await asked(old, course.first)
    yield first
    receipt = await old.feedback(first.answer, correction=course.correction)
    yield taught("corrected", "The owner corrects it", course.rule, receipt, rule=course.rule)
    reflection = await old.episodes.reflect(first.answer.episode_id)
    facts: dict[str, object] = {"reflection": reflection}
    yield SceneBetween("looked back", "It looks back on its answer", "", (reflection,), facts)
    report = await old.learn()
    lessons = await old.memories.list(type=MemoryType.SEMANTIC)
    facts = {"lessons": lessons}
    yield SceneBetween("distilled", "The night goes over what was learned", "", (report,), facts)
    ids = frozenset(one.id for one in lessons)
    for exercise in course.others:
        scene = await asked(old, exercise, ids)
        yield scene
        if scene.used:
            aside = [
                await old.memories.retire(one.id, reason="to see what the answer is without it")
                for one in scene.why.used
                if one.kind == "lesson"
            ]
            facts = {"lessons": [one.id for one in aside]}
            yield SceneBetween("retired", "What it rests on is set aside", "", (*aside,), facts)
            yield await asked(old, exercise, ids)
            return


async def asked(
    old: AsyncOldhand, exercise: Exercise, lessons: frozenset[str] = frozenset()
) -> QuestionAsked:
    """Ask one question, and look up what its answer rests on."""
    answer = await old.ask(exercise.text)
    return QuestionAsked(exercise, answer, await old.episodes.why(answer.episode_id), lessons)


def taught(kind: str, title: str, said: str, receipt: Receipt, **facts: object) -> SceneBetween:
    """A scene in which the owner says something, from which something is learned."""
    facts["learned"] = [memory.id for memory in receipt.learned]
    return SceneBetween(kind, title, said, (receipt,), facts)
