"""What evaluators of SQL have in common: which tools take it, what it may be about, and a model that judges with them."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from oldhand.evaluators.base import VerbalEvaluator
from oldhand.evaluators.critique import Critic, JudgeCache
from oldhand.evaluators.workplace import Schemas, at_work
from oldhand.models import LanguageModel
from oldhand.record.schema import DatabaseSchema
from oldhand.record.step import Action, Observation, Step
from oldhand.settings import home_folder
from oldhand.store.home_store import RESULTS_FOLDER

JUDGEMENTS_FILE = "judgements.db"
"""Where the answers of judging models are kept, beside the results."""


class SqlEvaluator(VerbalEvaluator):
    """Judges SQL by rules, which look at the schemas when there are some, and by a language model when there is one."""

    def __init__(
        self,
        base_model: LanguageModel | None = None,
        sql_tool_names: Collection[str] = ("sql_db_query",),
        *,
        schemas: Schemas = (),
        dialect: str = "",
        home: str | Path | None = None,
    ) -> None:
        """Nothing is opened yet, and nothing is asked.

        Args:
            base_model: judges after the rules; None for the rules alone.
            sql_tool_names: the tools whose SQL is judged; one, or several.
            schemas: the databases that queries may be for; without them, only what needs no schema is found.
            dialect: of all queries, when no schema tells it.
            home: as `VerbalEvaluator`.
        """
        super().__init__(base_model, home=home)
        alone = isinstance(sql_tool_names, str)
        self.sql_tool_names = (sql_tool_names,) if alone else tuple(sql_tool_names)
        self._schemas = schemas
        self._has_its_own = bool(schemas)
        self._dialect = dialect

    @cached_property
    def critic(self) -> Critic | None:
        """Asks the language model, for every process that uses the home; None when there is none."""
        if self.base_model is None:
            return None
        return Critic(self.base_model, self.evaluator_type, JudgeCache(self._judgements))

    def _judgements(self) -> Path:
        """Where answers are kept: at the agent that is judged, else in the evaluator's own home."""
        place = at_work()
        home = self._home if place is None else place.home or self._home
        return home_folder(home) / RESULTS_FOLDER / JUDGEMENTS_FILE

    def know(self, schemas: Schemas) -> None:
        """Judge by these databases where no agent is judged, from now on, unless some were given when it was made."""
        if not self._has_its_own:
            self._schemas = schemas

    def schemas_for(self, database: str) -> Sequence[DatabaseSchema]:
        """The named database, else all."""
        place = None if self._has_its_own else at_work()
        schemas = self._schemas if place is None else place.schemas
        known = schemas() if callable(schemas) else schemas
        return [one for one in known if one.name.casefold() == database.casefold()] or known


def saved_under(kwargs: dict[str, object]) -> tuple[int | None, str | None, str | None]:
    """Number of the question, model and task, as `evaluate` was told them."""
    index, model, task = (
        kwargs.get(name) for name in ("query_idx", "policy_model_name", "task_type")
    )
    return (
        index if isinstance(index, int) else None,
        model if isinstance(model, str) else None,
        task if isinstance(task, str) else None,
    )


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
