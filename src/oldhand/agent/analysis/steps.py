"""One step of a plan: write its SQL, let the guard look, run it, and repair it while it fails."""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from oldhand.agent.analysis.attempts import AnalysisDependencies, StepAttempts
from oldhand.agent.analysis.mind import (
    Draft,
    Inquiry,
    Plan,
    PlanStep,
    StepResult,
    Task,
)
from oldhand.agent.analysis.ranking import StatementRunner, ranking_of, sharing_last_place
from oldhand.agent.analysis.repair import Ending
from oldhand.record.answer import WORKSPACE, QueryStep, Ranking
from oldhand.record.ports import Observer
from oldhand.record.progress import Progress, StepDone
from oldhand.record.schema import DatabaseSchema, Disclosure
from oldhand.sources.databases import (
    QueryResult,
    open_workspace,
    plain_cell,
    unique_names,
)
from oldhand.sources.databases.withholding import withheld

FIRST_ROWS = 20
"""Rows of a step that an observer is shown."""


@dataclass(frozen=True)
class DoneStep:
    """A step that ended, well or not."""

    query: QueryStep
    draft: Draft
    result: StepResult | None
    """None when no statement ran."""


class Turns:
    """Whose events are told: those of the first step that has not ended, those of later steps afterwards.

    >>> told: list[object] = []
    >>> turns = Turns(told.append, [1, 2])
    >>> turns.tell(2, "two begins"), turns.tell(1, "one begins"), told
    (None, None, ['one begins'])
    >>> turns.end(2), turns.end(1), told
    (None, None, ['one begins', 'two begins'])
    """

    def __init__(self, observe: Observer, numbers: Sequence[int]) -> None:
        self._observe = observe
        self._waiting = deque(numbers)
        self._held: dict[int, list[Progress]] = {number: [] for number in numbers}
        self._ended: set[int] = set()

    def tell(self, number: int, event: Progress) -> None:
        """Tell an event of a step, now or when its turn has come."""
        if self._waiting and self._waiting[0] == number:
            self._observe(event)
        else:
            self._held[number].append(event)

    def end(self, number: int) -> None:
        """A step has ended: the next one has its turn, once all before it have ended."""
        self._ended.add(number)
        while self._waiting and self._waiting[0] in self._ended:
            self._waiting.popleft()
            for event in self._held[self._waiting[0]] if self._waiting else ():
                self._observe(event)


