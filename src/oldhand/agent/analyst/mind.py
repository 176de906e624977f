"""The built-in mind: understands, plans, writes SQL, repairs it and puts the rows into words, all by rules."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.fuzz import ratio
from sqlglot import exp

from oldhand.agent.analysis.mind import (
    Draft,
    Failure,
    Inquiry,
    Plan,
    PlanStep,
    StepResult,
    Summary,
    Task,
    Validation,
    Verdict,
)
from oldhand.agent.analyst.arithmetic import computed
from oldhand.agent.analyst.conversation.reading import Reader, Reading
from oldhand.agent.analyst.deciding import Kind
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.analyst.linking.staleness import outdated, stale_columns
from oldhand.agent.analyst.mending.mending import mend, neutral
from oldhand.agent.analyst.mending.mending_types import numbers_in_text
from oldhand.agent.analyst.rendering.headings import headed, headings
from oldhand.agent.analyst.rendering.names import databases_of
from oldhand.agent.analyst.rendering.render import default_schema, render
from oldhand.agent.analyst.rendering.row_order import as_asked, in_order
from oldhand.agent.analyst.splitting.decompose import Piece, decompose
from oldhand.agent.analyst.splitting.reducing import reduced
from oldhand.agent.analyst.telling.found import Rows
from oldhand.agent.analyst.telling.phrasing import phrase
from oldhand.agent.analyst.telling.purposes import purpose_of
from oldhand.agent.analyst.telling.refusals import off_topic, refusal
from oldhand.lexicon.wording import listed
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.settings import BUILTIN
from oldhand.sources.databases import find_errors
from oldhand.sources.databases.complaints import Trouble, read_complaint

REMEMBERED = 16
"""Questions whose reading is kept, so that it is not worked out anew for each step."""
REPAIRED = 0.85
"""What a repair leaves of the confidence."""
SECOND_CHOICE = 0.5
"""What taking the next-best reading leaves of the confidence."""
INCOMPLETE = 0.1
"""Confidence at most when rows are missing that the answer depends on."""

_INSISTING = "The schema file speaks against this statement; the database decides."
_OF_NAMES = frozenset({Trouble.UNKNOWN_TABLE, Trouble.UNKNOWN_SOURCE, Trouble.UNKNOWN_COLUMN})
"""Troubles where a schema file may be out of date, while the names were taken from the database's own hints."""

_VERDICTS = {
    Kind.ANSWER: Verdict.ANSWERABLE,
    Kind.CLARIFY: Verdict.CLARIFY,
    Kind.ABSTAIN: Verdict.UNANSWERABLE,
}


@dataclass(frozen=True)
class _Thought:
    """What was worked out about one inquiry."""

    inquiry: Inquiry
    reading: Reading
    pieces: tuple[Piece, ...]
    warnings: tuple[str, ...] = ()
    """What may be wrong with the schema files or the index of values."""


