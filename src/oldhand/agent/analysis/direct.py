"""One call for reading, plan and statement, where one database answers; else the stages go on from what was read."""

import re
from dataclasses import replace
from enum import StrEnum
from functools import partial

from rapidfuzz.fuzz import token_sort_ratio

from oldhand.agent.analysis.asking import Asking
from oldhand.agent.analysis.forms import DirectForm
from oldhand.agent.analysis.lm_mind import LanguageModelMind, LanguageModelThinking, validated
from oldhand.agent.analysis.mind import Draft, Inquiry, Plan, PlanStep, Task, Validation
from oldhand.agent.analysis.prompt_values import direct_values
from oldhand.agent.analysis.view import Viewer
from oldhand.models import LanguageModel
from oldhand.models.templates import Prompts
from oldhand.record.lesson import Lesson
from oldhand.record.memory import ExamplePayload
from oldhand.record.shortening import shortened

_VARIABLE = re.compile(
    r"(?<!\w)(?:'[^']+'|\"[^\"]+\"|[\d.,]*\d\S*)|(?<=[^.!?\s] )[^\W\d_a-z][\w-]*"
)


def masked(question: str) -> str:
    """The question with a sign in place of each name, quotation and number.

    >>> masked("How many customers live in Basel since 2021?")
    'how many customers live in _ since _'
    """
    return _VARIABLE.sub("_", question.strip().rstrip("?!. ")).casefold()


FEW = 3
"""Confirmed examples that a statement is written by."""


class Manner(StrEnum):
    """How the model is told to go about it, after the question."""

    DIRECT = "Can it be answered, and by which query? Fill in the form."
    PLAN_FIRST = (
        "In `reasoning`, first cut the question into its parts, and say for each which table, column and "
        "condition answers it. Then write the query from these parts, and fill in the form."
    )
    BY_EXAMPLES = (
        "In `reasoning`, first say which of the confirmed answers asks most nearly the same, and what differs. "
        "Then change its query by that and nothing else, and fill in the form."
    )


class DirectMind(LanguageModelMind):
    """Thinks with a language model, by one call where one database answers."""

    def __init__(
        self,
        lm: LanguageModel,
        prompts: Prompts | None = None,
        viewer: Viewer | None = None,
        manner: Manner = Manner.DIRECT,
    ) -> None:
        super().__init__(lm, prompts, viewer)
        self._manner = manner

    async def _read(self, asking: Asking) -> LanguageModelThinking:
        inquiry = asking.inquiry
        if self._manner is Manner.BY_EXAMPLES:
            inquiry = replace(inquiry, lessons=with_nearest(inquiry))
            asking = replace(asking, inquiry=inquiry)
        values = partial(direct_values, inquiry, self._manner.value)
        form, view = await asking.with_view("write_directly", "direct", DirectForm, values)
        validation = validated(form, inquiry, view)
        if not form.sql or len(validation.databases) != 1:
            return LanguageModelThinking(asking, validation)
        return DirectThinking(asking, validation, form.sql)


class DirectThinking(LanguageModelThinking):
    """A question whose statement was written when it was read."""

    def __init__(self, asking: Asking, validation: Validation, sql: str) -> None:
        super().__init__(asking, validation)
        self._sql = sql
        self._purpose = shortened(asking.inquiry.question, 200)

    async def plan(self) -> Plan:
        """One step."""
        (database,) = self.validation.databases
        return Plan(steps=(PlanStep(number=1, purpose=self._purpose, database=database),))

    async def write(self, task: Task) -> Draft:
        """The statement as it was written."""
        return await self._draft(self._sql, 1.0, (), task)


def has_examples(inquiry: Inquiry) -> bool:
    """Whether confirmed answers with SQL were recalled."""
    return any(map(_is_example, inquiry.lessons))


def with_nearest(inquiry: Inquiry) -> tuple[Lesson, ...]:
    """The lessons, of the confirmed answers only those to the most similar questions, names and numbers aside."""
    asked = masked(inquiry.question)

    def likeness(lesson: Lesson) -> float:
        payload = lesson.memory.payload
        assert isinstance(payload, ExamplePayload), "only examples are compared"
        return token_sort_ratio(asked, masked(payload.question))

    nearest = sorted(filter(_is_example, inquiry.lessons), key=likeness, reverse=True)[:FEW]
    return (*nearest, *(one for one in inquiry.lessons if not _is_example(one)))


def _is_example(lesson: Lesson) -> bool:
    payload = lesson.memory.payload
    return isinstance(payload, ExamplePayload) and bool(payload.statements)
