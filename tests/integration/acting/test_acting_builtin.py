"""The agent without a language model, over real databases."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest

from oldhand.agent.acting import BuiltinPolicy, Learning, LoopDependencies, ReActChat, Transition
from oldhand.agent.analyst import BuiltinMind, Indexes
from oldhand.agent.tools import Tool, ToolOutput, as_tool
from oldhand.agent.tools.sql import sql_tools
from oldhand.face import AsyncOldhand
from oldhand.loop.agent_runs import answer_of
from oldhand.record.answer import Outcome
from oldhand.record.step import AgentState, ResultRows, Step
from oldhand.sources.databases import Catalog
from oldhand.testing import FixedClock, MemoryCheckpoints

SHOP = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL,
                         customer_id INTEGER REFERENCES customers (id));
    INSERT INTO customers VALUES (1, 'Ana', 'Berlin'), (2, 'Bo', 'Oslo'), (3, 'Cy', 'Berlin');
    INSERT INTO orders VALUES (1, 20.5, 1), (2, 10.0, 1), (3, 7.25, 2);
"""
DESK = """
    CREATE TABLE tickets (id INTEGER PRIMARY KEY, customer_id INTEGER, priority TEXT);
    INSERT INTO tickets VALUES (1, 1, 'high'), (2, 2, 'low'), (3, 1, 'low');
"""
TOTAL = "What is the total amount of orders per customer?"


def make_database(path: Path, script: str) -> str:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return f"sqlite:///{path}"


@pytest.fixture
def catalog(tmp_path: Path):
    catalog = Catalog(tmp_path / "home")
    catalog.add(make_database(tmp_path / "shop.db", SHOP), name="shop")
    yield catalog
    catalog.close()


MakeAgent = Callable[..., ReActChat]


@pytest.fixture
def make_agent(catalog: Catalog, tmp_path: Path) -> MakeAgent:
    def make(
        tools: Iterable[Tool] | None = None,
        learning: Learning | None = None,
        dependencies: LoopDependencies | None = None,
    ) -> ReActChat:
        chosen = tuple(sql_tools(catalog) if tools is None else tools)
        mind = BuiltinMind(Indexes(catalog, tmp_path / "index"))
        policy = BuiltinPolicy(mind, chosen, schemas=catalog.schemas, clock=FixedClock())
        return ReActChat(policy, Transition(chosen), learning=learning, dependencies=dependencies)

    return make


def queries(state: AgentState) -> list[str]:
    return [" ".join(str(a.arguments["query"]).split()) for s in state.steps for a in s.actions]


def test_a_question_becomes_a_query_and_its_rows_a_sentence(make_agent: MakeAgent):
    state = make_agent().run("How many customers live in Berlin?")
    assert (state.outcome, state.answer) == ("answered", "There are 2 customers in Berlin.")
    assert state.steps[0].action.tool == "sql_db_query"
    assert state.steps[0].action.arguments["database"] == "shop"
    assert state.steps[0].observation.result.rows == ((2,),)
    assert len(state.steps) == 2


def test_joins_and_groups_are_answered(make_agent: MakeAgent):
    state = make_agent().run(TOTAL)
    assert state.answer == "Total amount by customer: Ana 30.5, Bo 7.25."


@pytest.mark.parametrize("question", ["What is the weather in Rome?", "Delete all customers"])
def test_what_the_databases_do_not_hold_is_not_answered(make_agent: MakeAgent, question: str):
    state = make_agent().run(question)
    assert state.outcome == "abstained"
    assert state.answer
    assert queries(state) == []


def test_a_reading_that_is_only_proposed_is_an_outcome_of_its_own(make_agent: MakeAgent):
    state = make_agent().run("How many VIP customers live in Berlin?")
    assert state.outcome == "proposed"
    assert "I left out 'VIP'. Is that right?" in (state.answer or "")
    answer = answer_of(state, "run-1", "builtin", ["shop"])
    assert answer.outcome is Outcome.PROPOSED
    assert answer.abstained


def test_another_run_starts_from_its_own_question(make_agent: MakeAgent):
    agent = make_agent()
    assert agent.run("How many customers live in Oslo?").answer == "There is 1 customer in Oslo."
    assert agent.run("How many orders are there?").answer == "There are 3 orders."


def test_a_run_goes_on_in_an_agent_that_never_saw_it(make_agent: MakeAgent):
    kept = MemoryCheckpoints()
    make_agent(dependencies=LoopDependencies(checkpoints=kept)).run(TOTAL)
    with_rows = next(
        one for one in kept.saved if one.state.steps and one.state.steps[-1].observations
    )
    kept.begin(with_rows)
    state = make_agent(dependencies=LoopDependencies(checkpoints=kept)).resume(with_rows.run_id)
    assert state.answer == "Total amount by customer: Ana 30.5, Bo 7.25."
    assert len(queries(state)) == 1


