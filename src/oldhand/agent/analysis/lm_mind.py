"""The mind by a language model: one prompt and one form for each question that is put to it."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from oldhand.agent.analysis.asking import Asking, AskingForm
from oldhand.agent.analysis.forms import (
    PlanForm,
    PlanStepForm,
    RepairForm,
    SQLForm,
    ValidationForm,
)
from oldhand.agent.analysis.grounding import Known, unfounded
from oldhand.agent.analysis.mind import (
    Answerability,
    Draft,
    Failure,
    Inquiry,
    Plan,
    PlanStep,
    StepResult,
    Summary,
    Task,
    Validation,
    plan_fault,
)
from oldhand.agent.analysis.prompt_values import (
    FIRST_ATTEMPT,
    failure_values,
    last_plan_text,
    plan_values,
    summary_values,
    task_values,
    validation_values,
)
from oldhand.agent.analysis.view import SchemaView, Viewer, WholeSchemas
from oldhand.errors import MalformedAnswer
from oldhand.lexicon.tokens import words_in
from oldhand.lexicon.wording import listed
from oldhand.models import LanguageModel
from oldhand.models.structured import fenced_blocks
from oldhand.models.templates import Prompts
from oldhand.record.answer import WORKSPACE
from oldhand.record.situation import Intent, intent_of

PLAN_ATTEMPTS = 2
"""How often a plan is asked for: once more when the first one can't be carried out."""


class LanguageModelMind:
    """Thinks with a language model.

    Args:
        lm: The model.
        prompts: Where its prompts come from.
        viewer: Decides what the model gets to see of the schemas; by default all.
    """

    def __init__(
        self, lm: LanguageModel, prompts: Prompts | None = None, viewer: Viewer | None = None
    ) -> None:
        self._lm = lm
        self._prompts = Prompts() if prompts is None else prompts
        self._viewer = WholeSchemas() if viewer is None else viewer

    @property
    def name(self) -> str:
        """The model's name."""
        return self._lm.name

    @property
    def foresees(self) -> bool:
        """False: reading costs a call, and what will be asked is written later."""
        return False

    def asking(self, inquiry: Inquiry) -> "Asking":
        """What this question is asked with."""
        return Asking(self._lm, self._prompts, inquiry, self._viewer.of(inquiry))

    async def read(self, inquiry: Inquiry) -> "LanguageModelThinking":
        """Can it be answered from the schemas, and from which databases? A calculation is answered at once."""
        asking = self.asking(inquiry)
        if intent_of(inquiry.question) is Intent.CALCULATION:
            text = await asking.text("answer_directly", "answer")
            said = Validation(verdict=Answerability.DIRECT, text=text, standalone=inquiry.question)
            return LanguageModelThinking(asking, said)
        return await self._read(asking)

    async def _read(self, asking: "Asking") -> "LanguageModelThinking":
        values = partial(validation_values, asking.inquiry)
        form, view = await asking.with_view("validate_question", "validate", ValidationForm, values)
        return LanguageModelThinking(asking, validated(form, asking.inquiry, view))