class BuiltinMind:
    """Thinks by rules: no model, no key, no network, and the same answer every time.

    Args:
        values: where the words of a question are looked up in the data.
    """

    def __init__(self, values: ValueSource) -> None:
        self._values = values
        self._thoughts: OrderedDict[int, _Thought] = OrderedDict()

    @property
    def name(self) -> str:
        """`builtin`."""
        return BUILTIN

    async def validate(self, inquiry: Inquiry) -> Validation:
        """Answer, ask back, or say that the databases don't hold it."""
        if said := computed(inquiry.question):
            return Validation(verdict=Verdict.DIRECT, text=said, standalone=inquiry.question)
        if said := off_topic(inquiry.question, inquiry.schemas):
            return Validation(verdict=Verdict.UNANSWERABLE, text=said, confidence=0.0)
        thought = await self._thought(inquiry)
        reading, decision = thought.reading, thought.reading.decision
        text = decision.reason
        if decision.kind is Kind.ABSTAIN:
            text = refusal(text, reading.left_out, inquiry.schemas, reading.databases)
            text = " ".join([text, *thought.warnings])
        verdict = _VERDICTS[decision.kind]
        if verdict is Verdict.ANSWERABLE and not thought.pieces:
            # Such as the choice between readings that another mind has offered.
            verdict = Verdict.UNANSWERABLE
            text = "I cannot tell what this refers to: please ask the whole question."
        return Validation(
            verdict=verdict,
            text=text,
            options=decision.options,
            databases=reading.databases,
            notes=(*reading.notes, *thought.warnings),
            confidence=reading.confidence,
            query=reading.queries[0].sql() if thought.pieces else None,
            lessons=reading.lessons if reading.answers else (),
            standalone=reading.standalone,
        )

    async def plan(self, inquiry: Inquiry, validation: Validation) -> Plan:  # noqa: ARG002 - it knows
        """One step, or one for each database and one that joins their rows."""
        pieces = (await self._thought(inquiry)).pieces
        steps = tuple(
            PlanStep(
                number=piece.number,
                purpose=purpose_of(piece),
                database=piece.database,
                depends_on=piece.depends_on,
                hidden=piece.number < len(pieces),
            )
            for piece in pieces
        )
        return Plan(steps=steps)

    async def write_sql(self, task: Task) -> Draft:
        """The SQL of one piece of the query."""
        thought = await self._thought(task.inquiry)
        piece = thought.pieces[task.step.number - 1]
        schema = _schema(thought, piece)
        few = reduced(piece, task.results, task.inquiry.schemas)
        query, notes = numbers_in_text(few, schema)
        if piece is thought.pieces[-1]:
            names = headings(thought.reading.queries[0], task.inquiry.schemas)
            joined = piece.database == WORKSPACE
            query = in_order(headed(query, names), schema.dialect, (schema,), joined=joined)
        sql = render(query, schema.dialect, default_schema(schema))
        return Draft(sql=sql, confidence=thought.reading.confidence, notes=notes)

    async def repair(self, task: Task, failure: Failure) -> Draft | None:
        """Mend the statement by rule; failing that, try the next-best reading of the question."""
        thought = await self._thought(task.inquiry)
        piece = thought.pieces[task.step.number - 1]
        schema = _schema(thought, piece)
        sure = thought.reading.confidence * REPAIRED**failure.attempt_number
        last = failure.last_attempt
        fresh = last is None or last.sql != failure.sql
        insisting = Draft(sql=failure.sql, confidence=sure, notes=(_INSISTING,))
        objection = fresh and _is_objection(failure, schema)
        if objection and read_complaint(failure.error).trouble in _OF_NAMES:
            return insisting
        mended = mend(failure.sql, failure.error, schema, (last.sql,) if last is not None else ())
        if mended is not None:
            return Draft(sql=mended.sql, confidence=sure, notes=(mended.note,))
        if objection:
            return insisting
        if len(thought.pieces) > 1:
            return None
        return _next_best(thought.reading, failure, schema, task.inquiry.schemas)

    async def summarise(
        self,
        inquiry: Inquiry,
        validation: Validation,  # noqa: ARG002 - it knows
        results: Sequence[StepResult],
    ) -> Summary:
        """A sentence for the rows of the last step, and a warning when earlier rows were cut."""
        thought = await self._thought(inquiry)
        last = results[-1]
        rows = Rows(last.columns, last.rows, last.row_count, last.truncated)
        query = _query_of(thought, last)
        text = phrase(thought.reading.question, query, rows, inquiry.schemas)
        if left_out := thought.reading.left_out:
            words = listed([f"'{word}'" for word in left_out])
            text = f"{text} Not understood, and left out: {words}."
        cut = [result for result in results[:-1] if result.truncated]
        if not cut:
            return Summary(text=text)
        counts = ", ".join(f"{r.row_count:,} rows of {r.step.database}" for r in cut)
        warning = f"Not reliable: only {counts} could be read, so the true answer may differ."
        return Summary(text=f"{warning} {text}", confidence=INCOMPLETE, notes=(warning,))

    async def _thought(self, inquiry: Inquiry) -> _Thought:
        """What is made of `inquiry`; worked out once, in a thread, since the values may have to be read first."""
        kept = self._thoughts.get(id(inquiry))
        if kept is not None and kept.inquiry is inquiry:
            return kept
        thought = await asyncio.to_thread(self._think, inquiry)
        self._thoughts[id(inquiry)] = thought
        while len(self._thoughts) > REMEMBERED:
            self._thoughts.popitem(last=False)
        return thought

    def _think(self, inquiry: Inquiry) -> _Thought:
        lookup = self._values.lookup(inquiry.schemas, inquiry.today)
        reader = Reader(inquiry.schemas, lookup.values, inquiry.today, inquiry.lessons)
        reading = reader.read(inquiry.question, inquiry.history)
        pieces = decompose(reading.queries[0], inquiry.schemas) if reading.answers else ()
        warnings = lookup.notes
        if reading.decision.kind is Kind.ABSTAIN:
            stale = dict(stale_columns(inquiry.schemas, lookup.values))
            warnings += tuple(outdated(database, column) for database, column in stale.items())
        return _Thought(inquiry, reading, pieces, warnings)


