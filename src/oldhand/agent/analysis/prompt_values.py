"""What fills the placeholders of the prompts. Everything that people wrote stands in a block of its own."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import cast

import yaml

from oldhand.agent.analysis.discretion import discreet
from oldhand.agent.analysis.lesson_text import lessons_text
from oldhand.agent.analysis.mind import (
    MAX_STEPS,
    EarlierTurn,
    Failure,
    Inquiry,
    PlanStep,
    StepResult,
    Task,
    Validation,
)
from oldhand.agent.analysis.view import SchemaView
from oldhand.models.quoting import block, noted, one_line, rows_text, visible
from oldhand.models.schema_text import schema_text
from oldhand.record.answer import FailedAttempt
from oldhand.record.base import Row
from oldhand.record.memory import PreferencePayload
from oldhand.record.shortening import shortened

FIRST_ATTEMPT = "This is the first attempt."
MAX_EXCHANGES = 6
"""Earlier exchanges of a conversation that a prompt shows."""
MAX_EXCHANGE_CHARS = 500
"""Characters of each question and answer of the past that a prompt shows."""
MAX_VALUES = 30
"""Columns that hold a word of the question, as a prompt shows them."""
MAX_VALUE_CHARS = 300
"""Characters of the line for each of them."""
MAX_ERROR_CHARS = 2_000
"""Characters of a database's error that a prompt shows."""


def question_values(inquiry: Inquiry, view: SchemaView | None = None) -> dict[str, str]:
    """The question, its conversation, what was recalled, what its words match in the data, and the day."""
    told = [discreet(one, inquiry.schemas) for one in inquiry.history[-MAX_EXCHANGES:]]
    hints = (lessons_text(inquiry.lessons), noted(inquiry.notes), _matched(view) if view else "")
    return {
        "question": block("question", visible(inquiry.question)),
        "history": _optional("conversation", "\n\n".join(map(_exchange, told))),
        "hints": "\n\n".join(filter(None, hints)),
        "today": f"{inquiry.today:%A}, {inquiry.today.isoformat()}",
    }


def validation_values(inquiry: Inquiry, view: SchemaView) -> dict[str, str]:
    """For `validate_question`: the schemas of all databases."""
    return question_values(inquiry, view) | {"database_schemas": _schemas(view.text)}


def direct_values(inquiry: Inquiry, manner: str, view: SchemaView) -> dict[str, str]:
    """For `write_directly`: the schemas of all databases, and how to go about it."""
    dialects = dict.fromkeys(schema.dialect for schema in inquiry.schemas)
    hints = "\n\n".join(filter(None, map(dialect_hints, dialects)))
    return question_values(inquiry, view) | {
        "databases": ", ".join(f"{one.name} ({one.dialect})" for one in inquiry.schemas),
        "database_schemas": f"{_schemas(view.text)}\n\n{hints}".rstrip(),
        "manner": manner,
    }


def plan_values(
    inquiry: Inquiry, validation: Validation, view: SchemaView, last_plan: str
) -> dict[str, str]:
    """For `create_plan`: the schemas of the databases that matter."""
    schemas = [schema for schema in inquiry.schemas if schema.name in validation.databases]
    databases = ", ".join(f"{schema.name} ({schema.dialect})" for schema in schemas)
    return question_values(inquiry, view) | {
        "understood": understood(validation),
        "databases": databases,
        "database_schemas": _schemas(view.text),
        "last_plan": last_plan,
        "max_steps": str(MAX_STEPS),
    }


def task_values(
    inquiry: Inquiry, validation: Validation, task: Task, view: SchemaView | None = None
) -> dict[str, str]:
    """For `generate_sql`: the step, the schema of its database, and the rows it builds on.

    Without a view, as in the workspace, all of it is shown that models may see.
    """
    schema = task.schema
    dialect = "duckdb" if schema is None else schema.dialect
    shown = schema_text([schema] if schema else []) if view is None else view.text
    return question_values(inquiry, view) | {
        "understood": understood(validation),
        "step": block("step", visible(task.step.purpose)),
        "database": task.step.database,
        "dialect": dialect,
        "database_schemas": f"{_schemas(shown)}\n\n{dialect_hints(dialect)}".rstrip(),
        "step_results": _optional("step_results", results_text(task.results)),
    }


def failure_values(failure: Failure) -> dict[str, str]:
    """For `analyze_error`, beside what stands there for the SQL: the error and the one attempt before it."""
    return {
        "failed_sql": block("failed_sql", visible(failure.sql)),
        "error_message": block("error_message", _error(failure.error)),
        "attempt_number": str(failure.attempt_number),
        "last_attempt": block("last_attempt", last_attempt_text(failure.last_attempt)),
    }


def decision_values(
    inquiry: Inquiry, answers: Sequence[tuple[StepResult, Row | None]], view: SchemaView
) -> dict[str, str]:
    """For `decide_answer`: two results, each with a row that the other has not, as models may see it."""
    texts = ("\n".join(filter(None, _told_apart(*one))) for one in answers)
    first, second = (block(tag, text) for tag, text in zip(("first", "second"), texts, strict=True))
    schemas = {"database_schemas": _schemas(view.text), "first": first, "second": second}
    return question_values(inquiry, view) | schemas


