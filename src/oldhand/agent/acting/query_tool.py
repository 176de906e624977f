"""The tool that runs SQL, as its schema describes it: ours, or one of the same name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from pydantic import JsonValue

from oldhand.agent.analysis.mind import Plan
from oldhand.agent.tools import Tools
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import DatabaseSchema

SQL_TOOL = "sql_db_query"
ANALYSIS_TOOL = "sql_analysis"

_SQL_ARGUMENTS = ("query", "sql", "statement")
_DATABASE_ARGUMENT = "database"


@dataclass(frozen=True)
class QueryTool:
    """How `sql_db_query` wants to be called."""

    sql_argument: str
    takes_database: bool

    @classmethod
    def among(cls, tools: Tools) -> Self | None:
        """That of an agent; None when there is none, or when it takes no SQL that we know of."""
        tool = tools.get(SQL_TOOL)
        if tool is None:
            return None
        found = tool.parameters.get("properties")
        names: list[str] = list(found) if isinstance(found, dict) else []
        takes_sql = next((name for name in _SQL_ARGUMENTS if name in names), None)
        if takes_sql is None:
            return None
        return cls(takes_sql, _DATABASE_ARGUMENT in names)

    def suffices(self, plan: Plan, schemas: Sequence[DatabaseSchema]) -> bool:
        """True when it alone can run every step of the plan."""
        joins = any(step.database == WORKSPACE for step in plan.steps)
        return not joins and (self.takes_database or len(schemas) == 1)

    def arguments(self, sql: str, database: str) -> dict[str, JsonValue]:
        """Those of one call."""
        named: dict[str, JsonValue] = {_DATABASE_ARGUMENT: database} if self.takes_database else {}
        return {self.sql_argument: sql} | named
