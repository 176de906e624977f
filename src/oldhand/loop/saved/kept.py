"""A mind that thinks again what was thought before: it reads no words, and repairs nothing."""

from collections.abc import Sequence
from datetime import date

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

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
    Thinking,
    Validation,
)
from oldhand.agent.analyst.conversation.understood import UnderstoodQuestion
from oldhand.agent.analyst.deciding import Decision, DecisionKind
from oldhand.agent.analyst.mind import BuiltinThinking
from oldhand.agent.analyst.understanding import Candidate
from oldhand.learning.confirmation import Solution
from oldhand.loop.saved.dates import DateMoves, date_moves, moved
from oldhand.query.compiling.compile import spelled
from oldhand.query.describing.describing import describe
from oldhand.query.form import Query
from oldhand.query.lifting import lift_tree
from oldhand.query.opaque import Opaque
from oldhand.query.walk import databases
from oldhand.record.answer import WORKSPACE, Answer
from oldhand.record.memory import ExamplePayload
from oldhand.record.saved import KeptReading, KeptStep
from oldhand.record.schema import DatabaseSchema
from oldhand.settings import BUILTIN

_STANDS = "{} can't be moved to today in this statement: it still counts from {}. Ask the question anew, and save that answer."


def kept_reading(answer: Answer, asked_on: date) -> KeptReading:
    """What an answer was read as."""
    steps = tuple(
        KeptStep(database=one.database, sql=one.sql) for one in answer.steps if one.succeeded
    )
    repaired = any(one.failures for one in answer.steps)
    query = answer.query if steps and not (repaired and len(steps) == 1) else None
    names = dict.fromkeys(one.database for one in steps if one.database != WORKSPACE)
    return KeptReading(databases=(*names,), query=query, steps=steps, asked_on=asked_on)


def confirmed_reading(example: ExamplePayload, solved: Solution, asked_on: date) -> KeptReading:
    """What somebody has said that a question means, where that is not what its answer was read as."""
    steps = tuple(KeptStep(database=one.database, sql=one.sql) for one in example.steps)
    if example.sql is not None and example.database is not None:
        steps = (KeptStep(database=example.database, sql=example.sql),)
    query = example.sql if example.database is None else None
    return KeptReading(databases=solved.databases, query=query, steps=steps, asked_on=asked_on)


class KeptMind:
    """Thinks what was kept, with the days of now where it counts from today."""

    name = BUILTIN
    foresees = False

    def __init__(self, reading: KeptReading) -> None:
        self._reading = reading

    async def read(self, inquiry: Inquiry) -> Thinking:
        """The same reading as when it was kept.

        Raises:
            UsageError: it can't be told which days move.
        """
        reading = self._reading
        moves = date_moves(inquiry.question, reading.asked_on, inquiry.today)
        query, follows = _query(reading, moves, inquiry.schemas)
        if query is None:
            return KeptStepsThinking(reading, moves, inquiry.schemas)
        notes = _notes(reading, moves, inquiry.schemas, follows=follows)
        understood = UnderstoodQuestion(
            inquiry.question,
            Decision(DecisionKind.ANSWER),
            (Candidate(query, 1.0, {}, "", databases(query)),),
            confidence=1.0,
        )
        told = Validation(
            verdict=Answerability.ANSWERABLE,
            databases=reading.databases,
            notes=notes,
            query=spelled(query),
        )
        return KeptThinking(inquiry, understood, told)


class KeptThinking(BuiltinThinking):
    """A query that is known; what the database rejects is told, and not repaired behind anybody's back."""

    async def repair(self, task: Task, failure: Failure) -> Draft | None:  # noqa: ARG002
        """Nothing else to try."""
        return None


class KeptStepsThinking:
    """Statements of several steps whose one query nobody knows, as they ran."""

    def __init__(
        self, reading: KeptReading, moves: DateMoves, schemas: Sequence[DatabaseSchema]
    ) -> None:
        dialects = {one.name: one.dialect for one in schemas} | {WORKSPACE: "duckdb"}
        made = [moved(one.sql, dialects.get(one.database, ""), moves) for one in reading.steps]
        self._kept = reading.steps
        self._statements = tuple(one.sql for one in made)
        self.validation = Validation(
            verdict=Answerability.ANSWERABLE,
            databases=reading.databases,
            notes=_notes(reading, moves, schemas, follows=any(one.follows for one in made)),
        )

    async def plan(self) -> Plan:
        """The steps that were taken."""
        last = len(self._kept)
        steps = tuple(
            PlanStep(
                number=number,
                purpose=f"read rows of {one.database}",
                database=one.database,
                depends_on=tuple(range(1, number)) if one.database == WORKSPACE else (),
                hidden=number < last,
            )
            for number, one in enumerate(self._kept, 1)
        )
        return Plan(steps=steps)

    async def write(self, task: Task) -> Draft:
        """The statement of a step."""
        return Draft(sql=self._statements[task.step.number - 1])

    async def repair(self, task: Task, failure: Failure) -> Draft | None:  # noqa: ARG002
        """Nothing else to try."""
        return None

    async def say(self, results: Sequence[StepResult]) -> Summary:
        """What the rows are."""
        return Summary(text=results[-1].in_words)


def _query(
    reading: KeptReading, moves: DateMoves, schemas: Sequence[DatabaseSchema]
) -> tuple[Query | Opaque | None, bool]:
    """The query to ask now, and whether it follows the day; None where only its steps are known.

    The statement of a single step runs as it ran; where its days move, and of several databases, the form is compiled anew.
    """
    single = reading.steps[0] if len(reading.steps) == 1 else None
    if reading.query is not None and (single is None or moves.words):
        statement = moved(reading.query, "", moves)
        if (form := _lifted(statement.sql, schemas)) is not None and statement.follows:
            return form, True
    if single is None:
        return None, True
    dialect = next((one.dialect for one in schemas if one.name == single.database), "")
    statement = moved(single.sql, dialect, moves)
    return Opaque(single.database, statement.sql), statement.follows


def _lifted(sql: str, schemas: Sequence[DatabaseSchema]) -> Query | None:
    try:
        tree = parse_one(sql)
    except (SqlglotError, RecursionError):
        return None
    found = lift_tree(tree, schemas) if isinstance(tree, exp.Query) else None
    known = {one.name for one in schemas}
    return found if found is not None and known >= {*databases(found)} else None


def _notes(
    reading: KeptReading, moves: DateMoves, schemas: Sequence[DatabaseSchema], *, follows: bool
) -> tuple[str, ...]:
    form = (
        _lifted(reading.query, schemas) if reading.query is not None and not moves.words else None
    )
    said = () if form is None else (f"Read as: {describe(form, schemas)}.",)
    if follows:
        return (*said, *moves.says)
    words = " and ".join(f"'{one}'" for one in moves.words)
    return (_STANDS.format(words, reading.asked_on),)
