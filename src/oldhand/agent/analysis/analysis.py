"""The analysis: from a question to an answer, as a page that reads aloud."""

from dataclasses import dataclass, replace

from oldhand.agent.analysis.attempts import AnalysisDependencies, AnalysisWorkplace, Sources
from oldhand.agent.analysis.mind import (
    RUNNING,
    Answerability,
    Inquiry,
    Mind,
    Plan,
    StepResult,
    Summary,
    Thinking,
    Validation,
    plan_fault,
)
from oldhand.agent.analysis.ranking import told
from oldhand.agent.analysis.steps import DoneStep, Steps
from oldhand.errors import InvalidQuestion, MalformedAnswer, ModelError, PromptError
from oldhand.record.answer import AnswerChoice, Outcome, Proposal, QueryStep, Ranking
from oldhand.record.base import Record, Row, checked_question
from oldhand.record.document import Citation
from oldhand.record.ports import Clock, Observer
from oldhand.record.progress import Planned, PlannedStep, TextDelta, Understood
from oldhand.settings import Settings


class Analysis(Record):
    """How a question ended, with all that led to it."""

    outcome: Outcome
    text: str
    """The answer, the question back, or why there is none."""
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    """The rows of the last step."""
    truncated: bool = False
    ranking: Ranking | None = None
    """What these are sorted by, where they don't show it."""
    options: tuple[str, ...] = ()
    """The readings to choose from when it asks back."""
    proposal: Proposal | None = None
    """What is proposed, where that is all there is."""
    notes: tuple[str, ...] = ()
    steps: tuple[QueryStep, ...] = ()
    confidence: float = 0.0
    """From 0 to 1: that of the weakest part; of a language model's answers, by who agrees with it."""
    citations: tuple[Citation, ...] = ()
    """The passages that sentences of the text rest on."""
    choice: AnswerChoice | None = None
    """How it was chosen among candidates; None for a mind that answers alone."""
    answered_by: str = ""
    """The mind whose answer it is, where that is not the one that was asked."""
    validation: Validation
    """What the mind made of the question."""


@dataclass(frozen=True)
class WorkedOut:
    """What came of a question before it is put into words."""

    thinking: Thinking
    plan: Plan | None = None
    """None when the databases are not asked."""
    done: tuple[DoneStep, ...] = ()
    sharing: str = ""
    """A sentence for rows that share the last place and were cut off."""
    ranking: Ranking | None = None
    """What the rows are sorted by, where they don't show it."""

    @property
    def has_rows(self) -> bool:
        """Whether every step of the plan brought its rows."""
        return self.plan is not None and len(self._results) == len(self.plan.steps)

    @property
    def last(self) -> StepResult:
        """The result that holds the answer's rows; only where there are any."""
        return self._results[-1]

    @property
    def _results(self) -> tuple[StepResult, ...]:
        return tuple(step.result for step in self.done if step.result is not None)

    async def told(self, observe: Observer) -> Analysis:
        """Put it into words."""
        validation, plan = self.thinking.validation, self.plan
        if plan is None or (not self.has_rows and validation.proposal is not None):
            return _without_looking(validation)
        if not self.has_rows:
            return _failed(self.done, validation, plan)
        summary = await _summarised(self.thinking, self._results)
        beside = (told(self.ranking) if self.ranking else "", self.sharing)
        text = " ".join(filter(None, (summary.text, *beside)))
        summary = summary.model_copy(update={"text": text})
        analysis = _answered(self.done, validation, plan, summary)
        analysis = analysis.model_copy(update={"ranking": self.ranking if analysis.rows else None})
        observe(TextDelta(text=analysis.text))
        return analysis


async def analyse(
    inquiry: Inquiry,
    *,
    mind: Mind,
    sources: Sources,
    observe: Observer,
    settings: Settings,
    clock: Clock,
) -> Analysis:
    """Answer one question: validate → plan → SQL, guard, execution and repair for each step → summarise.

    Args:
        inquiry: The question with what is known when it is asked.
        mind: Who thinks.
        sources: Where databases are opened by name.
        observe: Is told of each event while it works.
        settings: Limits of rows, time and attempts.
        clock: Measures the seconds of each step.

    Raises:
        InvalidQuestion: The question is empty or too long.
        ModelError: The language model did not do its part.
        PromptError: A prompt of the user's own is broken.
        DatabaseError: A database can't be reached, or the query was cancelled.
    """
    workplace = AnalysisWorkplace(sources, observe, settings, clock)
    return await (await work_out(inquiry, mind, workplace)).told(observe)


