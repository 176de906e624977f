from datetime import date

import pytest

from oldhand.agent.analysis.lm_mind import LanguageModelMind
from oldhand.agent.analysis.mind import (
    Answerability,
    Draft,
    Failure,
    Inquiry,
    PlanStep,
    Task,
    Thinking,
)
from oldhand.agent.analysis.prompt_values import FIRST_ATTEMPT
from oldhand.errors import MalformedAnswer, RateLimited
from oldhand.models import Ledger
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.testing.scripted import Scripted, ScriptedModel

YES = {"verdict": "answerable", "databases": ["Shop"], "confidence": 0.9}
ONE_STEP = {"steps": [{"number": 1, "purpose": "Count", "database": "SHOP"}]}
UNKNOWN = {"steps": [{"number": 1, "purpose": "Count", "database": "bank"}]}


def schema(name: str) -> DatabaseSchema:
    columns = (Column(name="id", type="INTEGER", kind=Kind.INTEGER),)
    tables = (Table(name="orders", schema_name="main", columns=columns),)
    return DatabaseSchema(name=name, dialect="sqlite", tables=tables)


def inquiry(ledger: Ledger | None = None) -> Inquiry:
    return Inquiry(
        question="How many orders?",
        schemas=(schema("shop"), schema("crm")),
        today=date(2026, 3, 1),
        ledger=ledger,
    )


def task() -> Task:
    return Task(PlanStep(number=1, purpose="Count", database="shop"), schema("shop"))


async def begun(*answers: Scripted) -> tuple[Thinking, ScriptedModel]:
    """A session that found the question answerable; `answers` follow."""
    model = ScriptedModel([YES, *answers])
    return await LanguageModelMind(model).read(inquiry()), model


async def test_databases_are_known_by_their_registered_names() -> None:
    model = ScriptedModel([YES])
    validation = (await LanguageModelMind(model).read(inquiry())).validation
    assert validation.databases == ("shop",)
    assert validation.confidence == 0.9


async def test_a_model_that_names_no_database_at_hand_gets_all_of_them() -> None:
    model = ScriptedModel([{"verdict": "answerable", "databases": ["warehouse"]}])
    validation = (await LanguageModelMind(model).read(inquiry())).validation
    assert validation.databases == ("shop", "crm")


async def test_it_asks_back_with_the_readings_to_choose_from() -> None:
    answer = {"verdict": "clarify", "text": "Which?", "options": ["placed", "shipped"]}
    validation = (await LanguageModelMind(ScriptedModel([answer])).read(inquiry())).validation
    assert validation.verdict is Answerability.CLARIFY
    assert (validation.text, validation.options) == ("Which?", ("placed", "shipped"))


async def test_a_plan_that_cannot_be_carried_out_is_asked_for_once_more_with_its_fault() -> None:
    session, model = await begun(UNKNOWN, ONE_STEP)
    plan = await session.plan()
    assert [step.database for step in plan.steps] == ["shop"]
    _, first, second = model.prompts
    assert FIRST_ATTEMPT in first.text
    assert "Step 1 runs on 'bank', which is no database at hand" in second.text
    assert FIRST_ATTEMPT not in second.text


@pytest.mark.parametrize("plan", [UNKNOWN, {"steps": []}])
async def test_a_second_plan_that_does_not_hold_is_a_malformed_answer(plan: object) -> None:
    session, _ = await begun(plan, plan)
    with pytest.raises(MalformedAnswer, match="no plan that can be carried out"):
        await session.plan()


@pytest.mark.parametrize("sql", ["SELECT 1", "```sql\nSELECT 1\n```", "\n```\nSELECT 1```\n"])
async def test_a_fence_around_the_statement_is_taken_off(sql: str) -> None:
    session, _ = await begun({"sql": sql, "confidence": 1})
    assert await session.write(task()) == Draft(sql="SELECT 1")


async def test_a_repair_sees_the_error() -> None:
    repair = {"cause": "typo", "corrected_sql": "SELECT 2", "confidence": 0.4}
    session, model = await begun(repair)
    failure = Failure(sql="SELECT x", error="no such column: x", attempt_number=1)
    draft = await session.repair(task(), failure)
    assert draft == Draft(sql="SELECT 2", confidence=0.4)
    assert "no such column: x" in model.prompts[-1].text


async def test_an_answer_that_never_fits_the_form_is_a_malformed_answer() -> None:
    session, _ = await begun("I am not sure.", '{"sql": 7}')
    with pytest.raises(MalformedAnswer):
        await session.write(task())


async def test_an_unavailable_model_is_named_as_such() -> None:
    with pytest.raises(RateLimited):
        await LanguageModelMind(ScriptedModel([RateLimited()])).read(inquiry())


async def test_every_call_is_booked_under_its_stage() -> None:
    ledger = Ledger()
    mind = LanguageModelMind(ScriptedModel([YES, ONE_STEP]))
    session = await mind.read(inquiry(ledger))
    await session.plan()
    assert [entry.stage for entry in ledger.entries] == ["validate", "plan"]


def test_it_goes_by_the_name_of_its_model() -> None:
    assert LanguageModelMind(ScriptedModel([], name="gpt-9")).name == "gpt-9"
