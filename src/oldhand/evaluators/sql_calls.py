"""The SQL in what an agent did."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from oldhand.record.step import Action, Observation, Step

SQL_ARGUMENTS = ("query", "sql", "statement", "sql_query")
"""Under these names a tool takes SQL."""
_BEGINS_LIKE_SQL = re.compile(
    r"[\s(]*(?:select|with|values|insert|update|delete|create|drop|alter|explain|pragma)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SqlCall:
    """One statement that was given to a tool."""

    sql: str
    database: str = ""
    """The database that was named; empty when none was."""
    step_number: int | None = None
    observation: Observation | None = None
    """What came of it; None when it has not run."""


def sql_calls(step: Step, tools: Collection[str]) -> tuple[SqlCall, ...]:
    """The statements of a step, in the order of its actions.

    >>> query = Action(id="1", tool="sql_db_query", arguments={"query": "SELECT 1", "database": "shop"})
    >>> schema = Action(id="2", tool="sql_db_schema", arguments={"tables": "users"})
    >>> [call.sql for call in sql_calls(Step(number=1, actions=(query, schema)), {"sql_db_query", "sql_db_schema"})]
    ['SELECT 1']
    """
    outcomes = {one.action_id: one for one in step.observations}
    return tuple(
        SqlCall(sql, _database(action), step.number, outcomes.get(action.id))
        for action in step.actions
        if action.tool in tools
        for sql in _statements(action)
    )


def calls_of_run(steps: Sequence[Step], tools: Collection[str]) -> Iterator[SqlCall]:
    """The statements of a run, in order."""
    for step in steps:
        yield from sql_calls(step, tools)


def _statements(action: Action) -> Iterator[str]:
    for name, value in action.arguments.items():
        if isinstance(value, str) and (name in SQL_ARGUMENTS or _BEGINS_LIKE_SQL.match(value)):
            yield value


def _database(action: Action) -> str:
    name = action.arguments.get("database")
    return name if isinstance(name, str) else ""
