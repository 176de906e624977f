"""The forms a language model fills: what small models write beside the schema."""

import pytest

from oldhand.agent.analysis.forms import PlanForm, RepairForm, SQLForm
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
        "{'sql': 'SELECT 1', 'confidence': 'high'}",
    ],
)
def test_a_statement_is_found_without_the_object(text: str) -> None:
    assert parse_answer(text, SQLForm).sql.casefold() == "select 1"


def test_a_repair_needs_no_cause() -> None:
    assert parse_answer("```sql\nSELECT 1\n```", RepairForm).corrected_sql == "SELECT 1"
    assert parse_answer('{"corrected_sql": "SELECT 1"}', RepairForm).cause == ""


@pytest.mark.parametrize(
    "text", ["I can't do that.", "selections differ", "```python\nprint(1)\n```"]
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
