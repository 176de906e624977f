"""How an assistant does over time, day by day, and what of its lessons has changed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime

from oldhand.learning.learner import said
from oldhand.learning.lifecycle.quarantine import reason_of
from oldhand.record.base import Record
from oldhand.record.fared import Fared
from oldhand.record.memory import NIGHT
from oldhand.record.stage import State, state_of
from oldhand.store import MemoryVersion, Store, UsageTotal

_MOST_ANSWERS = 20_000
"""The latest answers, which days are counted from."""


class AnswersOfDay(Record):
    """The answers of one day, on the clock of the machine, with what came of them so far."""

    day: date
    answers: int
    judged: int
    """Of how many it is known how they went."""
    right: int
    rated: int
    """Of how many people have said something."""
    liked: int
    seconds: float
    """What an answer took, on average."""
    cost: float
    """US dollars that language models have cost that day, at night as well."""
    tokens: int


class MemoryChange(Record):
    """What has become of one memory since some moment."""

    memory_id: str
    says: str
    at: datetime
    before: State | None
    """None for what is new."""
    after: State
    why: str
    """Why it is not in force, where that is known."""
    by: str
    """Whose word it is."""


def latest_days(store: Store, clone_id: str, since: datetime) -> tuple[AnswersOfDay, ...]:
    """The days since then, read from the store."""
    fared = store.fared.latest(clone_id, _MOST_ANSWERS)
    return answers_by_day(fared, store.usage_totals(clone_id, since), since)


def answers_by_day(
    fared: Iterable[Fared], usage: Iterable[UsageTotal], since: datetime
) -> tuple[AnswersOfDay, ...]:
    """The days since then on which something was asked or spent, oldest first."""
    answers: defaultdict[date, list[Fared]] = defaultdict(list)
    cost, tokens = defaultdict[date, float](float), defaultdict[date, int](int)
    for one in fared:
        if one.at >= since:
            answers[one.at.astimezone().date()].append(one)
    for total in usage:
        cost[total.day] += total.usage.cost
        tokens[total.day] += total.usage.input_tokens + total.usage.output_tokens
    days = sorted({*answers, *tokens})
    return tuple(_day(day, answers[day], cost[day], tokens[day]) for day in days)


def _day(day: date, some: list[Fared], cost: float, tokens: int) -> AnswersOfDay:
    judged = [one.success for one in some if one.success is not None]
    said_of = [one.feedback for one in some if one.feedback is not None]
    return AnswersOfDay(
        day=day,
        answers=len(some),
        judged=len(judged),
        right=sum(judged),
        rated=len(said_of),
        liked=said_of.count("positive"),
        seconds=sum(one.seconds for one in some) / max(len(some), 1),
        cost=cost,
        tokens=tokens,
    )


def changes_since(
    histories: Iterable[tuple[MemoryVersion, ...]], since: datetime
) -> Iterator[MemoryChange]:
    """What has become of each of these memories since then; one that says the same, in the same state, is left out."""
    for versions in histories:
        last, memory = versions[-1], versions[-1].memory
        before = next((one for one in reversed(versions) if one.saved_at < since), None)
        was, now = before and _state(before), _state(last)
        if NIGHT in memory.tags or (was is None and now is State.ERASED):
            continue
        if before is None or was is not now or said(before.memory) != said(memory):
            yield MemoryChange(
                memory_id=memory.id,
                says=said(memory),
                at=last.saved_at,
                before=was,
                after=now,
                why="" if now is State.ERASED else reason_of(memory),
                by=memory.provenance.rater or memory.provenance.source.value,
            )


def _state(version: MemoryVersion) -> State:
    return State.ERASED if version.forgotten_at is not None else state_of(version.memory)
