"""The mind by a language model: one prompt and one form for each question that is put to it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel

from oldhand.agent.analysis.forms import (
    PlanForm,
    PlanStepForm,
    RepairForm,
    SQLForm,
    SummaryForm,
    ValidationForm,
)
from oldhand.agent.analysis.mind import (
    Draft,
    Failure,
    Inquiry,
    Plan,
    PlanStep,
    StepResult,
    Summary,
    Task,
    Validation,
    Verdict,
)
from oldhand.agent.analysis.plans import plan_fault
from oldhand.agent.analysis.prompt_values import (
    FIRST_ATTEMPT,
    failure_values,
    last_plan_text,
    plan_values,
    question_values,
    summary_values,
    task_values,
    validation_values,
)
from oldhand.errors import MalformedAnswer
from oldhand.models import LanguageModel, Ledger
from oldhand.models.templates import Prompts
from oldhand.record.answer import WORKSPACE
from oldhand.record.situation import Intent, intent_of

Form = TypeVar("Form", bound=BaseModel)

_FENCE = re.compile(r"```\w*\s(.*)```", re.DOTALL)

PLAN_ATTEMPTS = 2
"""How often a plan is asked for: once more when the first one can't be carried out."""


class LanguageModelMind:
    """Thinks with a language model.

    Args:
        lm: The model.
        prompts: Where its prompts come from.
    """

    def __init__(self, lm: LanguageModel, prompts: Prompts | None = None) -> None:
        self._lm = lm
        self._prompts = Prompts() if prompts is None else prompts

    @property
    def name(self) -> str:
        """The model's name."""
        return self._lm.name

    async def validate(self, inquiry: Inquiry) -> Validation:
        """Can it be answered from the schemas, and from which databases? A calculation is answered at once."""
        if intent_of(inquiry.question) is Intent.CALCULATION:
            return await self._answered_directly(inquiry)
        values = validation_values(inquiry)
        form = await self._ask("validate_question", "validate", values, ValidationForm, inquiry)
        return Validation(
            verdict=Verdict(form.verdict),
            text=form.text,
            options=tuple(form.options),
            databases=_known(form.databases, inquiry),
            notes=tuple(form.notes),
            confidence=form.confidence,
            standalone=form.standalone.strip() or None if inquiry.history else inquiry.question,
        )

    async def plan(self, inquiry: Inquiry, validation: Validation) -> Plan:
        """Cut the way to the answer into steps; a plan that can't be carried out is asked for once more."""
        at_hand = {schema.name for schema in inquiry.schemas}
        last_plan, fault = FIRST_ATTEMPT, None
        for _ in range(PLAN_ATTEMPTS):
            values = plan_values(inquiry, validation, last_plan)
            form = await self._ask("create_plan", "plan", values, PlanForm, inquiry)
            steps = [_step(step, inquiry) for step in form.steps]
            fault = plan_fault(steps, at_hand)
            if fault is None:
                return Plan(steps=tuple(steps), notes=tuple(form.notes))
            last_plan = last_plan_text(steps, fault)
        raise MalformedAnswer(f"{self.name} made no plan that can be carried out. {fault}")

    async def write_sql(self, task: Task) -> Draft:
        """Write the statement of one step."""
        values = task_values(task)
        form = await self._ask("generate_sql", "generate_sql", values, SQLForm, task.inquiry)
        return Draft(sql=_bare(form.sql), confidence=form.confidence, notes=tuple(form.notes))

    async def repair(self, task: Task, failure: Failure) -> Draft | None:
        """Write another statement after one that failed."""
        values = failure_values(task, failure)
        form = await self._ask("analyze_error", "analyze_error", values, RepairForm, task.inquiry)
        return Draft(sql=_bare(form.corrected_sql), confidence=form.confidence)

    async def summarise(
        self, inquiry: Inquiry, validation: Validation, results: Sequence[StepResult]
    ) -> Summary:
        """Put the rows into a sentence or two."""
        values = summary_values(inquiry, validation, results)
        form = await self._ask("summarize_results", "summarise", values, SummaryForm, inquiry)
        return Summary(text=form.text, confidence=form.confidence, notes=tuple(form.notes))

    async def _answered_directly(self, inquiry: Inquiry) -> Validation:
        role = "answer_directly"
        messages = self._prompts[role].fill(
            question_values(inquiry), inquiry.instructions.for_role(role)
        )
        ledger = inquiry.ledger or Ledger()
        completion = await self._lm.complete(messages, stage="answer", ledger=ledger)
        text = completion.text.strip()
        return Validation(verdict=Verdict.DIRECT, text=text, standalone=inquiry.question)

    async def _ask(
        self,
        prompt: str,
        stage: str,
        values: Mapping[str, str],
        form: type[Form],
        inquiry: Inquiry,
    ) -> Form:
        messages = self._prompts[prompt].fill(values, inquiry.instructions.for_role(prompt))
        ledger = inquiry.ledger or Ledger()
        return await self._lm.structured(messages, form, stage=stage, ledger=ledger)


def _bare(sql: str) -> str:
    """The statement without the Markdown fence that models like to put around it."""
    fenced = _FENCE.fullmatch(sql.strip())
    return (fenced[1] if fenced else sql).strip()


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
