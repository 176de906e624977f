"""What is wrong with the call that makes an agent is said at once, and nothing is left open."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import SQLErrorProfiler, SQLValidator, create_tool_use_agent
from oldhand.agent.tools import sql_tools
from oldhand.errors import InvalidId, InvalidTool, OldhandError, UsageError
from oldhand.testing import ScriptedModel


def look(at: str) -> str:
    """Look."""
    return at


def untyped(at):
    """Look."""
    return at


def sql_db_query(query: str) -> str:
    """Run a query."""
    return query


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"tools": "sqlite:///shop.db"}, InvalidTool, r"'sqlite:///shop.db' .* sql_tools\(URL\)"),
        ({"tools": look}, InvalidTool, "put brackets around it"),
        ({"tools": [look, look]}, InvalidTool, "Two tools are called 'look'"),
        ({"tools": [untyped]}, InvalidTool, "the parameter 'at' has no type"),
        ({"tools": [17]}, InvalidTool, "17 is no tool"),
        ({"evaluators": SQLValidator()}, UsageError, "SQLValidator stands alone"),
        ({"evaluators": [SQLValidator]}, UsageError, r"write SQLValidator\(\)"),
        ({"evaluators": [look]}, UsageError, "make a subclass of VerbalEvaluator"),
        ({"step_evaluators": [SQLErrorProfiler()]}, UsageError, "judges a trajectory, not a step"),
        ({"trajectory_evaluators": [SQLValidator()]}, UsageError, "judges a step, not a traj"),
        ({"tool_calls": "json"}, UsageError, "write native or text"),
        ({"model_name": None}, UsageError, "model_name=None: write builtin or a name"),
        ({"model_name": 5}, UsageError, "model_name=5: write builtin or a name"),
        ({"task_type": ""}, UsageError, "task_type is empty"),
        ({"task_type": None}, UsageError, "task_type is empty"),
        ({"task_type": 5}, UsageError, "task_type is a text, not int"),
        ({"user": "a\nb"}, InvalidId, "not a valid id"),
    ],
)
def test_what_is_wrong_is_named(
    given: dict[str, object], error: type[OldhandError], told: str, tmp_path: Path
):
    with pytest.raises(error, match=told):
        create_tool_use_agent(**{"tools": [look], "home": tmp_path, **given})  # pyright: ignore


def test_a_model_of_a_refused_agent_can_be_used_again(tmp_path: Path):
    model = ScriptedModel(["Done."])
    with pytest.raises(InvalidTool):
        create_tool_use_agent([untyped], model, home=tmp_path)
    with create_tool_use_agent([look], model, home=tmp_path) as agent:
        assert agent.run("What?").answer == "Done."


def test_no_evaluators_may_be_written_as_none(tmp_path: Path):
    none = {"evaluators": None, "step_evaluators": None, "trajectory_evaluators": None}
    with create_tool_use_agent([look], ScriptedModel([]), home=tmp_path, **none) as agent:
        assert agent.evaluators == []


@pytest.mark.parametrize("model", ["builtin", ScriptedModel([])])
def test_callbacks_have_the_time_that_the_settings_say(model: str | ScriptedModel, tmp_path: Path):
    (tmp_path / "settings.yaml").write_text("agent: {callback_seconds: 7}")
    with create_tool_use_agent([look], model, home=tmp_path) as agent:
        assert agent.policy.callbacks.seconds == 7


def test_a_validator_judges_by_the_databases_of_the_agent_that_was_made_last(tmp_path: Path):
    for name, table in (("shop", "customers"), ("stock", "items")):
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as connection:
            connection.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY)")
    validator = SQLValidator()
    tools = [sql_tools(f"sqlite:///{tmp_path}/{name}.db") for name in ("shop", "stock")]
    for given, judged in ((tools[0], "items"), (tools[1], "customers"), ([look], None)):
        with create_tool_use_agent(given, evaluators=[validator], home=tmp_path / "home"):
            for table in ("items", "customers"):
                assert validator.judge(f"SELECT id FROM {table}").is_valid == (table != judged)


def test_databases_of_the_same_name_are_indexed_apart(tmp_path: Path):
    for place, city in (("here", "Berlin"), ("there", "Lima")):
        (tmp_path / place).mkdir()
        with closing(sqlite3.connect(tmp_path / place / "shop.db")) as shop, shop:
            shop.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
            shop.execute("INSERT INTO customers (city) VALUES (?)", [city])
        tools = sql_tools(f"sqlite:///{tmp_path}/{place}/shop.db")
        with create_tool_use_agent(tools, home=tmp_path / "home") as agent:
            state = agent.run(f"How many customers are in {city}?")
        assert state.answer == f"There is 1 customer in {city}."
    assert len(list((tmp_path / "home" / "index" / "tools").iterdir())) == 2


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        ([look], "this agent has look"),
        ([], "this agent has no tools"),
        ([sql_db_query], r"make its tools with sql_tools\(URL\)"),
        (None, "register a database in its home"),
    ],
)
def test_the_builtin_mind_says_what_it_lacks(tools: list[object] | None, told: str, tmp_path: Path):
    with create_tool_use_agent(tools, home=tmp_path) as agent:  # pyright: ignore
        state = agent.run("How many customers live in Berlin?")
    assert state.outcome == "abstained"
    assert told.replace("\\", "") in (state.answer or "")
