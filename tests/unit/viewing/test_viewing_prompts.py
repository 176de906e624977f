"""A language-model mind that sees a part of the schemas: what it asks for, and what does not fit."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from oldhand.agent.analysis import Analysis, analyse
from oldhand.agent.analysis.direct import DirectMind
from oldhand.agent.analysis.lm_mind import LanguageModelMind
from oldhand.agent.analysis.mind import Failure, Inquiry, PlanStep, Task
from oldhand.agent.analyst.linking.indexes import IndexLookup
from oldhand.agent.viewing.viewer import LinkedViewer
from oldhand.errors import ContextTooLong, MalformedAnswer, ModelTimedOut
from oldhand.models import Ledger
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.settings import Settings
from oldhand.sources.databases import Catalog
from oldhand.sources.databases.values import AllValues, ValueIndex
from oldhand.testing.clock import FixedClock
from oldhand.testing.scripted import Scripted, ScriptedModel

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
    with pytest.raises(ContextTooLong, match="choose a model with a larger context"):
        await thinking(ScriptedModel([ContextTooLong()] * 8))


async def test_where_the_schemas_are_short_the_limit_of_the_model_is_told_and_no_setting():
    with pytest.raises(ContextTooLong, match=r"Only 9 fit\. Showing less") as told:
        await thinking(ScriptedModel([ContextTooLong("Only 9 fit.")] * 8), tables=1)
    assert "context_tokens" not in str(told.value)


async def test_a_draft_says_that_the_model_did_not_see_everything():
    mind = await thinking(ScriptedModel([YES, {"sql": "SELECT 1"}]))
    assert "of 40 tables" in (await mind.write(task())).notes[0]


class Towns:
    """A column that holds Basel."""

    def lookup(self, schemas: Sequence[DatabaseSchema], today: date) -> IndexLookup:
        held = [("main", "part0", "town", ["Basel"])]
        return IndexLookup(ValueIndex.in_memory("shop", held))


SQL = "SELECT COUNT(*) AS n FROM part0 WHERE town = '{}'"
MISSED = "part0.town holds no 'basel'. It holds 'Basel'."


async def counted(folder: Path, model: ScriptedModel, mind: type[LanguageModelMind]) -> Analysis:
    with closing(sqlite3.connect(folder / "shop.db")) as connection:
        connection.executescript(
            "CREATE TABLE part0 (town TEXT); INSERT INTO part0 VALUES ('Basel')"
        )
    with closing(Catalog(folder / "home")) as catalog:
        catalog.add(f"sqlite:///{folder / 'shop.db'}", name="shop")
        inquiry = Inquiry(
            "How many are in basel?", catalog.schemas(), date(2026, 3, 1), ledger=Ledger()
        )
        return await analyse(
            inquiry, mind=mind(model, viewer=LinkedViewer(Towns(), 8_000)), sources=catalog,
            observe=lambda _: None, settings=Settings(max_attempts=3), clock=FixedClock(),
        )  # fmt: skip


WRITTEN: list[Scripted] = [
    YES,
    {"steps": [{"number": 1, "purpose": "count", "database": "shop"}]},
    {"sql": SQL.format("basel")},
]


@pytest.mark.parametrize("better", ["Basel", "basel"])
@pytest.mark.parametrize("mind", [LanguageModelMind, DirectMind])
async def test_a_near_miss_is_told_once_and_then_the_statement_runs(
    tmp_path: Path, better: str, mind: type[LanguageModelMind]
):
    written = [YES | {"sql": SQL.format("basel")}] if mind is DirectMind else WRITTEN
    model = ScriptedModel([*written, {"corrected_sql": SQL.format(better)}, {"text": "So many."}])
    found = await counted(tmp_path, model, mind)
    assert found.rows == ((1 if better == "Basel" else 0,),)
    assert [one.error for one in found.steps[0].failures] == [MISSED]


@pytest.mark.parametrize(
    "repairs",
    [
        [{"corrected_sql": "SELECT nonsense(("}, {"corrected_sql": "SELECT gone FROM part9"}],
        [{"corrected_sql": "DROP TABLE part0"}, MalformedAnswer()],
        [ModelTimedOut()],
    ],
)
async def test_a_statement_that_was_held_back_is_run_when_no_other_one_runs(
    tmp_path: Path, repairs: list[Scripted]
):
    model = ScriptedModel([*WRITTEN, *repairs, {"text": "None."}])
    found = await counted(tmp_path, model, LanguageModelMind)
    assert (found.rows, found.steps[0].sql) == (((0,),), SQL.format("basel"))
    assert f"No other statement ran, so the first one was run as it is. {MISSED}" in found.notes
    assert SQL.format("basel") not in [one.sql for one in found.steps[0].failures]
