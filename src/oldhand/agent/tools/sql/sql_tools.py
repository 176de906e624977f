"""The tools with which a model works on databases."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Annotated

from pydantic import BeforeValidator

from oldhand.agent.tools.function_tool import FunctionTool, as_tool
from oldhand.agent.tools.kept_tables import KeptTables
from oldhand.agent.tools.sql.databases import Databases, chosen, databases_of
from oldhand.agent.tools.sql.texts import (
    answer_text,
    database_text,
    failure_text,
    query_text,
    result_of,
    tables_text,
)
from oldhand.agent.tools.tool import Tool, ToolOutput
from oldhand.errors import DatabaseError, OldhandError, QueryRefused, SchemaError, ToolFailed
from oldhand.models.disclosure import as_sent
from oldhand.record.answer import Answer, Outcome
from oldhand.record.schema import DatabaseSchema
from oldhand.record.step import Conclusion, ResultRows
from oldhand.settings import QueryLimits

Analyse = Callable[[str], Awaitable[Answer]]
"""Answers a question with the whole analysis: plan, SQL, repair, summary."""


def sql_tools(
    databases: Databases | str | Mapping[str, str],
    *,
    limits: QueryLimits | None = None,
    kept: KeptTables | None = None,
    analyse: Analyse | None = None,
) -> tuple[Tool, ...]:
    """The tools over these databases: `sql_db_list`, `sql_db_schema`, `sql_db_query`.

    Queries are read by the guard, run on a read-only connection, and end at the limits.

    Args:
        databases: `Oldhand.databases`, a catalogue, the URL of one database, or names with URLs.
        limits: Rows and seconds of one query; the defaults of the settings when None.
        kept: Where results are kept for `python_tool`; they are not kept when None.
        analyse: Adds the tool `sql_analysis`, which answers a whole question.

    Raises:
        InvalidDatabaseUrl: a URL does not parse.
        InvalidTool: no database is given.

    >>> import sqlite3, tempfile
    >>> from oldhand.agent.tools import Tools
    >>> from oldhand.record.step import Action
    >>> path = f"{tempfile.mkdtemp()}/shop.db"
    >>> with sqlite3.connect(path) as shop:
    ...     _ = shop.execute("CREATE TABLE towns AS SELECT 'Wien' AS name, 1900000 AS people")
    >>> tools = Tools(sql_tools(f"sqlite:///{path}"))
    >>> def run(sql: str) -> str:
    ...     return asyncio.run(tools.call(Action(id="1", tool="sql_db_query", arguments={"query": sql}))).text
    >>> print(run("SELECT name FROM towns"))
    name
    Wien
    >>> print(run("SELECT nam FROM towns"))
    The query on shop brought nothing: no such column: nam
    - No table in FROM has a column nam. Did you mean name?
    Next: correct the SQL and call the tool again; sql_db_schema(database="shop") shows tables and columns.
    """
    room = _Room(databases_of(databases), limits or QueryLimits(), kept)
    made: tuple[Tool, ...] = (
        as_tool(room.sql_db_list, idempotent=True),
        as_tool(room.sql_db_schema, idempotent=True),
        as_tool(room.sql_db_query, idempotent=True),
    )
    return made if analyse is None else (*made, sql_analysis_tool(analyse))


def databases_behind(tools: Iterable[Tool]) -> Databases | None:
    """The databases that the first of the SQL tools among these asks; None when there is none."""
    owners = (one.owner for one in tools if isinstance(one, FunctionTool))
    return next((one.databases for one in owners if isinstance(one, _Room)), None)


def sql_analysis_tool(analyse: Analyse) -> Tool:
    """The whole analysis as one tool."""

    async def sql_analysis(question: str) -> ToolOutput:
        """Answer a whole question over all databases: plans, writes and repairs the SQL, and sums the rows up.

        Use it when one call is enough; use sql_db_query when you want to write the SQL yourself.

        Args:
            question: In plain words, complete in itself.
        """
        answer = await analyse(question)
        proposed = answer.outcome is Outcome.PROPOSED
        rows = ResultRows(
            columns=answer.columns,
            rows=answer.rows,
            row_count=len(answer.rows),
            truncated=answer.truncated,
        )
        return ToolOutput(
            answer_text(answer),
            is_error=answer.abstained,
            truncated=answer.truncated,
            result=rows if answer.columns and not proposed else None,
            conclusion=Conclusion(
                text=answer.text, ending=answer.outcome.value, confidence=answer.confidence
            ),
        )

    return as_tool(sql_analysis)


def _split(given: object) -> object:
    """Models write `"a, b"` where `["a", "b"]` is asked for."""
    if not isinstance(given, str):
        return [] if given is None else given
    return [name.strip() for name in given.split(",") if name.strip()]


class _Room:
    """What the tools over the same databases share."""

    def __init__(self, databases: Databases, limits: QueryLimits, kept: KeptTables | None) -> None:
        self.databases = databases
        self._limits = limits
        self._kept = kept

    def sql_db_list(self) -> ToolOutput:
        """List the databases and the names of their tables."""
        texts: list[str] = []
        rows: list[tuple[str, str, str]] = []
        for entry in self.databases.list():
            schema, problem = self._known(entry.name)
            if schema is None:
                texts.append(f"{entry.name}: can't be read: {problem}")
                continue
            schema = as_sent(schema)
            texts.append(database_text(schema))
            rows += [(schema.name, schema.dialect, table.name) for table in schema.tables]
        result = ResultRows(
            columns=("database", "dialect", "table"), rows=tuple(rows), row_count=len(rows)
        )
        return ToolOutput("\n".join(texts) or "There are no databases.", result=result)

    def sql_db_schema(
        self,
        database: str = "",
        tables: Annotated[tuple[str, ...], BeforeValidator(_split)] = (),
    ) -> ToolOutput:
        """Show tables with their columns, types, keys and examples of values.

        Args:
            database: Its name; may be left out when there is only one.
            tables: Names of the tables to show; all when left out.
        """
        name = chosen(self.databases, database)
        schema, problem = self._known(name)
        if schema is None:
            raise ToolFailed(f"The schema of {name} can't be read: {problem}")
        return ToolOutput(tables_text(as_sent(schema), tables))

    async def sql_db_query(self, query: str, database: str = "") -> ToolOutput:
        """Run one SELECT and show its first rows. Databases can only be read.

        Args:
            query: One statement, in the dialect of the database.
            database: Its name; may be left out when there is only one.
        """
        name = await asyncio.to_thread(chosen, self.databases, database)
        try:
            source = await asyncio.to_thread(self.databases.open, name)
            found = await source.execute(
                query, rows=self._limits.rows, seconds=self._limits.seconds
            )
        except (DatabaseError, QueryRefused) as error:
            text = await asyncio.to_thread(self._failure, error, query, name)
            return ToolOutput(text, is_error=True)
        schema, _ = await asyncio.to_thread(self._known, name)
        result = await asyncio.to_thread(result_of, found, query, schema)
        kept_as = None if self._kept is None else self._kept.keep(result.columns, result.rows)
        return ToolOutput(query_text(result, kept_as), truncated=found.truncated, result=result)

    def _failure(self, error: OldhandError, sql: str, name: str) -> str:
        return failure_text(error, sql, self._known(name)[0], name)

    def _known(self, name: str) -> tuple[DatabaseSchema | None, str]:
        try:
            return self.databases.schema(name), ""
        except (SchemaError, DatabaseError) as error:
            return None, str(error)