def _schema(thought: _Thought, piece: Piece) -> DatabaseSchema:
    """The schema of the database that a piece runs on, or of the workspace."""
    return thought.inquiry.schema(piece.database) or _workspace(thought.pieces)


def _workspace(pieces: Sequence[Piece]) -> DatabaseSchema:
    """The rows of earlier steps as tables, with what the schemas say of the columns they were copied from."""
    tables = tuple(
        Table(
            name=piece.table,
            schema_name="main",
            columns=tuple(
                column.model_copy(update={"name": name}) for name, column in piece.columns.items()
            ),
        )
        for piece in pieces
        if piece.database != WORKSPACE
    )
    return DatabaseSchema(name=WORKSPACE, dialect="duckdb", tables=tables)


def _is_objection(failure: Failure, schema: DatabaseSchema) -> bool:
    """True when the statement has not run yet: only the schema file speaks against it."""
    messages = find_errors(failure.sql, schema)
    return bool(messages) and failure.error == "\n".join(messages)


def _next_best(
    reading: Reading,
    failure: Failure,
    schema: DatabaseSchema,
    schemas: Sequence[DatabaseSchema],
) -> Draft | None:
    """The reading after the one that failed, over the same database.

    Which one failed is told by likeness, since a mended statement still looks most like the one it was made of.
    """
    home = default_schema(schema)
    options = [
        (render(_readable(query, schema.dialect, schemas), schema.dialect, home), said)
        for query, said in zip(reading.queries, reading.readings, strict=True)
        if databases_of(query) == (schema.name,)
    ]
    likeness = [ratio(sql, failure.sql) for sql, _ in options]
    if not options:
        return None
    failed = max(place for place, like in enumerate(likeness) if like == max(likeness))
    if failed + 1 >= len(options):
        return None
    sql, said = options[failed + 1]
    notes = [f"The likeliest reading could not be run; this is the next one: {said}."]
    if read_complaint(failure.error).trouble in _OF_NAMES:
        notes.append(outdated(schema.name))
    sure = reading.confidence * SECOND_CHOICE ** (failed + 1)
    return Draft(sql=sql, confidence=sure, notes=tuple(notes))


def _readable(query: exp.Expr, dialect: str, schemas: Sequence[DatabaseSchema]) -> exp.Expr:
    return in_order(headed(query, headings(query, schemas)), dialect, schemas)


def _query_of(thought: _Thought, last: StepResult) -> exp.Expr | None:
    """The query that the rows came from: the one that ran, which a repair may have changed."""
    if len(thought.pieces) != 1:
        return thought.reading.queries[0] if thought.reading.queries else None
    schema = thought.inquiry.schema(last.step.database)
    if schema is None or (ran := neutral(last.sql, schema)) is None:
        return None
    return as_asked(ran, schema.dialect)
