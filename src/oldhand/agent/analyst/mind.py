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
from oldhand.agent.analyst.forms import form_of, names_for, sql_of
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.analyst.linking.staleness import outdated, stale_columns
from oldhand.agent.analyst.rendering.row_order import as_asked
from oldhand.agent.analyst.repair.repairing import neutral, repaired
from oldhand.agent.analyst.verbalizer.purposes import purpose_of
from oldhand.agent.analyst.verbalizer.refusals import off_topic, refusal
from oldhand.lexicon.wording import listed
from oldhand.query.compiling.compile import compile_query, ready
from oldhand.query.compiling.numbers import notes_on_numbers
from oldhand.query.describing.found import Found
from oldhand.query.describing.sentences import phrase
from oldhand.query.form import Opaque, Query
from oldhand.query.lifting import lift_tree
from oldhand.query.splitting.reducing import reduced
from oldhand.query.splitting.split import Piece, split
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.settings import BUILTIN
from oldhand.sources.databases import QueryResult, find_errors
from oldhand.sources.databases.complaints import Trouble, read_complaint

REMEMBERED = 16
"""Questions whose reading is kept, so that it is not worked out anew for each step."""
REPAIRED = 0.85
"""What a repair leaves of the confidence."""
SECOND_CHOICE = 0.5
"""What taking the next-best reading leaves of the confidence."""
INCOMPLETE = 0.1
"""Confidence at most when rows are missing that the answer depends on."""

_UNTOLD = "I cannot tell what this refers to: please ask the whole question."
_UNSPLIT = "I cannot split this query between {}: it holds something that one database must do with the rows of all."
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
    warnings: tuple[str, ...] = ()
    """What may be wrong with the schema files or the index of values."""
    pieces: tuple[Piece, ...] = ()
    names: tuple[str, ...] = ()
    """What the outputs of the last piece are called."""


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
            text = _UNTOLD if not reading.answers else _UNSPLIT.format(listed(reading.databases))
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
                purpose=purpose_of(piece, inquiry.schemas),
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
        last = piece is thought.pieces[-1]
        fetched = {
            one.step.number: QueryResult(one.columns, one.rows, not _is_complete(one))
            for one in task.results
        }
        few = reduced(piece, fetched, task.inquiry.schemas)
        query = ready(few.query, schema, shown=last)
        names = thought.names if last else ()
        sql = compile_query(query, (schema,), schema.dialect, names)
        notes = notes_on_numbers(query) if isinstance(query, Query) else ()
        return Draft(sql=sql, confidence=thought.reading.confidence, notes=notes)

    async def repair(self, task: Task, failure: Failure) -> Draft | None:
        """Repair the statement by rule; failing that, try the next-best reading of the question."""
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
        tried = (last.sql,) if last is not None else ()
        again = repaired(failure.sql, failure.error, schema, tried)
        if again is not None:
            return Draft(sql=again.sql, confidence=sure, notes=(again.note,))
        if objection:
            return insisting
        if len(thought.pieces) > 1:
            return None
        return _next_best(thought.reading, failure, schema)

    async def summarise(
        self,
        inquiry: Inquiry,
        validation: Validation,  # noqa: ARG002 - it knows
        results: Sequence[StepResult],
    ) -> Summary:
        """A sentence for the rows of the last step, and a warning when earlier rows were cut."""
        thought = await self._thought(inquiry)
        last = results[-1]
        found = Found(last.columns, last.rows, last.row_count, last.truncated)
        query = _query_of(thought, last)
        text = phrase(thought.reading.question, query, found, inquiry.schemas)
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
        warnings = lookup.notes
        if reading.decision.kind is Kind.ABSTAIN:
            stale = dict(stale_columns(inquiry.schemas, lookup.values))
            warnings += tuple(outdated(database, column) for database, column in stale.items())
        tree = reading.queries[0] if reading.answers else None
        query = form_of(tree, inquiry.schemas) if isinstance(tree, exp.Query) else None
        if tree is None or query is None:
            return _Thought(inquiry, reading, warnings)
        names = names_for(query, tree, inquiry.schemas)
        return _Thought(inquiry, reading, warnings, _pieces(query, inquiry.schemas), names)


def _pieces(query: Query | Opaque, schemas: Sequence[DatabaseSchema]) -> tuple[Piece, ...]:
    if isinstance(query, Opaque):
        return (Piece(1, query.database, query),)
    return split(query, schemas)


def _is_complete(result: StepResult) -> bool:
    return not result.truncated and len(result.rows) == result.row_count


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
                column.model_copy(update={"name": name})
                for name, column in piece.columns.items()
                if column is not None
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


def _next_best(reading: Reading, failure: Failure, schema: DatabaseSchema) -> Draft | None:
    """The reading after the one that failed, over the same database.

    Which one failed is told by similarity, since a repaired statement still looks most like the one it was made of.
    """
    options = [
        (sql, said)
        for tree, said in zip(reading.queries, reading.readings, strict=True)
        if isinstance(tree, exp.Query) and (sql := sql_of(tree, schema)) is not None
    ]
    similarity = [ratio(sql, failure.sql) for sql, _ in options]
    if not options:
        return None
    failed = max(place for place, like in enumerate(similarity) if like == max(similarity))
    if failed + 1 >= len(options):
        return None
    sql, said = options[failed + 1]
    notes = [f"The likeliest reading could not be run; this is the next one: {said}."]
    if read_complaint(failure.error).trouble in _OF_NAMES:
        notes.append(outdated(schema.name))
    sure = reading.confidence * SECOND_CHOICE ** (failed + 1)
    return Draft(sql=sql, confidence=sure, notes=tuple(notes))


def _query_of(thought: _Thought, last: StepResult) -> Query | None:
    """The query that the rows came from: the one that ran, which a repair may have changed."""
    schemas = thought.inquiry.schemas
    if len(thought.pieces) != 1:
        asked = thought.reading.queries[0] if thought.reading.queries else None
        return lift_tree(asked, schemas) if isinstance(asked, exp.Query) else None
    schema = thought.inquiry.schema(last.step.database)
    if schema is None or (ran := neutral(last.sql, schema)) is None:
        return None
    asked = as_asked(ran, schema.dialect)
    return lift_tree(asked, schemas) if isinstance(asked, exp.Query) else None
