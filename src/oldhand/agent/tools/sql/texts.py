"""What the SQL tools tell the model: tables, rows, and what to do about an error."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from oldhand.errors import (
    DatabaseError,
    DatabaseUnreachable,
    OldhandError,
    QueryRefused,
    QueryTimedOut,
    ToolFailed,
    UnreadableSQL,
)
from oldhand.models.disclosure import as_sent, hidden_names
from oldhand.models.quoting import (
    KEPT_BACK,
    masked,
    one_line,
    rows_text,
    visible,
    without_quoted_cells,
)
from oldhand.models.schema_text import schema_text
from oldhand.record.answer import Answer
from oldhand.record.schema import DatabaseSchema
from oldhand.record.shortening import shortened
from oldhand.record.step import ResultRows
from oldhand.sources.databases import QueryResult, find_errors, unique_names
from oldhand.sources.databases.withholding import reads_kept_back, withheld

MAX_ERROR_CHARS = 2_000
MAX_ISSUES = 5


def database_text(schema: DatabaseSchema) -> str:
    """One database with the names of its tables."""
    about = f": {one_line(schema.description)}" if schema.description else ""
    tables = ", ".join(one_line(table.name) for table in schema.tables) or "(none)"
    return f"{schema.name} ({schema.dialect}){about}\n  tables: {tables}"


def tables_text(schema: DatabaseSchema, tables: Sequence[str]) -> str:
    """The schema of these tables, or of all when none is named.

    Raises:
        ToolFailed: there is no such table; says which are near.
    """
    if not tables:
        return schema_text([schema])
    known = {table.name.casefold(): table for table in schema.tables}
    wanted = [name.rsplit(".", 1)[-1].strip().strip('"`[]').casefold() for name in tables]
    missing = [name for name, key in zip(tables, wanted, strict=True) if key not in known]
    if missing:
        raise ToolFailed("\n".join(_no_such_table(name, schema) for name in missing))
    parts = tuple(known[key] for key in dict.fromkeys(wanted))
    return schema_text([schema.model_copy(update={"tables": parts})])


def result_of(found: QueryResult, sql: str, schema: DatabaseSchema | None) -> ResultRows:
    """The rows of a query, without the cells that models must not see."""
    columns = unique_names(found.columns)
    private = withheld(sql, schema, len(columns)) if schema else ()
    hidden = hidden_names([schema]) if schema else ()
    columns = unique_names(tuple(KEPT_BACK if name in hidden else name for name in columns))
    return ResultRows(
        columns=columns,
        rows=tuple(masked(found.rows, private)),
        row_count=len(found.rows),
        truncated=found.truncated,
    )


def query_text(found: ResultRows, kept_as: str | None) -> str:
    """The first rows of a result as a table, and what became of the rest."""
    lines = [rows_text(found.columns, found.rows)]
    if found.truncated:
        lines.append(
            f"(cut after {found.row_count:,} rows: there are more; aggregate, or add WHERE)"
        )
    if kept_as is not None:
        lines.append(f"(kept as {kept_as})")
    return "\n".join(lines)


def failure_text(error: OldhandError, sql: str, schema: DatabaseSchema | None, name: str) -> str:
    """Why a query brought nothing, in the database's own words, and what to do next."""
    told = str(error)
    if schema is not None and reads_kept_back(sql, schema):
        told = without_quoted_cells(told, sql)
    said = shortened(visible(told), MAX_ERROR_CHARS)
    lines = [f"The query on {name} brought nothing: {said}"]
    known = None if _beyond_repair(error) else schema
    hints = () if known is None else find_errors(sql, as_sent(known))[:MAX_ISSUES]
    lines += [f"- {hint}" for hint in hints if hint not in said]
    lines.append(f"Next: {_next(error, name)}")
    return "\n".join(lines)


def answer_text(answer: Answer) -> str:
    """An answer of the analysis: how it ended, the words, SQL, rows and notes."""
    sure = "" if answer.confidence is None else f" (confidence {answer.confidence:.2f})"
    private = {name for step in answer.steps for name in step.withheld}
    text = KEPT_BACK if private else visible(answer.text)
    lines = [f"{answer.outcome.value}{sure}: {text}"]
    for step in answer.steps:
        failed = "" if step.succeeded else " (failed)"
        lines.append(f"SQL on {step.database}: {one_line(step.sql)}{failed}")
    if answer.columns and not answer.proposal:
        places = [place for place, name in enumerate(answer.columns) if name in private]
        lines.append(rows_text(answer.columns, masked(answer.rows, places)))
    if answer.truncated:
        lines.append("(cut: there are more rows)")
    lines += [f"Reading to choose from: {one_line(option)}" for option in answer.options]
    lines += [f"Note: {one_line(note)}" for note in answer.notes]
    return "\n".join(lines)


def _beyond_repair(error: OldhandError) -> bool:
    """True when other names in the SQL would not help."""
    refused = isinstance(error, QueryRefused) and not isinstance(error, UnreadableSQL)
    return refused or isinstance(error, DatabaseUnreachable | QueryTimedOut)


def _next(error: OldhandError, name: str) -> str:
    match error:
        case QueryTimedOut():
            return "ask for less: narrow it with WHERE, aggregate, or join fewer tables."
        case DatabaseUnreachable():
            return "the SQL is not at fault. Do without this database, or say that it can't be reached."
        case UnreadableSQL():
            return "correct the SQL and call the tool again."
        case QueryRefused():
            return "databases can only be read: write one SELECT, without what was refused."
        case DatabaseError():
            return f'correct the SQL and call the tool again; sql_db_schema(database="{name}") shows tables and columns.'
        case _:
            return "correct the call, or do without it."


def _no_such_table(name: str, schema: DatabaseSchema) -> str:
    names: Iterable[str] = [table.name for table in schema.tables]
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    guess = f" Did you mean {' or '.join(near)}?" if near else ""
    known = ", ".join(one_line(table) for table in names)
    return f"{schema.name} has no table {name[:80]!r}.{guess} It has: {shortened(known, 1_000)}."
