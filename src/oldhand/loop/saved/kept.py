"""A mind that thinks again what was thought before: it reads no words, and repairs nothing."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from oldhand.agent.analysis.mind import (
    Answerability,
    Draft,
    Failure,
    Inquiry,
    Task,
    Thinking,
    Validation,
)
from oldhand.agent.analyst.conversation.understood import UnderstoodQuestion
from oldhand.agent.analyst.deciding import Decision, DecisionKind
from oldhand.agent.analyst.mind import BuiltinThinking
from oldhand.agent.analyst.precedents.statements import statements
from oldhand.agent.analyst.understanding import Candidate
from oldhand.agent.analyst.words.moving import DateMoves, date_moves, moved
from oldhand.learning.confirmation import Solution
from oldhand.query.compiling.compile import spelled
from oldhand.query.describing.describing import describe
from oldhand.query.form import Query
from oldhand.query.opaque import Opaque
from oldhand.query.splitting.split import Piece
from oldhand.query.walk import databases
from oldhand.record.answer import WORKSPACE, Answer
from oldhand.record.memory import ExamplePayload
from oldhand.record.saved import KeptReading, KeptStep
from oldhand.record.schema import DatabaseSchema
from oldhand.settings import BUILTIN

_STANDS = "{} can't be moved to today in this statement: it still counts from {}. Ask the question anew, and save that answer."


def kept_reading(answer: Answer, asked_on: date) -> KeptReading:
    """What an answer was read as; what rests on documents, if only in part, is read anew each time."""
    if answer.citations:
        return KeptReading(asked_on=asked_on)
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
        reading, schemas = self._reading, inquiry.schemas
        moves = date_moves(inquiry.question, reading.asked_on, inquiry.today)
        found = _recalled(reading, moves, schemas)
        query = found.query
        own = () if query is None else (Candidate(query, 1.0, {}, "", databases(query)),)
        decision = Decision(DecisionKind.ANSWER)
        understood = UnderstoodQuestion(inquiry.question, decision, own, confidence=1.0)
        told = Validation(
            verdict=Answerability.ANSWERABLE,
            databases=reading.databases,
            notes=_notes(reading, moves, schemas, follows=found.follows),
            query=None if query is None else spelled(query),
        )
        return KeptThinking(inquiry, understood, told, found.pieces)


class KeptThinking(BuiltinThinking):
    """A query that is known, or statements of several steps; what the database rejects is told, and not repaired behind anybody's back."""

    def __init__(
        self,
        inquiry: Inquiry,
        understood: UnderstoodQuestion,
        validation: Validation,
        pieces: tuple[Piece, ...],
    ) -> None:
        super().__init__(inquiry, understood, validation)
        self._pieces = pieces or self._pieces

    async def repair(self, task: Task, failure: Failure) -> Draft | None:  # noqa: ARG002
        """Nothing else to try."""
        return None


class RecalledQuery(NamedTuple):
    """What is asked now."""

    query: Query | Opaque | None
    """None where only its steps are known."""
    pieces: tuple[Piece, ...] = ()
    """These steps."""
    follows: bool = True
    """False where days stay that should have moved."""


def _recalled(
    reading: KeptReading, moves: DateMoves, schemas: Sequence[DatabaseSchema]
) -> RecalledQuery:
    """What a reading asks now.

    The statement of a single step runs as it ran; where its days move, and of several databases, the form is compiled anew.
    """
    if reading.query is not None and (len(reading.steps) != 1 or moves.words):
        statement = moved(reading.query, "", moves)
        form = statements(tuple(schemas)).query(statement.sql, None)
        if form is not None and statement.follows:
            return RecalledQuery(form)
    dialects = {one.name: one.dialect for one in schemas} | {WORKSPACE: "duckdb"}
    made = [moved(one.sql, dialects.get(one.database, ""), moves) for one in reading.steps]
    follows = any(one.follows for one in made)
    written = [Opaque(one.database, it.sql) for one, it in zip(reading.steps, made, strict=True)]
    if len(written) == 1:
        return RecalledQuery(written[0], follows=follows)
    pieces = (
        Piece(n, one.database, one, tuple(range(1, n)) if one.database == WORKSPACE else ())
        for n, one in enumerate(written, 1)
    )
    return RecalledQuery(None, tuple(pieces), follows=follows)


def _notes(
    reading: KeptReading, moves: DateMoves, schemas: Sequence[DatabaseSchema], *, follows: bool
) -> tuple[str, ...]:
    if not follows:
        words = " and ".join(f"'{one}'" for one in moves.words)
        return (_STANDS.format(words, reading.asked_on),)
    known = None
    if reading.query is not None and not moves.words:
        known = statements(tuple(schemas)).query(reading.query, None)
    said = () if known is None else (f"Read as: {describe(known, schemas)}.",)
    return (*said, *moves.says)
