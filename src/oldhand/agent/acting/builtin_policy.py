"""The policy without a language model: the mind of the analysis decides which SQL the tools are to run."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pydantic import JsonValue

from oldhand.agent.acting.asking_experts import asking_expert, said_by_expert
from oldhand.agent.acting.bans import offered
from oldhand.agent.acting.lm_policy import ToolsGiven
from oldhand.agent.acting.policy import Generation, Policy
from oldhand.agent.acting.progress import Progress, complaint_in, notes_of, progress_of, thought_of
from oldhand.agent.acting.query_tool import ANALYSIS_TOOL, SQL_TOOL, QueryTool
from oldhand.agent.acting.transcript import action_id
from oldhand.agent.analysis.mind import (
    Answerability,
    Draft,
    EarlierTurn,
    Failure,
    Inquiry,
    Mind,
    Plan,
    Task,
    Thinking,
    Validation,
)
from oldhand.agent.analysis.repair import MAX_ATTEMPTS
from oldhand.agent.tools import Tools
from oldhand.record.answer import WORKSPACE, FailedAttempt
from oldhand.record.episode import Message
from oldhand.record.ports import Clock
from oldhand.record.schema import DatabaseSchema
from oldhand.record.step import Action, AgentState, Ending, Step

_UNKNOWN = (
    "Without a language model an agent has to know the tables: make its tools with sql_tools(URL), register a database in "
    "its home, or name a model, such as openai:gpt-4o."
)

REMEMBERED = 16
"""Runs whose plan is kept; that of any other is worked out anew from its question."""

Schemas = Callable[[], Sequence[DatabaseSchema]]
"""Reads what is known of the databases behind the tools; may block."""


@dataclass(frozen=True)
class _Course:
    """What was worked out about one question."""

    inquiry: Inquiry
    thinking: Thinking
    plan: Plan | None
    """None when the question can't be answered, or must be asked back."""


