"""Steps that need no other's rows run side by side, and are told as if they had not."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

import pytest

from oldhand.agent.analysis.attempts import AnalysisDependencies
from oldhand.agent.analysis.mind import (
    Answerability,
    Draft,
    Failure,
    Inquiry,
    Plan,
    PlanStep,
    StepResult,
    Summary,
    Task,
    Validation,
)
from oldhand.agent.analysis.steps import DoneStep, Steps
from oldhand.errors import DatabaseUnreachable, QueryFailed
from oldhand.record.progress import Attempted, AttemptFailed, Progress, StepDone
from oldhand.settings import Settings
from oldhand.sources.databases import QueryResult
from oldhand.testing.clock import FixedClock


class Names:
    """A session that asks each database for its name, and never mends."""

    validation = Validation(verdict=Answerability.ANSWERABLE)

    async def plan(self) -> Plan:
        return Plan(steps=())

    async def write(self, task: Task) -> Draft:
        return Draft(sql=f"SELECT '{task.step.database}'")

    async def repair(self, task: Task, failure: Failure) -> Draft | None:
        return None

    async def say(self, results: Sequence[StepResult]) -> Summary:
        return Summary(text="")


@dataclass
class Gate:
    """A database that answers once others have been asked, or fails."""

    opens: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it may answer."""
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it was asked."""
    stopped: bool = False
    fails: bool = False

    async def execute(self, sql: str, *, rows: int, seconds: float) -> QueryResult:
        self.asked.set()
        try:
            await self.opens.wait()
        except asyncio.CancelledError:
            self.stopped = True
            raise
        if self.fails:
            raise QueryFailed("no such table")
        return QueryResult(columns=("name",), values=((sql,),), truncated=False)


@dataclass
class Gates:
    """The databases by name."""

    gates: dict[str, Gate]

    def open(self, name: str) -> Gate:
        if name not in self.gates:
            raise DatabaseUnreachable(name)
        return self.gates[name]


def step(number: int, database: str, *after: int) -> PlanStep:
    return PlanStep(number=number, purpose="name", database=database, depends_on=after)


async def take(gates: Gates, seen: list[Progress], *steps: PlanStep) -> tuple[DoneStep, ...]:
    inquiry = Inquiry(question="Which?", schemas=(), today=date(2026, 3, 1))
    dependencies = AnalysisDependencies(
        gates, seen.append, Settings(), FixedClock(), thinking=Names()
    )
    with Steps(inquiry, dependencies) as taking:
        return await taking.take(Plan(steps=steps))


async def test_two_steps_that_need_no_rows_are_asked_at_the_same_time() -> None:
    one, two = Gate(), Gate()
    one.opens, two.opens = two.asked, one.asked  # each answers only once the other was asked
    seen: list[Progress] = []
    done = await take(Gates({"one": one, "two": two}), seen, step(1, "one"), step(2, "two"))
    assert [ended.query.database for ended in done] == ["one", "two"]
    assert [(type(event), _number(event)) for event in seen] == [
        (Attempted, 1), (StepDone, 1), (Attempted, 2), (StepDone, 2),
    ]  # fmt: skip


async def test_a_step_waits_for_the_rows_that_it_needs() -> None:
    one, two = Gate(), Gate()
    two.opens.set()
    taking = asyncio.create_task(
        take(Gates({"one": one, "two": two}), [], step(1, "one"), step(2, "two", 1))
    )
    await one.asked.wait()
    assert not two.asked.is_set()
    one.opens.set()
    assert len(await taking) == 2


async def test_after_a_step_without_rows_the_others_are_stopped_and_not_told() -> None:
    one, two = Gate(fails=True), Gate()
    one.opens = two.asked
    seen: list[Progress] = []
    done = await take(Gates({"one": one, "two": two}), seen, step(1, "one"), step(2, "two"))
    assert [ended.result for ended in done] == [None]
    assert two.stopped
    assert [(type(event), _number(event)) for event in seen] == [
        (Attempted, 1), (AttemptFailed, 1), (StepDone, 1),
    ]  # fmt: skip


async def test_an_error_of_one_step_is_raised_as_it_is_and_stops_the_others() -> None:
    one, two = Gate(), Gate()
    with pytest.raises(DatabaseUnreachable):
        await take(Gates({"two": two}), [], step(1, "gone"), step(2, "two"))
    assert not one.asked.is_set()
    assert two.stopped or not two.asked.is_set()


async def test_cancelling_stops_all_steps() -> None:
    one, two = Gate(), Gate()
    gates = Gates({"one": one, "two": two})
    taking = asyncio.create_task(take(gates, [], step(1, "one"), step(2, "two")))
    await one.asked.wait()
    await two.asked.wait()
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    assert one.stopped
    assert two.stopped


def _number(event: Progress) -> int:
    if isinstance(event, StepDone):
        return event.step.number
    assert isinstance(event, Attempted | AttemptFailed)
    return event.number