def test_a_schema_that_is_out_of_date_ends_honestly_and_no_query_is_made_twice(
    make_agent: MakeAgent, catalog: Catalog, tmp_path: Path
):
    catalog.schemas()
    make_database(tmp_path / "shop.db", "ALTER TABLE orders RENAME COLUMN amount TO paid")
    state = make_agent().run("What is the total amount of orders?")
    assert state.outcome == "failed"
    assert "no such column" in state.error
    assert "seems out of date" in state.error
    assert 2 <= len(queries(state)) <= 5
    assert len(set(queries(state))) == len(queries(state))


def test_a_query_that_fails_is_repaired_from_what_the_database_says(
    make_agent: MakeAgent, catalog: Catalog, tmp_path: Path
):
    catalog.schemas()
    url = make_database(tmp_path / "shop.db", "ALTER TABLE orders RENAME COLUMN amount TO amounts")
    state = make_agent(tools=sql_tools({"shop": url})).run("What is the total amount of orders?")
    assert state.outcome == "answered"
    assert "37.75" in state.answer
    assert len(queries(state)) == 2
    assert state.steps[0].observation.is_error
    assert "amounts" in state.answer  # what the repair has changed


def test_rows_of_several_databases_are_left_to_the_analysis(tmp_path: Path):
    async def ask(with_analysis: bool) -> AgentState:
        async with AsyncOldhand(tmp_path / "home") as old:
            if "shop" not in {entry.name for entry in old.databases.list()}:
                old.databases.add(make_database(tmp_path / "shop.db", SHOP), name="shop")
                old.databases.add(make_database(tmp_path / "desk.db", DESK), name="desk")
                old.databases.link_keys(write=True)
            tools = sql_tools(old.databases, analyse=old.ask if with_analysis else None)
            mind = BuiltinMind(Indexes(old.databases, tmp_path / "index"))
            policy = BuiltinPolicy(mind, tools, schemas=old.databases.schemas, clock=FixedClock())
            agent = ReActChat(policy, Transition(tools))
            return await agent.arun("How many tickets does each customer have?")

    state = asyncio.run(ask(with_analysis=True))
    assert state.outcome == "answered"
    assert [action.tool for step in state.steps for action in step.actions] == ["sql_analysis"]
    assert "Ana 2, Bo 1" in state.answer
    without = asyncio.run(ask(with_analysis=False))
    assert without.outcome == "abstained"
    assert "sql_analysis" in without.answer


def test_tools_that_are_not_for_sql_need_a_language_model(make_agent: MakeAgent):
    def geocode(address: str) -> str:
        """Find a place."""
        return address

    state = make_agent(tools=[as_tool(geocode)]).run("Where is Melbourne?")
    assert state.outcome == "abstained"
    assert "geocode" in state.answer
    assert "Name a model" in state.answer


def test_a_query_tool_that_gives_text_only_is_quoted(make_agent: MakeAgent):
    def sql_db_query(query: str) -> str:
        """Run a query."""
        return "n\n2" if "COUNT" in query else "?"

    state = make_agent(tools=[as_tool(sql_db_query)]).run("How many customers live in Berlin?")
    assert (state.outcome, state.answer) == ("answered", "n\n2")
    assert "database" not in state.steps[0].action.arguments


def test_what_evaluators_object_to_is_told_with_the_answer(make_agent: MakeAgent):
    class Objects:
        def evaluate(self, judged: Step, /, **context: object) -> str | None:
            return "City names are doubtful" if judged.actions else None

        def load_eval_as_prompt(self, *_: object, **__: object) -> str:
            return ""

    learning = Learning(step_evaluators=(Objects(),))
    state = make_agent(learning=learning).run("How many customers live in Berlin?")
    assert state.steps[0].issues == ("City names are doubtful",)
    assert state.answer == (
        "There are 2 customers in Berlin.\nA check says of the SQL: City names are doubtful"
    )


def test_rows_that_were_cut_are_still_counted(make_agent: MakeAgent):
    def sql_db_query(query: str) -> ToolOutput:
        """Run a query."""
        rows = ResultRows(columns=("name",), rows=(("Ana",), ("Bo",)), row_count=9, truncated=True)
        return ToolOutput("name", result=rows)

    state = make_agent(tools=[as_tool(sql_db_query)]).run("Show the names of all customers")
    assert state.outcome == "answered"
    assert "9" in state.answer