class BuiltinPolicy(Policy):
    """Works with `sql_db_query` and `sql_analysis` as the analysis works: validate, plan, query, repair, summarise.

    It never makes the same query twice in a run. Of notes it heeds those that it can: a statement to which one objects is not made
    again where there is another, and a tool that one names is left aside where the other will do. Other words of notes mean nothing
    to its rules; but what evaluators object to in a run is told with the answer.

    Args:
        mind: Who thinks, such as the built-in mind.
        tools: Those of the agent.
        schemas: Reads what is known of the databases behind the tools.
        clock: Tells the day, for words such as "last month".
        objections: What evaluators found wrong with a statement before, as notes say it; may block.
    """

    def __init__(
        self,
        mind: Mind,
        tools: ToolsGiven,
        *,
        schemas: Schemas,
        clock: Clock,
        objections: Callable[[str], Sequence[str]] = lambda _sql: (),
        callback_seconds: float = 150.0,
    ) -> None:
        super().__init__(callback_seconds=callback_seconds)
        self._mind = mind
        self._tools = tools if isinstance(tools, Tools) else Tools(tools)
        self._schemas = schemas
        self._clock = clock
        self._objections = objections
        self._courses: OrderedDict[str, _Course] = OrderedDict()

    @property
    def model_name(self) -> str:
        """The name of the mind."""
        return self._mind.name

    def system_text(self, notes: str) -> str:
        """There is no prompt but the notes."""
        return notes

    def partial_answer(self, state: AgentState) -> str | None:  # noqa: ARG002 - what it thinks on the way is no answer
        """None: what it says on the way is no answer."""
        return None

    async def generate(self, generation: Generation) -> Step:
        """The next query, the answer, or a question to a person who may know it."""
        heard = said_by_expert(generation)
        return heard or asking_expert(generation, self._tools, await self._own(generation))

    async def _own(self, generation: Generation) -> Step:
        tools = offered(self._tools, generation.brief.lessons)
        if SQL_TOOL not in tools and ANALYSIS_TOOL not in tools:
            return _final(generation, _no_tool(tools), "abstained")
        course = await self._course(generation)
        if course is None:
            return _final(generation, _UNKNOWN, "abstained")
        if course.plan is None:
            return _not_answerable(generation, course.thinking.validation)
        tool = None if _is_left_aside(tools, generation.notes) else QueryTool.among(tools)
        if tool is not None and tool.suffices(course.plan, course.inquiry.schemas):
            return await self._by_queries(generation, course, course.plan, tool)
        if ANALYSIS_TOOL in tools:
            return self._by_analysis(generation)
        return _final(generation, _needs_analysis(course.plan), "abstained")

    async def _by_queries(
        self, generation: Generation, course: _Course, plan: Plan, tool: QueryTool
    ) -> Step:
        """The next statement of the plan, or what the rows say."""
        steps = generation.state.steps
        seen = steps[-1].observation if steps and not steps[-1].issues else None
        if seen is not None and seen.not_called:
            return _final(generation, complaint_in(seen.text), "failed")
        progress = progress_of(generation.state, plan, SQL_TOOL, tool.sql_argument)
        if progress.said is not None:
            text = _with_doubts(progress.said, progress)
            return _final(generation, text, sure=course.thinking.validation.confidence)
        if len(progress.results) == len(plan.steps):
            summary = await course.thinking.say(progress.results)
            if summary.withheld:
                return _final(generation, summary.text, "abstained")
            sure = min(course.thinking.validation.confidence, summary.confidence)
            return _final(generation, _with_doubts(summary.text, progress), sure=sure)
        step = plan.steps[len(progress.results)]
        wanted = tuple(r for r in progress.results if r.step.number in step.depends_on)
        task = Task(step, course.inquiry.schema(step.database), wanted)
        draft = await self._heeding(generation, course.thinking, task, progress.failures)
        if draft is None:
            notes = notes_of(generation.state.steps[-1])
            return _final(generation, _given_up(step.purpose, progress, notes), "failed")
        thought = thought_of(step.purpose, draft.notes)
        arguments = tool.arguments(draft.sql, step.database)
        return _call(generation, SQL_TOOL, arguments, thought, draft.confidence)

    async def _heeding(
        self,
        generation: Generation,
        thinking: Thinking,
        task: Task,
        failures: Sequence[FailedAttempt],
    ) -> Draft | None:
        """A statement to which no note objects, where there is one; else the first."""
        first = draft = await _draft(thinking, task, failures)
        while draft is not None and (objection := await self._objection(generation, draft.sql)):
            failures = (*failures, FailedAttempt(sql=draft.sql, error=objection))
            draft = await _draft(thinking, task, failures)
        return draft or first

    async def _objection(self, generation: Generation, sql: str) -> str:
        """What a note of this generation says against a statement; empty when none does."""
        if not generation.notes:
            return ""
        said = await asyncio.to_thread(self._objections, sql)
        return next((one for one in said if one in generation.notes), "")

    def _by_analysis(self, generation: Generation) -> Step:
        """One call of the whole analysis, and then what it said."""
        for step in generation.state.steps:
            if step.action is not None and step.action.tool == ANALYSIS_TOOL and step.observations:
                seen = step.observations[0]
                if said := seen.conclusion:
                    return _final(generation, said.text, said.ending, said.confidence)
                return _final(generation, seen.text, "failed" if seen.is_error else "answered")
        thought = "This takes more than one query on one database."
        return _call(generation, ANALYSIS_TOOL, {"question": generation.query}, thought)

    async def _course(self, generation: Generation) -> _Course | None:
        """What is made of the question; worked out once for a run, and anew where it was forgotten."""
        run_id = generation.state.run_id
        kept = self._courses.get(run_id)
        if kept is not None and kept.inquiry.question == generation.query:
            return kept
        schemas = await asyncio.to_thread(self._schemas)
        if not schemas:
            return None
        inquiry = Inquiry(
            question=generation.query,
            schemas=tuple(schemas),
            today=self._clock.now().date(),
            history=_exchanges(generation.state.history),
            lessons=generation.brief.lessons,
            ledger=generation.brief.ledger,
        )
        thinking = await self._mind.read(inquiry)
        answerable = thinking.validation.verdict is Answerability.ANSWERABLE
        plan = await thinking.plan() if answerable else None
        course = self._courses[run_id] = _Course(inquiry, thinking, plan)
        while len(self._courses) > REMEMBERED:
            self._courses.popitem(last=False)
        return course


