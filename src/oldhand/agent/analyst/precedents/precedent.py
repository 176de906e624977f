"""Pairs of a question and its SQL that people have confirmed or rejected, as queries that can be compared."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from oldhand.agent.analyst.precedents.statements import statements
from oldhand.agent.analyst.words.moving import date_moves, moved
from oldhand.errors import UsageError
from oldhand.query.form import Query
from oldhand.query.opaque import Opaque
from oldhand.query.walk import databases
from oldhand.record.feedback import TRUSTED
from oldhand.record.lesson import Lesson
from oldhand.record.memory import CORRECTED, THUMB, ExamplePayload, IssuePayload
from oldhand.record.schema import DatabaseSchema

LIKE = "like "
"""How the reading of a query starts that the rules have no words for."""


@dataclass(frozen=True, slots=True)
class Precedent:
    """A question whose SQL somebody has judged."""

    id: str
    """That of the memory."""
    question: str
    query: Query | Opaque
    right: bool
    """True when it was confirmed, False when it was rejected."""
    corrected: bool
    """True when it rests on SQL that somebody wrote; False when a thumb is all there is."""
    contested: bool = False
    """True when another trusted person said the opposite."""
    ups: int = 0
    """Trusted people who liked an answer that was made with it."""
    downs: int = 0
    """Trusted people who disliked one."""
    by: str = ""
    """Who judged it."""
    on: date | None = None
    """When."""

    @property
    def databases(self) -> tuple[str, ...]:
        """Names of the databases that its SQL reads."""
        return databases(self.query)


def precedents_of(
    lessons: Iterable[Lesson],
    schemas: tuple[DatabaseSchema, ...],
    today: date | None = None,
) -> tuple[Precedent, ...]:
    """The pairs among `lessons` whose SQL fits the schemas as they are now, in their order.

    What is no pair, comes from nobody trusted, or reads tables or columns that are gone, is left out. Days that the
    question of a pair counts from the day of asking are counted from `today`.
    """
    dialects = {schema.name: schema.dialect for schema in schemas}
    read = statements(schemas)
    found: list[Precedent] = []
    for lesson in lessons:
        pair = _pair(lesson)
        if pair is None:
            continue
        sql = _as_of(today, pair, lesson, dialects.get(pair.database or "", ""))
        query = read.query(sql, pair.database)
        if query is not None:
            found.append(_precedent(lesson, pair, query))
    return tuple(found)


def stale(lessons: Sequence[Lesson], schemas: tuple[DatabaseSchema, ...]) -> tuple[str, ...]:
    """Ids of trusted pairs whose SQL names a database of `schemas` but does not fit it any more."""
    names = {schema.name for schema in schemas}
    fitting = {precedent.id for precedent in precedents_of(lessons, schemas)}
    return tuple(
        lesson.id
        for lesson in lessons
        if (pair := _pair(lesson)) is not None
        and lesson.id not in fitting
        and pair.database in names
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """What the two kinds of memory that hold a pair have in common."""

    question: str
    sql: str
    database: str | None
    right: bool
    by: str


def _pair(lesson: Lesson) -> _Pair | None:
    """The pair of a lesson; None when it is none or when its source is not trusted."""
    memory = lesson.memory
    if memory.provenance.source not in TRUSTED:
        return None
    payload = memory.payload
    if isinstance(payload, ExamplePayload) and payload.sql:
        return _Pair(payload.question, payload.sql, payload.database, True, payload.confirmed_by)
    if (
        isinstance(payload, IssuePayload)
        and payload.evaluator_type == THUMB
        and payload.question
        and payload.sql_query
    ):
        by = memory.provenance.rater or ""
        return _Pair(payload.question, payload.sql_query, payload.database, False, by)
    return None


def _as_of(today: date | None, pair: _Pair, lesson: Lesson, dialect: str) -> str:
    """The SQL of a pair with the days of today; as it stands where it can't be told which of them move."""
    asked_on = lesson.memory.created_at.date()
    if today is None or today == asked_on:
        return pair.sql
    try:
        return moved(pair.sql, dialect, date_moves(pair.question, asked_on, today)).sql
    except UsageError:
        return pair.sql


def _precedent(lesson: Lesson, pair: _Pair, query: Query | Opaque) -> Precedent:
    return Precedent(
        id=lesson.id,
        question=pair.question,
        query=query,
        right=pair.right,
        corrected=CORRECTED in lesson.memory.tags,
        contested=lesson.memory.confidence < 1,
        ups=lesson.ups,
        downs=lesson.downs,
        by=pair.by,
        on=lesson.memory.created_at.date(),
    )