class Steps:
    """Takes the steps of one plan; a database is opened when a step needs it."""

    def __init__(self, inquiry: Inquiry, dependencies: AnalysisDependencies) -> None:
        self._inquiry = inquiry
        self._dependencies = dependencies
        self._rows: dict[int, QueryResult] = {}
        self._results: dict[int, StepResult] = {}
        self._asked: dict[int, tuple[StatementRunner, str, DatabaseSchema | None]] = {}
        """Where each step ran, in which dialect, and over which tables."""
        self._closing = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    async def take(self, plan: Plan) -> tuple[DoneStep, ...]:
        """Take the steps, those that need no other's rows side by side.

        Returns:
            What came of them in the order of the plan, up to the first for which no statement ran. The steps
            after that one are stopped; none of their events is told.
        """
        turns = Turns(self._dependencies.observe, [step.number for step in plan.steps])
        taken: dict[int, asyncio.Task[DoneStep | None]] = {}
        for step in plan.steps:
            before = [taken[number] for number in step.depends_on]
            taken[step.number] = asyncio.create_task(self._after(before, step, plan, turns))
        done: list[DoneStep] = []
        try:
            for step in plan.steps:
                ended = await taken[step.number]
                if ended is not None:
                    done.append(ended)
                if ended is None or ended.result is None:
                    break
                turns.end(step.number)
        finally:
            for task in taken.values():
                task.cancel()
            # What becomes of those that still run is of no interest.
            await asyncio.gather(*taken.values(), return_exceptions=True)
        return tuple(done)

    async def _after(
        self,
        before: Sequence[asyncio.Task[DoneStep | None]],
        step: PlanStep,
        plan: Plan,
        turns: Turns,
    ) -> DoneStep | None:
        """Take a step once those have ended whose rows it needs; None when one of them has no rows."""
        for needed in before:
            ended = await asyncio.shield(needed)
            if ended is None or ended.result is None:
                return None
        dependencies = replace(self._dependencies, observe=partial(turns.tell, step.number))
        limits = dependencies.settings.query
        wanted = any(step.number in later.depends_on for later in plan.steps)
        rows = limits.workspace_rows if wanted else limits.rows
        question = "" if wanted else self._inquiry.question
        return await self._step(step, rows, dependencies, question)

    async def _step(
        self, step: PlanStep, rows: int, dependencies: AnalysisDependencies, question: str
    ) -> DoneStep:
        began = self._dependencies.clock.monotonic()
        results = tuple(self._results[number] for number in sorted(set(step.depends_on)))
        source, schema = await self._source(step, results)
        task = Task(step, schema, results)
        dialect = task.schema.dialect if task.schema else "duckdb"
        self._asked[step.number] = source, dialect, task.schema
        trial = StepAttempts(task, source, dependencies, rows, question)
        ending = await trial.run(await dependencies.thinking.write(task))
        seconds = self._dependencies.clock.monotonic() - began
        result = _result(step, ending, self._dependencies.settings.query.rows, task.schema)
        if ending.rows is not None and result is not None:
            self._rows[step.number] = ending.rows
            self._results[step.number] = result
        query = _query_step(step, ending, trial.refused, seconds)
        query = query.model_copy(update={"withheld": result.withheld if result else ()})
        dependencies.observe(StepDone(step=query, rows=result.rows[:FIRST_ROWS] if result else ()))
        return DoneStep(query, ending.draft, result)

    async def beside(self, done: DoneStep) -> tuple[str, Ranking | None]:
        """What is told beside the rows of a step: how many more share its last place, and what they are ranked by."""
        source, dialect, schema = self._asked[done.query.number]
        result = self._results[done.query.number]
        seconds = self._dependencies.settings.query.seconds
        ranking = await ranking_of(result, source, dialect, schema, done.draft.ranked_by)
        return await sharing_last_place(result, source, dialect, seconds), ranking

    async def _source(
        self, step: PlanStep, results: Sequence[StepResult]
    ) -> tuple[StatementRunner, DatabaseSchema | None]:
        """Where the step runs, and the schema of its tables."""
        if step.database == WORKSPACE:
            return await asyncio.to_thread(self._workspace, results)
        source = await asyncio.to_thread(self._dependencies.sources.open, step.database)
        return source, self._inquiry.schema(step.database)

    def _workspace(self, results: Sequence[StepResult]) -> tuple[StatementRunner, DatabaseSchema]:
        """A workspace with the rows of these steps, and no others."""
        workspace = open_workspace()
        self._closing.callback(workspace.close)
        for result in results:
            workspace.add(result.table, self._rows[result.step.number])
        purposes = {result.table: result.step.purpose for result in results}
        private = {(one.table, name) for one in results for name in one.withheld}
        schema = workspace.schema()
        tables = tuple(
            table.model_copy(
                update={
                    "description": purposes.get(table.name, ""),
                    "columns": tuple(
                        column.model_copy(update={"to_models": Disclosure.NAMES})
                        if (table.name, column.name) in private
                        else column
                        for column in table.columns
                    ),
                }
            )
            for table in schema.tables
        )
        return workspace, schema.model_copy(update={"tables": tables})


def _query_step(
    step: PlanStep, ending: Ending[QueryResult], refused: int, seconds: float
) -> QueryStep:
    found = ending.rows
    return QueryStep(
        number=step.number,
        purpose=step.purpose,
        database=step.database,
        sql=ending.draft.sql,
        attempts=ending.attempts,
        failures=ending.failures,
        refused=refused,
        succeeded=found is not None,
        columns=found.columns if found else (),
        row_count=len(found.values) if found else 0,
        truncated=found.truncated if found else False,
        seconds=seconds,
    )


def _result(
    step: PlanStep, ending: Ending[QueryResult], limit: int, schema: DatabaseSchema | None
) -> StepResult | None:
    found = ending.rows
    if found is None:
        return None
    names = unique_names(found.columns)
    places = withheld(ending.draft.sql, schema, len(names)) if schema else ()
    return StepResult(
        step=step,
        sql=ending.draft.sql,
        columns=names,
        rows=tuple(tuple(map(plain_cell, row)) for row in found.values[:limit]),
        row_count=len(found.values),
        truncated=found.truncated,
        withheld=tuple(names[place] for place in sorted(places)),
    )
