"""Asks before and after one correction, as the product would."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchmarks._harm.cases import Case, Kind, Probe
from benchmarks._spider_data import Question, Rows, SpiderDatabase, same_answer
from benchmarks._stream.clone import Clone
from benchmarks._stream.conditions import OURS
from benchmarks._stream.reader import TODAY
from benchmarks._stream.reader import Reader as StreamReader
from benchmarks._stream.teacher import Said
from benchmarks._stream.turns import Turn
from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.query.compiling.compile import compile_query
from oldhand.query.form import Query
from oldhand.query.lifting import lift
from oldhand.query.likeness import likeness
from oldhand.record.lesson import Lesson


@dataclass(frozen=True)
class Told:
    """What was said to a question."""

    right: bool = False
    """Answered, and rightly."""
    sql: str | None = None
    """None when it was not answered."""
    confidence: float = 0.0


@dataclass(frozen=True)
class Seen:
    """One question before and after a correction."""

    case: Case
    probe: Probe
    before: Told
    after: Told
    served: bool = False
    """The stored answer was given to a question that means the opposite."""


def tried(cases: Iterable[Case]) -> Iterator[Seen]:
    """Each case with nothing learned before it."""
    desks: dict[str, Desk] = {}
    for case in cases:
        if case.database.name not in desks:
            desks.clear()
            desks[case.database.name] = Desk(case.database)
        yield from desks[case.database.name].tried(case)


class Desk:
    """Asks over one database."""

    def __init__(self, database: SpiderDatabase) -> None:
        self._database = database
        self._stream = StreamReader(database)
        self._plain: dict[tuple[str, str | None], Told] = {}
        self._rows: dict[str, Rows | None] = {}

    def tried(self, case: Case) -> Iterator[Seen]:
        """All questions of a case before and after its correction."""
        if not self._fetched(case.gold):
            return
        clone = self._corrected(case)
        for probe in case.probes:
            if probe.gold is not None and self._fetched(probe.gold) is None:
                continue
            key = (probe.text, probe.gold)
            if key not in self._plain:
                self._plain[key] = self._told(probe, ())
            after = self._told(probe, clone.recall(probe.text))
            yield Seen(case, probe, self._plain[key], after, self._is_served(case, probe, after))

    def _corrected(self, case: Case) -> Clone:
        clone = Clone(OURS, self._stream, "harm")
        shown = self._stream.shown(case.question, ())
        right = self._stream.is_right(case.gold, shown.sql)
        question = Question(self._database.name, case.question, "", case.gold)
        clone.learn(Turn(0, 0, 0, question, False), shown, Said(1 if right else -1, case.gold))
        return clone

    def _told(self, probe: Probe, lessons: tuple[Lesson, ...]) -> Told:
        schemas = (self._database.schema,)
        reading = QuestionReader(schemas, self._database.values, TODAY, lessons).read(probe.text)
        if not reading.answers:
            return Told()
        sql = compile_query(reading.queries[0], schemas, "sqlite")
        right = probe.gold is not None and same_answer(
            probe.gold, self._fetched(probe.gold) or [], self._fetched(sql)
        )
        return Told(right, sql, reading.confidence)

    def _is_served(self, case: Case, probe: Probe, after: Told) -> bool:
        if probe.kind is not Kind.OPPOSITE or after.sql is None:
            return False
        stored, given = (lift(sql, self._database.schema) for sql in (case.gold, after.sql))
        if isinstance(stored, Query) and isinstance(given, Query):
            agreement = likeness(stored, given).agreement
            turned = not (
                agreement.polarity and agreement.direction and agreement.measure and agreement.time
            )
            if turned:  # the same rows by chance
                return False
        rows = self._fetched(case.gold) or []
        return same_answer(case.gold, rows, self._fetched(after.sql))

    def _fetched(self, sql: str) -> Rows | None:
        if sql not in self._rows:
            self._rows[sql] = self._database.rows(sql)
        return self._rows[sql]