def _told_apart(result: StepResult, only_here: Row | None) -> tuple[str, str]:
    own = rows_text(result.columns, [only_here], total=1) if only_here else ""
    return results_text(
        [result]
    ), f"A row that only this one has, or has more often:\n{own}" if own else ""


def summary_values(
    inquiry: Inquiry, validation: Validation, results: Sequence[StepResult]
) -> dict[str, str]:
    """For `summarize_results`: every step with its SQL, and the first rows of those that are shown."""
    return question_values(inquiry) | {
        "understood": understood(validation),
        "preferences": preferences_text(inquiry),
        "step_results": block("step_results", results_text(results, whole=False)),
    }


def dialect_hints(dialect: str) -> str:
    """What is easily got wrong in a dialect; empty where nothing is known of it."""
    hints = _dialects().get(dialect, ())
    return (
        "\n".join([f"What to mind in {dialect}:", *(f"- {hint}" for hint in hints)])
        if hints
        else ""
    )


@cache
def _dialects() -> Mapping[str, Sequence[str]]:
    text = files("oldhand.agent.analysis").joinpath("dialects.yaml").read_text("utf-8")
    return cast("dict[str, list[str]]", yaml.safe_load(text))


def _schemas(text: str) -> str:
    return block("database_schemas", text)


def _matched(view: SchemaView) -> str:
    """The values of the data that words of the question match."""
    if not view.values:
        return ""
    lines = "\n".join(one_line(line, MAX_VALUE_CHARS) for line in view.values[:MAX_VALUES])
    return f"Words of the question that stand in the data:\n{block('values', lines)}"


def preferences_text(inquiry: Inquiry) -> str:
    """How who asks wants the answer put, and what people here prefer, the user's own words last: these win."""
    learned = (
        f"- {one_line(one.memory.payload.key)}: {one_line(one.memory.payload.value)}"
        for one in inquiry.lessons
        if isinstance(one.memory.payload, PreferencePayload) and one.memory.effect is None
    )
    style = (f"- {one}" for one in inquiry.preferences.style)
    own = (f"- {one_line(one.told)}" for one in inquiry.preferences.all)
    return _optional("preferences", "\n".join(dict.fromkeys((*style, *learned, *own))))


def last_attempt_text(attempt: FailedAttempt | None) -> str:
    r"""The attempt before the one that failed just now.

    >>> last_attempt_text(None)
    'This is the first attempt.'
    >>> last_attempt_text(FailedAttempt(sql="SELECT id", error="Column id not found"))
    'Previous SQL:\nSELECT id\n\nPrevious Error:\nColumn id not found'
    """
    if attempt is None:
        return FIRST_ATTEMPT
    return f"Previous SQL:\n{visible(attempt.sql)}\n\nPrevious Error:\n{_error(attempt.error)}"


def last_plan_text(steps: Iterable[PlanStep], fault: str) -> str:
    """A plan that does not hold, and why."""
    lines = (
        f"{step.number}. on {step.database}, after {list(step.depends_on)}: {step.purpose}"
        for step in steps
    )
    plan = "\n".join(one_line(line) for line in lines) or "(no steps)"
    return block("last_plan", f"{plan}\n\nIt can't be carried out: {one_line(fault)}")


def results_text(results: Iterable[StepResult], *, whole: bool = True) -> str:
    """Steps with their SQL and their first rows; unless `whole`, those of hidden steps are only counted."""
    return "\n\n".join(
        f"{_step_line(result)}\n{_rows(result)}"
        if whole or not result.step.hidden
        else f"{_step_line(result)}\n({result.row_count:,} rows, for later steps)"
        for result in results
    )


def understood(validation: Validation) -> str:
    """How the words of the question were understood."""
    return _optional("understood", "\n".join(f"- {one_line(note)}" for note in validation.notes))


def _step_line(result: StepResult) -> str:
    step = result.step
    line = f"Step {step.number} on {step.database}: {one_line(step.purpose)}\nSQL: {one_line(result.sql)}"
    cut = f"\n(cut after {result.row_count:,} rows: there are more)" if result.truncated else ""
    return f"{line}{cut}"


def _rows(result: StepResult) -> str:
    return rows_text(result.columns, result.shown_rows, total=result.row_count)


def _exchange(exchange: EarlierTurn) -> str:
    lines = [f"Question: {one_line(exchange.question, MAX_EXCHANGE_CHARS)}"]
    lines += [f"SQL on {step.database}: {one_line(step.sql)}" for step in exchange.steps]
    lines.append(f"Answer: {one_line(exchange.text, MAX_EXCHANGE_CHARS)}")
    if exchange.options:
        lines.append(f"Readings offered: {'; '.join(map(one_line, exchange.options))}")
    return "\n".join(lines)


def _optional(tag: str, text: str) -> str:
    return block(tag, text) if text else ""


def _error(text: str) -> str:
    return shortened(visible(text), MAX_ERROR_CHARS)
