"""What a run of a tool-use agent came to, in the form of every other answer."""

from collections.abc import Sequence

from oldhand.record.answer import Answer, Outcome, QueryStep
from oldhand.record.step import Action, AgentState, Observation, ResultRows

_OUTCOMES = {
    "answered": Outcome.ANSWERED,
    "clarify": Outcome.CLARIFY,
    "abstained": Outcome.ABSTAINED,
}
_SQL = ("query", "sql")
"""Arguments in which tools take SQL."""


def answer_of(state: AgentState, episode_id: str, model: str, databases: Sequence[str]) -> Answer:
    """The answer of a run that has ended, with the queries that led to it.

    Args:
        state: the run.
        episode_id: under which it is recorded.
        model: who answered.
        databases: those that the tools can ask; when it is one, queries that name none are on it.

    >>> state = AgentState(run_id="r1", query="How many?", outcome="answered", answer="Three.")
    >>> answer_of(state, "r1", "gpt-4", []).outcome.value
    'answered'
    """
    outcome = _OUTCOMES.get(state.outcome, Outcome.FAILED)
    queries = queries_of(state, databases)
    rows = _rows(state) if outcome is Outcome.ANSWERED else None
    return Answer(
        episode_id=episode_id,
        question=state.query,
        outcome=outcome,
        text=state.answer or state.error or "",
        columns=rows.columns if rows else (),
        rows=rows.rows if rows else (),
        truncated=bool(rows and (rows.truncated or rows.row_count > len(rows.rows))),
        confidence=1.0 if outcome is Outcome.ANSWERED else 0.0,
        notes=(state.error,) if state.answer and state.error else (),
        steps=queries,
        usage=state.usage,
        model=model,
        seconds=state.seconds,
        session_id=state.run_id,
    )


def queries_of(state: AgentState, databases: Sequence[str]) -> tuple[QueryStep, ...]:
    """Each SQL statement that a tool was called with, in the order of the run."""
    found = [
        (step.thought, action, seen)
        for step in state.steps
        for action, seen in zip(step.actions, step.observations, strict=False)
        if sql_in(action) and not seen.not_called
    ]
    return tuple(
        _query(number, thought, (action, seen), databases)
        for number, (thought, action, seen) in enumerate(found, 1)
    )


def sql_in(action: Action) -> str | None:
    """The SQL that a tool is called with.

    >>> sql_in(Action(id="a", tool="sql_db_query", arguments={"query": "SELECT 1"}))
    'SELECT 1'
    """
    if not action.tool.startswith("sql"):
        return None
    given = (action.arguments.get(name) for name in _SQL)
    return next((one for one in given if isinstance(one, str) and one.strip()), None)


def _query(
    number: int, thought: str, call: tuple[Action, Observation], databases: Sequence[str]
) -> QueryStep:
    action, seen = call
    named = action.arguments.get("database")
    only = databases[0] if len(databases) == 1 else ""
    rows = seen.result
    return QueryStep(
        number=number,
        purpose=thought,
        database=named if isinstance(named, str) and named else only,
        sql=sql_in(action) or "",
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
