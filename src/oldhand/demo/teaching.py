"""Teaching without SQL, scene by scene: by picking, by words, by a yes to a proposal, and by a rule; each with what changes next.

The owner is simulated: knows the rules of the house and the right rows, and picks the choice that says the one and gives the other.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from oldhand.demo.company import Company
from oldhand.demo.course import Course, Exercise, make_customer_questions, teaching_courses
from oldhand.demo.learning import QuestionAsked, asked
from oldhand.face import AsyncOldhand
from oldhand.lexicon.tokens import tokenise
from oldhand.loop.stating import RulePreview
from oldhand.record.fixing import Fixing, Pick
from oldhand.record.receipt import Receipt

_SHORTEST = 6
"""Letters of the words by which a choice is known to say the rule."""


@dataclass(frozen=True)
class Picked:
    """The owner picked what was meant, and confirmed it."""

    rule: str
    fixing: Fixing
    receipt: Receipt


@dataclass(frozen=True)
class Told:
    """The owner said in words what should be different."""

    words: str
    receipt: Receipt


@dataclass(frozen=True)
class Agreed:
    """The owner said yes to the reading that was proposed."""

    reading: str
    receipt: Receipt


@dataclass(frozen=True)
class RuleStated:
    """The owner stated a rule."""

    sentence: str
    rule: RulePreview


Lesson = Picked | Told | Agreed | RuleStated
TeachingScene = QuestionAsked | Lesson


def has_taught(scenes: Sequence[TeachingScene]) -> bool:
    """Whether each way of teaching was shown, and each made a question right that was not answered rightly before."""
    ways = [place for place, scene in enumerate(scenes) if not isinstance(scene, QuestionAsked)]
    shown = {type(scenes[place]) for place in ways} == {Picked, Told, Agreed, RuleStated}
    return (
        shown
        and ways[-1] + 1 < len(scenes)
        and all(
            isinstance(before, QuestionAsked)
            and not before.right
            and isinstance(after, QuestionAsked)
            and after.right
            for place in ways
            for before, after in [(scenes[place - 1], scenes[place + 1])]
        )
    )


async def teach_without_sql(old: AsyncOldhand, company: Company) -> AsyncIterator[TeachingScene]:
    """Make mistakes, be put right without SQL in four ways, and do better with the next question after each.

    Args:
        old: an assistant over the company, that has learned nothing yet.
        company: what is asked about.
    """
    courses = teaching_courses(company)
    async for scene in teach_by_picking(old, courses[0]):
        yield scene
    async for scene in _teach_by_words(old, courses[1]):
        yield scene
    customers = make_customer_questions(company)
    async for scene in _teach_by_agreeing(old, *customers.unclear):
        yield scene
    async for scene in _teach_by_rule(old, customers.rule, *customers.ruled):
        yield scene


async def _teach_by_words(old: AsyncOldhand, course: Course) -> AsyncIterator[TeachingScene]:
    first = await asked(old, course.first, frozenset())
    yield first
    yield Told(course.words, await old.feedback(first.answer, correction=course.words))
    yield await asked(old, course.others[0], frozenset())


async def _teach_by_agreeing(
    old: AsyncOldhand, unclear: Exercise, again: Exercise
) -> AsyncIterator[TeachingScene]:
    first = await asked(old, unclear, frozenset())
    yield first
    if first.answer.proposal is None:
        return
    receipt = await old.feedback(first.answer, rating=1)
    yield Agreed(first.answer.proposal.reading, receipt)
    yield await asked(old, again, frozenset())


async def _teach_by_rule(
    old: AsyncOldhand, rule: str, before: Exercise, after: Exercise
) -> AsyncIterator[TeachingScene]:
    yield await asked(old, before, frozenset())
    yield RuleStated(rule, await old.rules.add(rule))
    yield await asked(old, after, frozenset())


async def teach_by_picking(old: AsyncOldhand, course: Course) -> AsyncIterator[TeachingScene]:
    """Make a mistake, be put right without SQL, and do better with the same question in other words.

    Args:
        old: an assistant over the company that the course is about, that has learned nothing yet.
        course: what is asked, and the rule that the owner knows.
    """
    first = await asked(old, course.first, frozenset())
    yield first
    found = await _picked(old, first, course)
    if found is None:
        return
    receipt = await old.episodes.fix(first.answer, found.picked)
    yield Picked(course.rule, found, receipt)
    yield await asked(old, course.others[0], frozenset())


async def _picked(old: AsyncOldhand, wrong: QuestionAsked, course: Course) -> Fixing | None:
    """What the owner picks; None where no choice says the rule."""
    rule = {one.stem for one in tokenise(course.rule) if len(one.text) >= _SHORTEST}
    fixing = await old.episodes.fixing(wrong.answer)
    for part in fixing.parts:
        for number, choice in enumerate(part.choices, 1):
            if rule.isdisjoint(one.stem for one in tokenise(choice)):
                continue
            pick: Pick = part.number, number
            tried = await old.episodes.fixing(wrong.answer, [pick])
            if tried.after is not None and course.first.expected.accepts(tried.after.rows):
                return tried
    return None
