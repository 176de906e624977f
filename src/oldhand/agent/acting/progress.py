"""How far a run has come in a plan, told from its steps alone, so that any process can go on with it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from oldhand.agent.analysis.mind import Plan, PlanStep, StepResult
from oldhand.record.answer import FailedAttempt
from oldhand.record.step import AgentState, Observation, Step
from oldhand.sources.databases import unique_names


@dataclass(frozen=True)
class Progress:
    """What the queries of a run have brought so far."""

    results: tuple[StepResult, ...] = ()
    """Of the steps of the plan that are done."""
    failures: tuple[FailedAttempt, ...] = ()
    """Statements of the step at hand that did not run, oldest first."""
    said: str | None = None
    """What a query brought that came as text only, without rows."""
    notes: tuple[str, ...] = ()
    """What was thought about the statement tried last of each step: what a repair has changed, for example."""
    doubts: tuple[str, ...] = ()
    """What evaluators found wrong with statements that ran."""

    def after(self, plan_step: PlanStep, step: Step, argument: str) -> "Progress":
        """With one more query; `argument` of its tool holds the SQL."""
        assert step.action is not None, "a query is an action"
        sql, seen = str(step.action.arguments.get(argument, "")), step.observation
        if seen is None or seen.is_error:
            error = "There is no result." if seen is None else complaint_in(seen.text)
            failed = FailedAttempt(sql=sql, error=error)
            return replace(self, failures=(*self.failures, failed), said=None)
        done = replace(
            self,
            failures=(),
            notes=(*self.notes, *notes_of(step)),
            doubts=(*self.doubts, *step.issues),
        )
        if seen.result is None:
            return replace(done, said=seen.text)
        return replace(done, said=None, results=(*self.results, _result(plan_step, sql, seen)))


def complaint_in(text: str) -> str:
    r"""What is wrong with a statement, as the text of a tool has it: the first issue of its list, else all but the advice.

    >>> complaint_in("The query on shop brought nothing: no such column: nam\n- Did you mean name?\nNext: correct it.")
    'Did you mean name?'
    >>> complaint_in("no such column: nam\nNext: correct it.")
    'no such column: nam'
    """
    lines = text.splitlines()
    listed = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    return listed[0] if listed else "\n".join(line for line in lines if line[:6] != "Next: ")


def thought_of(purpose: str, notes: Iterable[str]) -> str:
    """What is thought at a query: what it is for, then each note on a line of its own."""
    return "\n".join((purpose, *(" ".join(note.split()) for note in notes)))


def notes_of(step: Step) -> tuple[str, ...]:
    """The notes in a step whose thought `thought_of` has made."""
    return tuple(step.thought.split("\n")[1:])


def progress_of(state: AgentState, plan: Plan, tool: str, argument: str) -> Progress:
    """How far the run has come with the plan by calls of a tool whose `argument` holds the SQL."""
    progress = Progress()
    for step in state.steps:
        done = len(progress.results)
        if step.action is not None and step.action.tool == tool and done < len(plan.steps):
            progress = progress.after(plan.steps[done], step, argument)
    return progress


def _result(plan_step: PlanStep, sql: str, seen: Observation) -> StepResult:
    assert seen.result is not None
    return StepResult(
        step=plan_step,
        sql=sql,
        columns=unique_names(seen.result.columns),
        rows=seen.result.rows,
        row_count=seen.result.row_count,
        truncated=seen.result.truncated,
    )
