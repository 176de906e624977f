"""Pairs of a question and its SQL that people have confirmed or rejected, as queries that can be compared."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.agent.analyst.precedents.fitting import as_declared, fits
from oldhand.agent.analyst.rendering.names import databases_of, qualified
from oldhand.agent.analyst.repair.repairing import anchor
from oldhand.errors import QueryRefused
from oldhand.record.feedback import TRUSTED
from oldhand.record.lesson import Lesson
from oldhand.record.memory import CORRECTED, THUMB, ExamplePayload, IssuePayload
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases import check_sql

KEPT = 4096
"""Statements whose parsed form is kept for each set of schemas."""


@dataclass(frozen=True, slots=True)
class Precedent:
    """A question whose SQL somebody has judged."""

    id: str
    """That of the memory."""
    question: str
    query: exp.Query
    """Without regard to a dialect; every table is `database.schema.table` with an alias."""
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
        return databases_of(self.query)


def precedents_of(
    lessons: Iterable[Lesson], schemas: tuple[DatabaseSchema, ...]
) -> tuple[Precedent, ...]:
    """The pairs among `lessons` whose SQL fits the schemas as they are now, in their order.

    What is no pair, comes from nobody trusted, or reads tables or columns that are gone, is left out.
    """
    read = _reader(schemas)
    found: list[Precedent] = []
    for lesson in lessons:
        pair = _pair(lesson)
        query = read.query(pair.sql, pair.database) if pair is not None else None
        if pair is not None and query is not None:
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


def _precedent(lesson: Lesson, pair: _Pair, query: exp.Query) -> Precedent:
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


class _Reader:
    """Reads statements over the same schemas; the same pairs come back for question after question."""

    def __init__(self, schemas: tuple[DatabaseSchema, ...]) -> None:
        self._schemas = schemas
        self.query = lru_cache(maxsize=KEPT)(self._query)

    def _query(self, sql: str, database: str | None) -> exp.Query | None:
        """The statement as a neutral query; None when it does not parse or does not fit."""
        tree = self._tree(sql, database)
        if tree is None:
            return None
        found = qualified(as_declared(tree, self._schemas), self._schemas)
        return found if isinstance(found, exp.Query) and fits(found, self._schemas) else None

    def _tree(self, sql: str, database: str | None) -> exp.Expr | None:
        if database is None:
            return _parsed(sql)
        schema = next((s for s in self._schemas if s.name == database), None)
        if schema is None:
            return None
        try:
            tree = check_sql(sql, schema.dialect)
        except QueryRefused:
            return None
        anchor(tree, schema)
        return tree


@lru_cache(maxsize=64)
def _reader(schemas: tuple[DatabaseSchema, ...]) -> _Reader:
    return _Reader(schemas)


def _parsed(sql: str) -> exp.Expr | None:
    try:
        return parse_one(sql)
    except (SqlglotError, RecursionError):
        return None
