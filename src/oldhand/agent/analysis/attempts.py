"""The attempts at one step: the guard looks, the statement runs, its rows are looked at, and it is repaired."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from oldhand.agent.analysis.mind import Draft, Failure, Task, Thinking
from oldhand.agent.analysis.ranking import StatementRunner
from oldhand.agent.analysis.repair import (
    Dialogue,
    Ending,
    Rejected,
    StatementAttempt,
    Success,
    plain,
    repair_dialogue,
)
from oldhand.errors import ModelError, QueryFailed, QueryRefused, QueryTimedOut, UnreadableSQL
from oldhand.record.answer import WORKSPACE
from oldhand.record.ports import Clock, Observer
from oldhand.record.progress import Attempted, AttemptFailed
from oldhand.record.schema import DatabaseSchema
from oldhand.settings import Settings
from oldhand.sources.databases import QueryResult, check_sql, find_errors


class Sources(Protocol):
    """Where databases are opened by name; the catalogue is one. They stay its own: it closes them."""

    def open(self, name: str) -> StatementRunner:
        """The database of that name, opened for reading; the same one for the same name."""
        ...


ResultReview: TypeAlias = Callable[[str, QueryResult, DatabaseSchema, str], str]
"""Says what is odd about the rows of a statement; empty when nothing is. The last text is the question that these rows
answer; empty for rows that only later steps need. Blocks."""


@dataclass(frozen=True)
class AnalysisWorkplace:
    """What analyses work with, whoever thinks."""

    sources: Sources
    observe: Observer
    settings: Settings
    clock: Clock
    review: ResultReview | None = None
    """Looks at rows before they are taken; None where nobody does."""


@dataclass(frozen=True, kw_only=True)
class AnalysisDependencies(AnalysisWorkplace):
    """What one analysis works with, the same for every step."""

    thinking: Thinking


class StepAttempts:
    """The attempts at one step: what the repair dialogue asks for is done here."""

    def __init__(
        self,
        task: Task,
        source: StatementRunner,
        dependencies: AnalysisDependencies,
        rows: int,
        question: str = "",
    ) -> None:
        self._task = task
        self._source = source
        self._dependencies = dependencies
        self._rows = rows
        self._schema = task.schema
        self._dialect = "duckdb" if self._schema is None else self._schema.dialect
        self._question = question
        self._objected: str | None = None
        self._failed: dict[str, str] = {}
        """What the database said of statements that ran."""
        self._doubted = False
        self._held_back: str | None = None
        """A statement that could have run, while it has not."""
        self.refused = 0
        """Statements that were not let through because they do more than read."""

    async def run(self, draft: Draft) -> Ending[QueryResult]:
        """Carry on the repair dialogue until a statement ran or the attempts are used up."""
        dialogue: Dialogue[QueryResult] = repair_dialogue(
            draft, max_attempts=self._dependencies.settings.max_attempts
        )
        try:
            request = next(dialogue)
            while True:
                if isinstance(request, Failure):
                    request = dialogue.send(await self._repaired(request))
                else:
                    request = dialogue.send(await self._try(request))
        except StopIteration as stopped:
            return stopped.value

    async def _repaired(self, failure: Failure) -> Draft | None:
        """Another draft; None when the model fails at it and there is a statement yet that could run."""
        try:
            return await self._dependencies.thinking.repair(self._task, failure)
        except ModelError:
            if self._held_back is None:
                raise
            return None

    async def _try(self, attempt: StatementAttempt) -> Success[QueryResult] | Rejected:
        step, sql = self._task.step, attempt.draft.sql
        self._dependencies.observe(
            Attempted(number=step.number, attempt=attempt.number, database=step.database, sql=sql)
        )
        last = attempt.number >= self._dependencies.settings.max_attempts
        reply = await self._reply(sql, () if last else attempt.draft.doubts)
        if isinstance(reply, Rejected):
            self._dependencies.observe(
                AttemptFailed(number=step.number, attempt=attempt.number, error=reply.error)
            )
        return reply

    async def _reply(self, sql: str, doubts: tuple[str, ...]) -> Success[QueryResult] | Rejected:
        """Guard first, then what can be seen without running it, then run it."""
        seconds = self._dependencies.settings.query.seconds
        try:
            # Long statements take seconds to read: other tasks of the loop go on meanwhile.
            await asyncio.to_thread(check_sql, sql, self._dialect)
            if objection := await asyncio.to_thread(self._objection, sql):
                return Rejected(objection)
            if doubts and not self._doubted:
                self._doubted, self._held_back = True, plain(sql)
                return Rejected("\n".join(doubts), held_back=True)
            if (said := self._failed.get(plain(sql))) is not None:
                return Rejected(
                    f"{said.rstrip('. ')}. This statement was run before, and is not run again."
                )
            if plain(sql) == self._held_back:
                self._held_back = None
            found = await self._source.execute(sql, rows=self._rows, seconds=seconds)
            return Success(found, await asyncio.to_thread(self._doubt, sql, found))
        except (QueryRefused, QueryFailed, QueryTimedOut) as error:
            refused = isinstance(error, QueryRefused) and not isinstance(error, UnreadableSQL)
            self.refused += refused
            self._failed[plain(sql)] = str(error)
            return Rejected(str(error))

    def _doubt(self, sql: str, found: QueryResult) -> str:
        """What is odd about the rows; nothing where nobody looks, and in the workspace."""
        review = self._dependencies.review
        if review is None or self._schema is None or self._task.step.database == WORKSPACE:
            return ""
        return review(sql, found, self._schema, self._question)

    def _objection(self, sql: str) -> str | None:
        """Names that do not exist, and the like; a statement that the mind insists on is run all the same."""
        if self._schema is None or sql == self._objected:
            return None
        messages = find_errors(sql, self._schema)
        self._objected = sql if messages else None
        return "\n".join(messages) or None
