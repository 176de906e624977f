"""A language-model mind that sees a part of the schemas: what it asks for, and what does not fit."""

from collections.abc import Sequence
from datetime import date

import pytest

from oldhand.agent.analysis.lm_mind import LanguageModelMind
from oldhand.agent.analysis.mind import Failure, Inquiry, PlanStep, Task
from oldhand.agent.analyst.linking.indexes import IndexLookup
from oldhand.agent.viewing.viewer import LinkedViewer
from oldhand.errors import ContextTooLong
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases.values import AllValues
from oldhand.testing.scripted import ScriptedModel

YES = {"verdict": "answerable", "databases": ["shop"]}


class Nothing:
    """No values."""

    def lookup(self, schemas: Sequence[DatabaseSchema], today: date) -> IndexLookup:
        return IndexLookup(AllValues(()))


def schema(tables: int) -> DatabaseSchema:
    columns = (
        Column(name="id", type="INTEGER", kind=Kind.INTEGER),
        Column(name="weight", type="REAL", kind=Kind.NUMBER),
    )
    return DatabaseSchema(
        name="shop",
        dialect="sqlite",
        tables=tuple(Table(name=f"part{n}", schema_name="main", columns=columns) for n in range(tables)),
    )  # fmt: skip


async def thinking(model: ScriptedModel, tables: int = 40, room: int = 500):
    inquiry = Inquiry("How heavy are the things?", (schema(tables),), date(2026, 3, 1))
    return await LanguageModelMind(model, viewer=LinkedViewer(Nothing(), room)).read(inquiry)


def task(tables: int = 40) -> Task:
    return Task(PlanStep(number=1, purpose="weigh", database="shop"), schema(tables))


async def test_what_is_left_out_can_be_asked_for():
    model = ScriptedModel([YES | {"missing": ["part39"]}, YES])
    await thinking(model)
    first, second = model.prompts
    assert "**Table: part39**" not in first.text
    assert "**Table: part39**" in second.text


async def test_it_is_asked_once_more_only():
    model = ScriptedModel([YES | {"missing": ["part38"]}, YES | {"missing": ["part37"]}])
    assert (await thinking(model)).validation.databases == ("shop",)


async def test_names_that_are_in_view_or_nowhere_are_not_asked_for_again():
    model = ScriptedModel([YES | {"missing": ["part0", "nonsense"]}])
    await thinking(model)
    assert len(model.prompts) == 1


async def test_the_next_attempt_sees_what_a_failed_statement_names():
    model = ScriptedModel([YES, {"sql": "SELECT 1"}, {"corrected_sql": "SELECT 2"}])
    mind = await thinking(model)
    await mind.write(task())
    sql = "SELECT weight FROM part39"
    await mind.repair(task(), Failure(sql=sql, error="no", attempt_number=1))
    assert ["**Table: part39**" in prompt.text for prompt in model.prompts] == [False, False, True]


async def test_a_prompt_that_is_too_long_is_made_to_fit_and_this_is_said():
    model = ScriptedModel([YES, ContextTooLong(), {"sql": "SELECT 1"}])
    mind = await thinking(model, tables=10, room=2_000)
    draft = await mind.write(task(10))
    _, long, short = (prompt.text for prompt in model.prompts)
    assert "Left out here" not in long
    assert "Left out here" in short
    assert "of 10 tables" in draft.notes[0]


async def test_a_prompt_that_cannot_be_made_shorter_ends_in_the_error():
    with pytest.raises(ContextTooLong):
        await thinking(ScriptedModel([ContextTooLong()] * 8))


async def test_a_draft_says_that_the_model_did_not_see_everything():
    mind = await thinking(ScriptedModel([YES, {"sql": "SELECT 1"}]))
    assert "of 40 tables" in (await mind.write(task())).notes[0]