async def work_out(inquiry: Inquiry, mind: Mind, workplace: AnalysisWorkplace) -> WorkedOut:
    """Everything of `analyse` but the words."""
    _check_question(inquiry.question, workplace.settings.max_question_chars)
    thinking = await mind.read(inquiry)
    validation = thinking.validation
    if validation.verdict not in RUNNING:
        return WorkedOut(thinking)
    workplace.observe(Understood(databases=validation.databases, notes=validation.notes))

    plan = await thinking.plan()
    if fault := plan_fault(plan.steps, {schema.name for schema in inquiry.schemas}):
        raise MalformedAnswer(fault)
    workplace.observe(Planned(steps=_planned(plan)))

    dependencies = AnalysisDependencies(thinking=thinking, **vars(workplace))
    with Steps(inquiry, dependencies) as steps:
        worked_out = WorkedOut(thinking, plan, await steps.take(plan))
        if worked_out.has_rows:
            sharing, ranking = await steps.beside(worked_out.done[-1])
            return replace(worked_out, sharing=sharing, ranking=ranking)
    return worked_out


async def _summarised(thinking: Thinking, results: tuple[StepResult, ...]) -> Summary:
    """The rows are there: a model or a prompt that fails now costs the wording, not the answer."""
    try:
        return await thinking.say(results)
    except (ModelError, PromptError) as error:
        note = f"The rows could not be put into words ({type(error).__name__}: {error})"
        return Summary(text=results[-1].in_words, notes=(note,))


def _check_question(question: str, limit: int) -> None:
    if len(checked_question(question)) > limit:
        raise InvalidQuestion(
            f"The question is {len(question):,} characters long; {limit:,} are the most."
        )


def _planned(plan: Plan) -> tuple[PlannedStep, ...]:
    return tuple(
        PlannedStep(number=step.number, purpose=step.purpose, database=step.database)
        for step in plan.steps
    )


def _without_looking(validation: Validation) -> Analysis:
    """Answered at once, asked back, or not answered."""
    asks = validation.verdict is Answerability.CLARIFY
    outcome = Outcome.CLARIFY if asks else Outcome.ABSTAINED
    if validation.verdict is Answerability.DIRECT:
        outcome = Outcome.ANSWERED
    return Analysis(
        outcome=outcome,
        text=validation.text,
        options=validation.options if asks else (),
        notes=validation.notes,
        confidence=0.0 if outcome is Outcome.ABSTAINED else validation.confidence,
        validation=validation,
    )


def _failed(done: tuple[DoneStep, ...], validation: Validation, plan: Plan) -> Analysis:
    last = done[-1].query
    tried = "1 statement" if last.attempts == 1 else f"{last.attempts} statements"
    error = last.failures[-1].error if last.failures else "no statement was found"
    return Analysis(
        outcome=Outcome.FAILED,
        text=f"Step {last.number} ({last.purpose}) failed after {tried}. The last error: {error}",
        notes=_notes(done, validation, plan),
        steps=tuple(step.query for step in done),
        validation=validation,
    )


def _answered(
    done: tuple[DoneStep, ...], validation: Validation, plan: Plan, summary: Summary
) -> Analysis:
    last = done[-1].result
    assert last is not None, "an answer has rows"
    if summary.withheld:
        return Analysis(
            outcome=Outcome.ABSTAINED,
            text=summary.text,
            notes=_notes(done, validation, plan),
            steps=tuple(step.query for step in done),
            validation=validation,
        )
    proposal = validation.proposal
    if proposal is not None:
        proposal = proposal.model_copy(update={"answer": summary.text})
    sure = (validation.confidence, summary.confidence, *(step.draft.confidence for step in done))
    return Analysis(
        outcome=Outcome.ANSWERED if proposal is None else Outcome.PROPOSED,
        text=summary.text if proposal is None else proposal.asks,
        options=() if proposal is None else validation.options,
        proposal=proposal,
        columns=done[-1].query.columns,
        rows=last.rows,
        truncated=last.truncated,
        notes=(*_notes(done, validation, plan), *summary.notes),
        steps=tuple(step.query for step in done),
        confidence=min(sure),
        validation=validation,
    )


def _notes(done: tuple[DoneStep, ...], validation: Validation, plan: Plan) -> tuple[str, ...]:
    """How the question was understood, and warnings; each once."""
    notes = [*validation.notes, *plan.notes]
    for step in done:
        notes += step.draft.notes
        if step.query.truncated:
            notes.append(f"Step {step.query.number} was cut after {step.query.row_count:,} rows.")
    return tuple(dict.fromkeys(notes))
