"""The built-in mind: understands, plans, writes SQL, repairs it and puts the rows into words, all by rules."""

import asyncio
from collections.abc import Sequence

from rapidfuzz.fuzz import ratio

from oldhand.agent.analysis.mind import (
    RUNNING,
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
from oldhand.agent.analyst.conversation.ran import as_it_ran
from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.agent.analyst.conversation.understood import UnderstoodQuestion
from oldhand.agent.analyst.correcting.in_passing import puts_right
from oldhand.agent.analyst.deciding import Decision, DecisionKind
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.analyst.linking.staleness import outdated, stale_columns
from oldhand.agent.analyst.proposing import proposal_of
from oldhand.agent.analyst.repair.repairing import repaired
from oldhand.agent.analyst.replies import replied_at_once
from oldhand.agent.analyst.semantics.expanding import folded
from oldhand.agent.analyst.semantics.extending import extended
from oldhand.agent.analyst.semantics.writing import named_headings, named_ranking, statement
from oldhand.agent.analyst.verbalizer.data_end import where_data_ends
from oldhand.agent.analyst.verbalizer.refusals import CUT, UNSPLIT, UNTOLD, off_topic, refusal
from oldhand.agent.analyst.verbalizer.rounding import rounded
from oldhand.lexicon.wording import listed
from oldhand.query.compiling.compile import compile_query, ready, spelled
from oldhand.query.compiling.conversion import makes_dates
from oldhand.query.compiling.numbers import notes_on_numbers
from oldhand.query.describing.describing import things_read
from oldhand.query.describing.found import FoundRows
from oldhand.query.describing.sentences import phrase
from oldhand.query.form import Count, Query
from oldhand.query.opaque import Opaque
from oldhand.query.splitting.reducing import reduced
from oldhand.query.splitting.split import Piece, split
from oldhand.query.walk import databases, depends_on_all_rows
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.settings import BUILTIN
from oldhand.sources.databases import QueryResult, find_errors
from oldhand.sources.databases.complaints import Trouble, read_complaint

REPAIRED = 0.85
"""What a repair leaves of the confidence."""
SECOND_CHOICE = 0.5
"""What taking the next-best reading leaves of the confidence."""
INCOMPLETE = 0.1
"""Confidence at most when rows are missing that the answer depends on."""

_UNREAD = UnderstoodQuestion("", Decision(DecisionKind.ABSTAIN))
"""That of a question that needs no database."""
_INSISTING = "The schema file speaks against this statement; the database decides."
_OF_NAMES = frozenset({Trouble.UNKNOWN_TABLE, Trouble.UNKNOWN_SOURCE, Trouble.UNKNOWN_COLUMN})
"""Troubles where a schema file may be out of date, while the names were taken from the database's own hints."""

_VERDICTS = {
    DecisionKind.ANSWER: Answerability.ANSWERABLE,
    DecisionKind.CLARIFY: Answerability.CLARIFY,
    DecisionKind.PROPOSE: Answerability.PROPOSED,
    DecisionKind.ABSTAIN: Answerability.UNANSWERABLE,
}


class BuiltinMind:
    """Thinks by rules: no model, no key, no network, and the same answer every time.

    Args:
        values: where the words of a question are looked up in the data.
    """

    def __init__(self, values: ValueSource) -> None:
        self._values = values

    @property
    def name(self) -> str:
        """`builtin`."""
        return BUILTIN

    @property
    def foresees(self) -> bool:
        """True: a question is read in milliseconds, and its validation holds the query."""
        return True

    async def read(self, inquiry: Inquiry) -> Thinking:
        """Answer, ask back, or say that the databases don't hold it."""
        if said := replied_at_once(inquiry.question, inquiry.history):
            told = Validation(verdict=Answerability.DIRECT, text=said, standalone=inquiry.question)
            return BuiltinThinking(inquiry, _UNREAD, told)
        if said := off_topic(inquiry.question, inquiry.schemas):
            told = Validation(verdict=Answerability.UNANSWERABLE, text=said, confidence=0.0)
            return BuiltinThinking(inquiry, _UNREAD, told)
        # In a thread, since the values may have to be read first.
        return await asyncio.to_thread(self._read, inquiry)

    def _read(self, inquiry: Inquiry) -> "BuiltinThinking":
        lookup = self._values.lookup(inquiry.schemas, inquiry.today)
        reader = QuestionReader(inquiry.schemas, lookup.values, inquiry.today, inquiry.lessons, puts_right=puts_right)  # fmt: skip
        reading = reader.read(inquiry.question, inquiry.history)
        warnings = lookup.notes
        if reading.decision.kind in (DecisionKind.ABSTAIN, DecisionKind.PROPOSE):
            stale = dict(stale_columns(inquiry.schemas, lookup.values))
            warnings += tuple(outdated(database, column) for database, column in stale.items())
        return BuiltinThinking(inquiry, reading, _validated(inquiry, reading, warnings))


class BuiltinThinking:
    """One question in the built-in mind, and how it was understood."""

    def __init__(
        self, inquiry: Inquiry, reading: UnderstoodQuestion, validation: Validation
    ) -> None:
        self._inquiry = inquiry
        self._reading = reading
        self._query = _asked(reading)
        self._pieces = _pieces(self._query, inquiry.schemas)
        self._unliftable = ""  # a statement whose query is known, but can't be read back
        self.validation = validation

    async def plan(self) -> Plan:
        """One step, or one for each database and one that joins their rows."""
        steps = tuple(
            PlanStep(
                number=piece.number,
                purpose=_purpose_of(piece, self._inquiry.schemas),
                database=piece.database,
                depends_on=piece.depends_on,
                hidden=piece.number < len(self._pieces),
            )
            for piece in self._pieces
        )
        return Plan(steps=steps)

    async def write(self, task: Task) -> Draft:
        """The SQL of one piece of the query."""
        piece = self._pieces[task.step.number - 1]
        schema, schemas = self._schema(piece), self._inquiry.schemas
        shown = self._query if piece is self._pieces[-1] else None
        fetched = {
            one.step.number: QueryResult(
                one.columns, one.rows, one.truncated or len(one.rows) < one.row_count
            )
            for one in task.results
        }
        query = ready(reduced(piece, fetched, schemas).query, schema, shown=shown is not None)
        names = named_headings(shown, schemas) if isinstance(shown, Query) else ()
        sql = compile_query(query, (schema,), schema.dialect, names)
        notes = notes_on_numbers(query) if isinstance(query, Query) else ()
        self._unliftable = sql if notes or makes_dates(query) else ""
        by, sure = named_ranking(shown, schemas), self._reading.confidence
        return Draft(sql=sql, confidence=sure, notes=notes, ranked_by=by)

    async def repair(self, task: Task, failure: Failure) -> Draft | None:
        """Repair the statement by rule; failing that, try the next-best reading of the question."""
        piece = self._pieces[task.step.number - 1]
        schema = self._schema(piece)
        sure = self._reading.confidence * REPAIRED**failure.attempt_number
        last = failure.last_attempt
        fresh = last is None or last.sql != failure.sql
        insisting = Draft(sql=failure.sql, confidence=sure, notes=(_INSISTING,))
        messages = find_errors(failure.sql, schema) if fresh else ()
        objection = bool(messages) and failure.error == "\n".join(messages)
        if objection and read_complaint(failure.error).trouble in _OF_NAMES:
            return insisting
        tried = (last.sql,) if last is not None else ()
        again = repaired(failure.sql, failure.error, schema, tried)
        if again is not None:
            return Draft(sql=again.sql, confidence=sure, notes=(again.note,))
        if objection:
            return insisting
        if len(self._pieces) > 1:
            return None
        return _next_best(self._reading, failure, schema)

    async def say(self, results: Sequence[StepResult]) -> Summary:
        """A sentence for the rows of the last step, and a warning when earlier rows were cut."""
        last = results[-1]
        schemas, ran = self._inquiry.schemas, self._ran(last)
        ran = folded(ran, schemas) if isinstance(ran, Query) else ran
        rows = rounded(last.rows, ran, self._inquiry.preferences.rounded_to)
        found = FoundRows(last.columns, rows, last.row_count, last.truncated)
        text = phrase(self._reading.question, ran, found, extended(schemas))
        text = f"{text} {where_data_ends(self._query, found, schemas)}".rstrip()
        if left_out := self._reading.missing:
            words = listed([f"'{word}'" for word in left_out])
            text = f"{text} Not understood, and left out: {words}."
        cut = [result for result in results[:-1] if result.truncated]
        if not cut:
            return Summary(text=text)
        counts = ", ".join(f"{r.row_count:,} rows of {r.step.database}" for r in cut)
        if depends_on_all_rows(self._query):
            return Summary(text=CUT.format(counts), confidence=0.0, withheld=True)
        warning = f"Not reliable: only {counts} could be read, so the true answer may differ."
        return Summary(text=f"{warning} {text}", confidence=INCOMPLETE, notes=(warning,))

    def _ran(self, last: StepResult) -> Query | Opaque | None:
        """The query that the rows came from: the one that ran, which a repair may have changed."""
        schema = self._inquiry.schema(last.step.database)
        known = len(self._pieces) != 1 or last.sql == self._unliftable
        return self._query if known or schema is None else as_it_ran(last.sql, schema)

    def _schema(self, piece: Piece) -> DatabaseSchema:
        """The schema of the database that a piece runs on, or of the workspace."""
        return self._inquiry.schema(piece.database) or _workspace(self._pieces)


def _purpose_of(piece: Piece, schemas: Sequence[DatabaseSchema]) -> str:
    """One line for the plan.

    >>> _purpose_of(Piece(3, "workspace", Opaque("workspace", "SELECT 1"), (1, 2)), ())
    'join the rows of steps 1 and 2'
    """
    if piece.database == WORKSPACE:
        numbers = listed([str(number) for number in piece.depends_on])
        return f"join the rows of steps {numbers}" if piece.depends_on else "work out the answer"
    query = piece.query
    if isinstance(query, Opaque):
        return "read rows"
    counts = not piece.columns and any(isinstance(one, Count) for one in query.select)
    return f"{'count' if counts else 'read'} {things_read(query, schemas)}"


def _validated(
    inquiry: Inquiry, reading: UnderstoodQuestion, warnings: tuple[str, ...]
) -> Validation:
    """What is said of a question; `warnings` tell what may be wrong with the schema files or the index of values."""
    decision, query = reading.decision, _asked(reading)
    verdict, text = _VERDICTS[decision.kind], decision.reason
    if decision.kind in (DecisionKind.ABSTAIN, DecisionKind.PROPOSE):
        text = refusal(text, reading.left_out, inquiry.schemas)
        text = " ".join([text, *warnings])
    runs = bool(_pieces(query, inquiry.schemas))
    if verdict in RUNNING and not runs:
        # Such as the choice between readings that another mind has offered.
        verdict = Answerability.UNANSWERABLE
        text = UNTOLD if query is None else UNSPLIT.format(listed(reading.databases))
    return Validation(
        verdict=verdict,
        text=text,
        options=decision.options,
        databases=reading.databases,
        notes=(*reading.notes, *warnings),
        confidence=reading.confidence,
        query=spelled(query) if query is not None and runs else None,
        lessons=reading.lessons if reading.runs else (),
        standalone=reading.standalone,
        proposal=proposal_of(reading, inquiry.schemas)
        if verdict is Answerability.PROPOSED
        else None,
    )


def _asked(reading: UnderstoodQuestion) -> Query | Opaque | None:
    return reading.queries[0] if reading.runs else None


def _pieces(query: Query | Opaque | None, schemas: Sequence[DatabaseSchema]) -> tuple[Piece, ...]:
    if query is None:
        return ()
    if isinstance(query, Opaque):
        return (Piece(1, query.database, query),)
    return split(query, schemas)


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


def _next_best(
    reading: UnderstoodQuestion, failure: Failure, schema: DatabaseSchema
) -> Draft | None:
    """The reading after the one that failed, over the same database.

    One with fewer of the words answers another question. Which one failed is told by similarity, repaired or not.
    """
    options = [
        (statement(one.query, schema), one)
        for one in reading.candidates
        if databases(one.query) == (schema.name,)
    ]
    similarity = [ratio(sql, failure.sql) for sql, _ in options]
    complaint = read_complaint(failure.error)
    if not options or (complaint.trouble is Trouble.UNKNOWN_TABLE and not complaint.hints):
        return None  # of a table that vanished, no other was asked for
    failed = max(place for place, like in enumerate(similarity) if like == max(similarity))
    told = options[0][1].said
    sql, one = next((two for two in options[failed + 1 :] if told <= two[1].said), ("", None))
    if one is None:
        return None
    notes = [f"The likeliest reading could not be run; this is the next one: {one.reading}."]
    if complaint.trouble in _OF_NAMES:
        notes.append(outdated(schema.name))
    sure = reading.confidence * SECOND_CHOICE ** (failed + 1)
    return Draft(sql=sql, confidence=sure, notes=tuple(notes))
