"""Teaching without SQL, scene by scene: a wrong answer is put right by picking, and the question comes again in other words.

The owner is simulated: knows the rule of the house and the right rows, and picks the choice that says the one and gives the other.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from oldhand.demo.course import Course
from oldhand.demo.learning import Asked, asked
from oldhand.face import AsyncOldhand
from oldhand.lexicon.tokens import tokenise
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


TeachingScene = Asked | Picked


def has_taught(scenes: Sequence[TeachingScene]) -> bool:
    """Whether the answer was wrong at first, and right in other words after the picking."""
    questions = [scene for scene in scenes if isinstance(scene, Asked)]
    picked = any(isinstance(scene, Picked) for scene in scenes)
    return picked and not questions[0].right and len(questions) > 1 and questions[-1].right


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


async def _picked(old: AsyncOldhand, wrong: Asked, course: Course) -> Fixing | None:
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