class LanguageModelThinking:
    """One question in the mind of a language model; each call is one prompt."""

    def __init__(self, asking: Asking, validation: Validation) -> None:
        self._asking = asking
        self._inquiry = asking.inquiry
        self.validation = validation

    async def plan(self) -> Plan:
        """Cut the way to the answer into steps; a plan that can't be carried out is asked for once more."""
        at_hand = {schema.name for schema in self._inquiry.schemas}
        last_plan, fault = FIRST_ATTEMPT, None
        for _ in range(PLAN_ATTEMPTS):
            values = partial(self._plan_values, last_plan)
            databases = self.validation.databases
            form, _ = await self._asking.with_view(
                "create_plan", "plan", PlanForm, values, databases
            )
            steps = [_step(step, self._inquiry) for step in form.steps]
            fault = plan_fault(steps, at_hand)
            if fault is None:
                return Plan(steps=tuple(steps), notes=tuple(form.notes))
            last_plan = last_plan_text(steps, fault)
        name = self._asking.lm.name
        raise MalformedAnswer(f"{name} made no plan that can be carried out. {fault}")

    def _plan_values(self, last_plan: str, view: SchemaView) -> dict[str, str]:
        return plan_values(self._inquiry, self.validation, view, last_plan)

    async def write(self, task: Task) -> Draft:
        """Write the statement of one step."""
        form, view = await self._asked("generate_sql", SQLForm, task)
        notes = (*form.notes, *_notes(view))
        return await self._draft(form.sql, form.confidence, notes, task)

    async def repair(self, task: Task, failure: Failure) -> Draft | None:
        """Write another statement after one that failed, with the tables and columns in view that it names."""
        self._asking.wanted.update(words_in([failure.sql]))
        told = self._asking.discretion.failure(failure, task.step.database)
        form, view = await self._asked("analyze_error", RepairForm, task, failure_values(told))
        return await self._draft(form.corrected_sql, form.confidence, _notes(view), task)

    async def _draft(self, said: str, confidence: float, notes: Iterable[str], task: Task) -> Draft:
        """A statement, held against the values of its database."""
        sql, misses = _bare(said), self._asking.views.near_misses
        doubts = await asyncio.to_thread(misses, sql, task.step.database)
        return Draft(sql=sql, confidence=confidence, notes=tuple(notes), doubts=doubts)

    async def _asked(
        self, prompt: str, form: type[AskingForm], task: Task, more: Mapping[str, str] | None = None
    ) -> tuple[AskingForm, SchemaView | None]:
        """The answer about one step; the workspace is seen whole."""

        def values(view: SchemaView | None) -> Mapping[str, str]:
            return {**task_values(self._inquiry, self.validation, task, view), **(more or {})}

        if self._inquiry.schema(task.step.database) is None:
            return await self._asking.form(prompt, prompt, values(None), form), None
        return await self._asking.with_view(prompt, prompt, form, values, (task.step.database,))

    async def say(self, results: Sequence[StepResult]) -> Summary:
        """Put the rows into a sentence or two; by rule where the model must not see them."""
        private = [name for result in results if not result.step.hidden for name in result.withheld]
        if private:
            note = f"Cells of {listed(list(dict.fromkeys(private)))} are not shown to the model: this sentence was made by rule."
            return Summary(text=results[-1].in_words, notes=(note,))
        values = summary_values(self._inquiry, self.validation, results)
        form = await self._asking.summary(values, self._known(results))
        if made_up := unfounded(form.text, self._known(results)):
            raise MalformedAnswer(
                f"{self._asking.lm.name} said {listed(made_up)}, which no row holds"
            )
        return Summary(text=form.text, confidence=form.confidence, notes=tuple(form.notes))

    def _known(self, results: Sequence[StepResult]) -> Known:
        """What the sentence may draw on: the rows, and what is said about them in the prompt."""
        inquiry = self._inquiry
        said = (exchange.question + " " + exchange.text for exchange in inquiry.history)
        names = (
            name
            for result in results
            for name in (*result.columns, result.sql, result.step.purpose)
        )
        wishes = (one.told for one in inquiry.preferences.all)
        today = inquiry.today.isoformat()
        about = (inquiry.question, today, *self.validation.notes, *names, *said, *wishes)
        rows = tuple(row for result in results for row in result.rows)
        return Known(rows, about, tuple(result.row_count for result in results))


def validated(form: ValidationForm, inquiry: Inquiry, view: SchemaView) -> Validation:
    """What a form says of a question, and what its reader should know of what was not shown."""
    return Validation(
        verdict=Answerability(form.verdict),
        text=form.text,
        options=tuple(form.options),
        databases=_known(form.databases, inquiry),
        notes=(*form.notes, *_notes(view, form.verdict == "unanswerable")),
        confidence=form.confidence,
        standalone=form.standalone.strip() or None if inquiry.history else inquiry.question,
    )


def _notes(view: SchemaView | None, told: bool = True) -> Iterable[str]:
    """What the reader should know of what was not shown."""
    return (view.note,) if view is not None and view.note and told else ()


def _bare(sql: str) -> str:
    """The statement without the Markdown fence that models like to put around it."""
    stripped = sql.strip()
    return fenced_blocks(stripped)[0] if stripped.startswith(("```", "~~~")) else stripped


def _known(names: Iterable[str], inquiry: Inquiry) -> tuple[str, ...]:
    """The databases at hand among `names`; all of them when it named none that exists."""
    at_hand = [schema.name for schema in inquiry.schemas]
    named = {name.strip().casefold() for name in names}
    return tuple(name for name in at_hand if name.casefold() in named) or tuple(at_hand)


def _step(form: PlanStepForm, inquiry: Inquiry) -> PlanStep:
    """The step with its database's name as it is registered; nothing else is put right here."""
    registered = {s.name.casefold(): s.name for s in inquiry.schemas} | {WORKSPACE: WORKSPACE}
    return PlanStep(
        number=max(form.number, 1),
        purpose=form.purpose,
        database=registered.get(form.database.strip().casefold(), form.database),
        depends_on=tuple(form.depends_on),
        hidden=form.hidden,
    )
