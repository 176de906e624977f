"""The mind by a language model: one prompt and one form for each question that is put to it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
    question_values,
    summary_values,
    task_values,
    validation_values,
)
from oldhand.errors import MalformedAnswer
from oldhand.lexicon.wording import listed
from oldhand.models import LanguageModel, Ledger
from oldhand.models.structured import fenced_blocks
from oldhand.models.templates import Prompts
from oldhand.record.answer import WORKSPACE
from oldhand.record.episode import Message
from oldhand.record.situation import Intent, intent_of

Form = TypeVar("Form", bound=BaseModel)

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

    @property
    def foresees(self) -> bool:
        """False: reading costs a call, and what will be asked is written later."""
        return False

    async def read(self, inquiry: Inquiry) -> "LanguageModelThinking":
        """Can it be answered from the schemas, and from which databases? A calculation is answered at once."""
        asking = _Asking(self._lm, self._prompts, inquiry)
        if intent_of(inquiry.question) is Intent.CALCULATION:
            text = await asking.text("answer_directly", "answer")
            said = Validation(verdict=Answerability.DIRECT, text=text, standalone=inquiry.question)
            return LanguageModelThinking(asking, said)
        values = validation_values(inquiry)
        form = await asking.form("validate_question", "validate", values, ValidationForm)
        validation = Validation(
            verdict=Answerability(form.verdict),
            text=form.text,
            options=tuple(form.options),
            databases=_known(form.databases, inquiry),
            notes=tuple(form.notes),
            confidence=form.confidence,
            standalone=form.standalone.strip() or None if inquiry.history else inquiry.question,
        )
        return LanguageModelThinking(asking, validation)


@dataclass(frozen=True)
class _Asking:
    """What is asked of a language model about one question."""

    lm: LanguageModel
    prompts: Prompts
    inquiry: Inquiry

    async def text(self, prompt: str, stage: str) -> str:
        """The answer in its own words."""
        messages = self._messages(prompt, question_values(self.inquiry))
        completion = await self.lm.complete(messages, stage=stage, ledger=self._ledger)
        return completion.text.strip()

    async def form(
        self, prompt: str, stage: str, values: Mapping[str, str], form: type[Form]
    ) -> Form:
        """The answer in a form."""
        messages = self._messages(prompt, values)
        return await self.lm.structured(messages, form, stage=stage, ledger=self._ledger)

    def _messages(self, prompt: str, values: Mapping[str, str]) -> tuple[Message, Message]:
        return self.prompts[prompt].fill(values, self.inquiry.instructions.for_role(prompt))

    @property
    def _ledger(self) -> Ledger:
        return self.inquiry.ledger or Ledger()


class LanguageModelThinking:
    """One question in the mind of a language model; each call is one prompt."""

    def __init__(self, asking: _Asking, validation: Validation) -> None:
        self._asking = asking
        self._inquiry = asking.inquiry
        self.validation = validation

    async def plan(self) -> Plan:
        """Cut the way to the answer into steps; a plan that can't be carried out is asked for once more."""
        at_hand = {schema.name for schema in self._inquiry.schemas}
        last_plan, fault = FIRST_ATTEMPT, None
        for _ in range(PLAN_ATTEMPTS):
            values = plan_values(self._inquiry, self.validation, last_plan)
            form = await self._asking.form("create_plan", "plan", values, PlanForm)
            steps = [_step(step, self._inquiry) for step in form.steps]
            fault = plan_fault(steps, at_hand)
            if fault is None:
                return Plan(steps=tuple(steps), notes=tuple(form.notes))
            last_plan = last_plan_text(steps, fault)
        name = self._asking.lm.name
        raise MalformedAnswer(f"{name} made no plan that can be carried out. {fault}")

    async def write(self, task: Task) -> Draft:
        """Write the statement of one step."""
        values = task_values(self._inquiry, self.validation, task)
        form = await self._asking.form("generate_sql", "generate_sql", values, SQLForm)
        return Draft(sql=_bare(form.sql), confidence=form.confidence, notes=tuple(form.notes))

    async def repair(self, task: Task, failure: Failure) -> Draft | None:
        """Write another statement after one that failed."""
        values = task_values(self._inquiry, self.validation, task) | failure_values(failure)
        form = await self._asking.form("analyze_error", "analyze_error", values, RepairForm)
        return Draft(sql=_bare(form.corrected_sql), confidence=form.confidence)

    async def say(self, results: Sequence[StepResult]) -> Summary:
        """Put the rows into a sentence or two."""
        values = summary_values(self._inquiry, self.validation, results)
        form = await self._asking.form("summarize_results", "summarise", values, SummaryForm)
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