def _exchanges(history: Sequence[Message]) -> tuple[EarlierTurn, ...]:
    """The questions that were answered."""
    return tuple(
        EarlierTurn(question=one.content, text=other.content)
        for one, other in pairwise(history)
        if (one.role, other.role) == ("user", "assistant") and one.content.strip()
    )


def _is_left_aside(tools: Tools, notes: str) -> bool:
    """Whether a note names the tool for queries, and the one for the analysis will do."""
    return ANALYSIS_TOOL in tools and SQL_TOOL in notes and ANALYSIS_TOOL not in notes


async def _draft(thinking: Thinking, task: Task, failures: Sequence[FailedAttempt]) -> Draft | None:
    """A statement that was not tried yet; None when there is none."""
    if not failures:
        return await thinking.write(task)
    if len(failures) >= MAX_ATTEMPTS:
        return None
    tried = {failed.sql for failed in failures}
    last = failures[-1]
    # A mind may insist on its statement against a schema file; the database itself has spoken here.
    for before in (failures[-2] if len(failures) > 1 else None, last):
        failure = Failure(
            sql=last.sql,
            error=last.error,
            attempt_number=len(failures),
            last_attempt=before,
        )
        draft = await thinking.repair(task, failure)
        if draft is not None and draft.sql not in tried:
            return draft
    return None


def _call(
    generation: Generation,
    tool: str,
    arguments: dict[str, JsonValue],
    thought: str,
    sure: float | None = None,
) -> Step:
    number = generation.number
    action = Action(id=action_id(number, 1), tool=tool, arguments=arguments)
    return Step(number=number, thought=thought, actions=(action,), confidence=sure)


def _final(
    generation: Generation, text: str, ending: Ending = "answered", sure: float | None = None
) -> Step:
    return Step(number=generation.number, answer=text, ending=ending, confidence=sure)


def _not_answerable(generation: Generation, validation: Validation) -> Step:
    sure = validation.confidence
    if validation.verdict is Answerability.DIRECT:
        return _final(generation, validation.text, sure=sure)
    proposal = validation.proposal
    if validation.verdict is not Answerability.CLARIFY and proposal is None:
        return _final(generation, validation.text, "abstained", sure)
    asked = validation.text if proposal is None else proposal.asks
    text = "\n".join((asked, *(f"- {reading}" for reading in validation.options)))
    return _final(generation, text, "clarify" if proposal is None else "proposed", sure)


def _with_doubts(text: str, progress: Progress) -> str:
    doubts = (f"A check says of the SQL: {doubt}" for doubt in progress.doubts)
    return "\n".join((text, *dict.fromkeys((*progress.notes, *doubts))))


def _given_up(purpose: str, progress: Progress, notes: Sequence[str]) -> str:
    count = len(progress.failures)
    tried = "1 statement" if count == 1 else f"{count} statements"
    said = f"{purpose}: {tried} failed. The last error: {progress.failures[-1].error}"
    return "\n".join((said, *notes))


def _needs_analysis(plan: Plan) -> str:
    names = dict.fromkeys(step.database for step in plan.steps if step.database != WORKSPACE)
    return (
        f"This needs rows of {', '.join(names)} put together, which {SQL_TOOL} alone can't do: "
        f"give the agent the tool {ANALYSIS_TOOL} as well."
    )


def _no_tool(tools: Tools) -> str:
    there = f"this agent has {', '.join(tools.names)}" if tools.names else "this agent has no tools"
    return (
        f"Without a language model only the tools {SQL_TOOL} and {ANALYSIS_TOOL} can be used, and {there}. "
        "Name a model, such as openai:gpt-4o, for other tools."
    )
