"""The forms a language model fills: what small models write beside the schema."""

import json

import pytest
from pydantic import JsonValue

from oldhand.agent.analysis.forms import PlanForm, RepairForm, SQLForm, ValidationForm
from oldhand.errors import MalformedAnswer
from oldhand.models.structured import parse_answer


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "  select 1\n",
        "```sql\nSELECT 1\n```",
        "Here is the statement:\n```\nSELECT 1\n```\nIt counts.",
        "~~~sql\nSELECT 1\n~~~",
        "First I tried\n```sql\nSELECT 2\n```\nbut better is\n```sql\nSELECT 1",
        '{"query": {"SQL": "SELECT 1"}}',
        "SQL: SELECT 1",
        "SQLQuery: SELECT 1",
        "SELECT 1;\n\nThis counts what was asked for.",
        "SELECT 1\n\nThis counts what was asked for.",
        "SELECT 1\nThis counts it.",
        "Here is the query:\n\nSELECT 1;",
        "With pleasure! Here it is:\nSELECT 1",
        "Select the number first.\nSELECT 1",
        "<think>SELECT 2 would be wrong</think>SELECT 1",
        "<reasoning>\n```sql\nSELECT 2\n```\n</reasoning>\n```sql\nSELECT 1\n```",
        "The user wants one.\n</think>\n\n```sql\nSELECT 1\n```",
        "{'sql': 'SELECT 1', 'confidence': 'high'}",
    ],
)
def test_a_statement_is_found_without_the_object(text: str) -> None:
    assert parse_answer(text, SQLForm).sql.casefold() == "select 1"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT TOP 5 name FROM [customers]",  # of a dialect of its own
        "WITH a AS (\n  SELECT 1 AS n\n\n), b AS (SELECT 2 AS n)\n\nSELECT * FROM a, b",
        "SELECT name FROM customers\n\nUNION\n\nSELECT name FROM suppliers",
        "SELECT a, -- one\n\n b FROM c -- two",
    ],
)
def test_a_statement_alone_is_taken_whole(sql: str) -> None:
    assert parse_answer(sql, SQLForm).sql == sql


def test_a_repair_needs_no_cause() -> None:
    assert parse_answer("```sql\nSELECT 1\n```", RepairForm).corrected_sql == "SELECT 1"
    assert parse_answer('{"corrected_sql": "SELECT 1"}', RepairForm).cause == ""


@pytest.mark.parametrize(
    "text",
    [
        "I can't do that.",
        "selections differ",
        "```python\nprint(1)\n```",
        "Select the best answer",
        "With pleasure!",
        "<think>SELECT 1",
        '{"sql": "SELECT 1 FROM a WHERE b = ',
    ],
)
def test_words_are_no_statement(text: str) -> None:
    with pytest.raises(MalformedAnswer):
        parse_answer(text, SQLForm)


def test_the_last_step_of_a_plan_is_shown_and_steps_are_numbered_from_one() -> None:
    plan = parse_answer(
        '{"steps": [{"number": 0, "purpose": "a", "database": "shop", "hidden": true},'
        ' {"number": 1, "purpose": "b", "database": "workspace", "depends_on": [0], "hidden": true}]}',
        PlanForm,
    )
    assert [(s.number, s.depends_on, s.hidden) for s in plan.steps] == [
        (1, [], True),
        (2, [1], False),
    ]


STEP = {"number": "Step 1", "purpose": "a", "database": "shop"}


@pytest.mark.parametrize(
    "said",
    [
        [STEP],
        STEP,
        {"steps": STEP},
        {"plan": [STEP]},
        {"steps": {"1": STEP}},
        {"plan": {"steps": [{**STEP, "depends_on": "none", "hidden": "yes"}]}},
        {"steps": [{**STEP, "Depends On": None, "Hidden": True}], "notes": "none"},
    ],
)
def test_a_plan_of_one_step_however_it_is_wrapped(said: JsonValue) -> None:
    (step,) = parse_answer(json.dumps(said), PlanForm).steps
    assert (step.number, step.database, step.depends_on, step.hidden) == (1, "shop", [], False)


def test_steps_are_depended_on_by_name_too() -> None:
    later = {**STEP, "number": 2, "database": "workspace", "depends_on": ["step_1"]}
    plan = parse_answer(json.dumps([STEP, later]), PlanForm)
    assert [step.depends_on for step in plan.steps] == [[], [1]]


def test_a_plan_that_was_cut_is_never_completed() -> None:
    whole = json.dumps({"steps": [STEP, {**STEP, "number": 2}], "notes": []})
    for end in range(1, len(whole)):
        with pytest.raises(MalformedAnswer):
            parse_answer(whole[:end], PlanForm)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Answerable.", "answerable"),
        ("answerable, since both tables are there", "answerable"),
        ("UNANSWERABLE: no such table", "unanswerable"),
    ],
)
def test_a_verdict_with_its_reason(said: str, meant: str) -> None:
    assert parse_answer(json.dumps({"verdict": said}), ValidationForm).verdict == meant


@pytest.mark.parametrize("said", ["answerable|clarify|unanswerable", "not answerable", "maybe"])
def test_a_verdict_that_is_none_is_told(said: str) -> None:
    with pytest.raises(MalformedAnswer, match="verdict"):
        parse_answer(json.dumps({"verdict": said}), ValidationForm)
