"""Teaching without SQL, scene by scene: by picking, by words, by a yes to a proposal, and by a rule; each with what changes next.

The owner is simulated: knows the rules of the house and the right rows, and picks the choice that says the one and gives the other.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from oldhand.demo.company import Company
from oldhand.demo.course import Course, Exercise, make_customer_questions, teaching_courses
from oldhand.demo.learning import QuestionAsked, Scene, SceneBetween, asked, taught
from oldhand.face import AsyncOldhand
from oldhand.lexicon.tokens import tokenise
from oldhand.record.fixing import Fixing, Pick

_SHORTEST = 6
"""Letters of the words by which a choice is known to say the rule."""
_WAYS = {"picked", "told", "agreed", "stated"}


def has_taught(scenes: Sequence[Scene]) -> bool:
    """Whether each way of teaching was shown, and each made a question right that was not answered rightly before."""
    ways = [n for n, scene in enumerate(scenes) if isinstance(scene, SceneBetween)]
    shown = {scene.kind for scene in scenes if isinstance(scene, SceneBetween)} == _WAYS
    return (
        shown
        and ways[-1] + 1 < len(scenes)
        and all(
            isinstance(before, QuestionAsked)
            and not before.right
            and isinstance(after, QuestionAsked)
            and after.right
            for n in ways
            for before, after in [(scenes[n - 1], scenes[n + 1])]
        )
    )


async def teach_without_sql(old: AsyncOldhand, company: Company) -> AsyncIterator[Scene]:
    """Make mistakes, be put right without SQL in four ways, and do better with the next question after each."""
    picking, telling = teaching_courses(company)
    first = await asked(old, picking.first)
    yield first
    found = await _picked(old, first, picking)
    if found is not None:
        receipt = await old.episodes.fix(first.answer, found.picked)
        said = taught(
            "picked", "The owner picks what was meant", picking.rule, receipt, rule=picking.rule
        )
        facts = {**said.facts, "picked": found.picked, "before": found.before, "after": found.after}
        yield replace(said, came_of_it=(found, receipt), facts=facts)
        yield await asked(old, picking.others[0])
    first = await asked(old, telling.first)
    yield first
    receipt = await old.feedback(first.answer, correction=telling.words)
    yield taught("told", f"The owner says: {telling.words}", "", receipt, words=telling.words)
    yield await asked(old, telling.others[0])
    customers = make_customer_questions(company)
    async for scene in _teach_by_agreeing(old, *customers.unclear):
        yield scene
    before, after = customers.ruled
    yield await asked(old, before)
    rule, sentence = await old.rules.add(customers.rule), customers.rule
    facts = {"sentence": sentence, "rule": rule.told}
    yield SceneBetween("stated", "The owner states a rule", sentence, (rule,), facts)
    yield await asked(old, after)


async def _teach_by_agreeing(
    old: AsyncOldhand, unclear: Exercise, again: Exercise
) -> AsyncIterator[Scene]:
    first = await asked(old, unclear)
    yield first
    if first.answer.proposal is None:
        return
    reading, receipt = first.answer.proposal.reading, await old.feedback(first.answer, rating=1)
    yield taught("agreed", "The owner says yes to it", reading, receipt, reading=reading)
    yield await asked(old, again)


async def _picked(old: AsyncOldhand, wrong: QuestionAsked, course: Course) -> Fixing | None:
    """What the owner picks; None where no choice says the rule."""
    asked = {one.stem for one in tokenise(wrong.answer.question)}
    rule = {one.stem for one in tokenise(course.rule) if len(one.text) >= _SHORTEST} - asked
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
