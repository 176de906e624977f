"""What is kept back from models is in none of their prompts, on whatever way it might get there."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from oldhand.agent.analysis import Inquiry, analyse
from oldhand.agent.analysis.lm_mind import LanguageModelMind
from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.agent.tools.sql import sql_tools
from oldhand.agent.viewing.viewer import LinkedViewer
from oldhand.models import Ledger
from oldhand.record.answer import QueryStep
from oldhand.record.lesson import Lesson
from oldhand.record.memory import MemoryType
from oldhand.record.schema import Disclosure
from oldhand.settings import Settings
from oldhand.sources.databases import Catalog
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import example_memory
from oldhand.testing.scripted import ScriptedModel

SECRETS = (
    "ada@x.org",
    "bo@x.org",
    "1990-04-05",
    "555 0100",
    "+49 30 5550100",
    "Zwicky",
    "tall_tale",
)
TABLES = """
CREATE TABLE people (id INTEGER PRIMARY KEY, town TEXT, email TEXT, born DATE, reach TEXT, remark TEXT, tall_tale TEXT);
INSERT INTO people VALUES
  (1, 'Basel', 'ada@x.org', '1990-04-05', '+49 30 5550100', 'Zwicky', 'a'), (2, 'Bern', 'bo@x.org', '1991-01-01', '+49 30 5550101', 'Bo', 'b');
"""
YES = {"verdict": "answerable", "databases": ["crm"]}
PLAN = {"steps": [{"number": 1, "purpose": "look", "database": "crm"}]}
SAID = {"text": "Two."}


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with closing(sqlite3.connect(tmp_path / "crm.db")) as connection:
        connection.executescript(TABLES)
    catalog = Catalog(tmp_path / "home")
    catalog.add(f"sqlite:///{tmp_path / 'crm.db'}", name="crm")
    path = catalog.schema_path("crm")
    text = path.read_text("utf-8")
    text = text.replace("- name: remark\n", "- name: remark\n    to_models: names\n")
    path.write_text(
        text.replace("- name: tall_tale\n", "- name: tall_tale\n    to_models: nothing\n"), "utf-8"
    )
    yield catalog
    catalog.close()


async def asked(
    catalog: Catalog, model: ScriptedModel, question: str = "Who is there?", **more: object
):
    inquiry = Inquiry(question, catalog.schemas(), date(2026, 3, 1), ledger=Ledger(), **more)  # pyright: ignore[reportArgumentType]
    viewer = LinkedViewer(Indexes(catalog, Path(catalog.schema_path("crm")).parent), 8_000)
    return await analyse(
        inquiry, mind=LanguageModelMind(model, viewer=viewer), sources=catalog, observe=lambda _: None,
        settings=Settings(), clock=FixedClock(),
    )  # fmt: skip


def told(model: ScriptedModel) -> list[str]:
    """The secrets that stand in a prompt."""
    return [secret for prompt in model.prompts for secret in SECRETS if secret in prompt.text]


async def test_the_schema_and_the_values_of_a_question_tell_nothing(catalog: Catalog):
    model = ScriptedModel([YES, PLAN, {"sql": "SELECT COUNT(*) AS n FROM people"}, SAID])
    answer = await asked(catalog, model, "How many people in basel are called zwicky?")
    assert answer.rows == ((2,),)
    assert told(model) == []
    assert "people.town holds 'Basel'" in model.prompts[0].text
    assert "- email (TEXT, NULL)" in model.prompts[0].text


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT email FROM people",
        "SELECT * FROM people",
        "SELECT max(born) AS b, min(remark) AS r FROM people",
    ],
)
async def test_cells_are_shown_to_the_person_and_the_sentence_is_made_by_rule(
    catalog: Catalog, sql: str
):
    model = ScriptedModel([YES, PLAN, {"sql": sql}])
    answer = await asked(catalog, model)
    assert answer.rows
    assert "made by rule" in " ".join(answer.notes)
    assert told(model) == []


async def test_cells_of_earlier_steps_are_not_in_later_prompts(catalog: Catalog):
    steps = [
        {"number": 1, "purpose": "fetch", "database": "crm", "hidden": True},
        {"number": 2, "purpose": "join", "database": "workspace", "depends_on": [1]},
    ]
    first = {"sql": "SELECT town, email AS contact_point FROM people"}
    second = {"sql": "SELECT contact_point AS c FROM step_1"}
    model = ScriptedModel([YES, {"steps": steps}, first, second])
    answer = await asked(catalog, model)
    assert answer.rows == (("ada@x.org",), ("bo@x.org",))
    assert answer.steps[1].withheld == ("c",)
    assert told(model) == []


async def test_error_messages_do_not_quote_cells(catalog: Catalog):
    bad = {"sql": "SELECT json_extract(email, '$.a') AS a, tal_tale FROM people"}
    good = {"corrected_sql": "SELECT COUNT(*) AS n FROM people"}
    model = ScriptedModel([YES, PLAN, bad, good, SAID])
    await asked(catalog, model)
    assert told(model) == []


async def test_conversations_and_confirmed_answers_do_not_repeat_them(catalog: Catalog):
    step = QueryStep(
        number=1, purpose="x", database="crm", sql="SELECT town FROM people WHERE remark = 'Zwicky'", columns=("email",), withheld=("email",)
    )  # fmt: skip
    turn = EarlierTurn(
        question="What is the address?", text="The email is ada@x.org.", steps=(step,)
    )
    memory = example_memory(kind=MemoryType.EXAMPLE)
    payload = memory.payload.model_copy(
        update={
            "question": "Who is Zwicky?",
            "sql": "SELECT id FROM people WHERE remark = 'Zwicky'",
            "database": "crm",
        }
    )
    lesson = Lesson(memory=memory.model_copy(update={"payload": payload}))
    model = ScriptedModel([YES, PLAN, {"sql": "SELECT COUNT(*) AS n FROM people"}, SAID])
    await asked(
        catalog, model, history=(turn,), lessons=(lesson,), notes="It was bo@x.org who asked."
    )
    assert told(model) == []


async def test_readings_that_were_offered_do_not_repeat_them(catalog: Catalog):
    turn = EarlierTurn(
        question="How many people are zwicky?",
        text="Which of them do you mean?",
        options=("number of people with remark 'Zwicky'", "number of people with town 'Basel'", "people born 1990-04-05"),
    )  # fmt: skip
    model = ScriptedModel([YES, PLAN, {"sql": "SELECT COUNT(*) AS n FROM people"}, SAID])
    await asked(catalog, model, history=(turn,))
    assert told(model) == []
    assert (
        "Readings offered: (kept back); number of people with town 'Basel'" in model.prompts[0].text
    )


async def test_the_tools_of_an_agent_tell_nothing_either(catalog: Catalog):
    tools = {tool.name: tool for tool in sql_tools(catalog)}
    queries = (
        "SELECT * FROM people",
        "SELECT email AS e, town FROM people",
        "SELECT tall_tal FROM people",
    )
    said = [tools["sql_db_schema"](database="crm")]
    said += [await tools["sql_db_query"](query) for query in queries]
    texts = "\n".join(one.text for one in said)
    assert [secret for secret in SECRETS if secret in texts] == []
    assert "Basel" in texts


def test_what_the_owner_says_survives_introspection(catalog: Catalog):
    found = catalog.introspect("crm").tables[0]
    assert found.column("remark").to_models is Disclosure.NAMES  # pyright: ignore[reportOptionalMemberAccess]
    assert catalog.schema("crm").tables[0].column("tall_tale").to_models is Disclosure.NOTHING  # pyright: ignore[reportOptionalMemberAccess]
