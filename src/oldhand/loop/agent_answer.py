"""What a run of a tool-use agent came to, in the form of every other answer."""

from collections.abc import Sequence

from oldhand.evaluators.sql_evaluator import SqlCall, calls_of_run
from oldhand.record.answer import Answer, Outcome, QueryStep
from oldhand.record.evaluation import Evaluation
from oldhand.record.step import AgentState, Observation, ResultRows, Step

_OUTCOMES = {
    "answered": Outcome.ANSWERED,
    "proposed": Outcome.PROPOSED,
    "clarify": Outcome.CLARIFY,
    "abstained": Outcome.ABSTAINED,
}


def answer_of(
    state: AgentState,
    episode_id: str,
    model: str,
    databases: Sequence[str],
    judged: Sequence[Evaluation] = (),
) -> Answer:
    """The answer of a run that has ended, with the queries that led to it.

    Where the tools can ask one database only, queries that name none are on it.

    >>> state = AgentState(run_id="r1", query="How many?", outcome="answered", answer="Three.")
    >>> answer_of(state, "r1", "gpt-4", []).outcome.value
    'answered'
    """
    outcome = _OUTCOMES.get(state.outcome, Outcome.FAILED)
    rows = _rows(state) if outcome is Outcome.ANSWERED else None
    return Answer(
        episode_id=episode_id,
        question=state.query,
        outcome=outcome,
        text=state.answer or state.error or "",
        columns=rows.columns if rows else (),
        rows=rows.rows if rows else (),
        truncated=bool(rows and (rows.truncated or rows.row_count > len(rows.rows))),
        confidence=confidence_of(state, judged),
        notes=(state.error,) if state.answer and state.error else (),
        steps=_queries_of(state, databases),
        usage=state.usage,
        model=model,
        seconds=state.seconds,
        session_id=state.run_id,
    )


def confidence_of(state: AgentState, judged: Sequence[Evaluation] = ()) -> float | None:
    """How sure the answer of a run is: no surer than the mind was of any step that it rests on.

    What evaluators doubt of these steps, or of the whole run, lowers it. That they find nothing says little, so it raises
    nothing: where the mind does not say how sure it is, and nobody doubts, it is not known.

    >>> said = Step(number=1, answer="Three.", confidence=0.9)
    >>> state = AgentState(run_id="r1", query="How many?", outcome="answered", steps=(said,))
    >>> confidence_of(state), confidence_of(state.model_copy(update={"outcome": "limit"}))
    (0.9, 0.0)
    """
    if state.outcome not in _OUTCOMES:
        return 0.0
    used = {step.number: step for step in state.steps if _counts(step)}
    stated = [one.confidence for one in used.values() if one.confidence is not None]
    doubts = [
        one.score
        for one in judged
        if one.score is not None
        and one.score < 1
        and (one.granularity == "trajectory" or one.step_number in used)
    ]
    return min((*stated, *doubts), default=None)


def _counts(step: Step) -> bool:
    """Whether an answer rests on a step: it is the answer, or a tool has brought something."""
    return step.answer is not None or any(not seen.is_error for seen in step.observations)


def _queries_of(state: AgentState, databases: Sequence[str]) -> tuple[QueryStep, ...]:
    """Each SQL statement that a tool ran, in the order of the run."""
    called = (one.tool for step in state.steps for one in step.actions)
    calls = calls_of_run(state.steps, {tool for tool in called if tool.startswith("sql")})
    only = databases[0] if len(databases) == 1 else ""
    thoughts = {step.number: step.thought for step in state.steps}
    ran = [
        (call, call.observation)
        for call in calls
        if call.observation is not None and not call.observation.not_called
    ]
    return tuple(
        _query(number, call, seen, thoughts.get(call.step_number or 0, ""), only)
        for number, (call, seen) in enumerate(ran, 1)
    )


def _query(number: int, call: SqlCall, seen: Observation, thought: str, only: str) -> QueryStep:
    rows = seen.result
    return QueryStep(
        number=number,
        purpose=thought,
        database=call.database or only,
        sql=call.sql,
        succeeded=not seen.is_error,
        columns=rows.columns if rows else (),
        row_count=rows.row_count if rows else 0,
        truncated=bool(rows and rows.truncated),
        seconds=seen.seconds,
    )


def _rows(state: AgentState) -> ResultRows | None:
    """Those of the last query that brought some."""
    seen = (one.result for step in reversed(state.steps) for one in reversed(step.observations))
    return next((rows for rows in seen if rows is not None), None)
