"""One evaluator in several agents, models with several names, tools that fail in words, and what it all costs."""

import json
import sqlite3
from pathlib import Path

import pytest

from oldhand import create_tool_use_agent, results_path
from oldhand.agent.tools import sql_tools
from oldhand.errors import InvalidNotes
from oldhand.evaluators import SQLErrorProfiler, SQLValidator, VerbalEvaluator
from oldhand.evaluators.result_files import import_results
from oldhand.models.language_model import ToolCall
from oldhand.record.step import Action, Observation, Step
from oldhand.settings import Settings
from oldhand.store import home_store
from oldhand.testing import FixedClock, HeedingModel, ScriptedModel


def tools_over(folder: Path, name: str, table: str):
    folder.mkdir(exist_ok=True)
    with sqlite3.connect(folder / f"{name}.db") as made:
        made.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, city TEXT)")
    return sql_tools(f"sqlite:///{folder / f'{name}.db'}")


def asking(sql: str) -> ScriptedModel:
    call = ToolCall(id="a", name="sql_db_query", arguments={"query": sql})
    return ScriptedModel([[call], "Done."])


def test_each_agent_is_judged_with_its_own_schemas_and_into_its_own_home(tmp_path: Path):
    shared = SQLValidator()
    shop = create_tool_use_agent(
        tools_over(tmp_path, "shop", "customers"),
        asking("SELECT nothing FROM customers"),
        evaluators=[shared],
        home=tmp_path / "a",
    )
    hr = create_tool_use_agent(
        tools_over(tmp_path, "hr", "employees"),
        asking("SELECT none FROM employees"),
        evaluators=[shared],
        home=tmp_path / "b",
    )
    with shop, hr:
        assert "nothing" in "".join(shop.run("How many customers?").steps[0].issues)
        assert "none" in "".join(hr.run("How many employees?").steps[0].issues)
    for home, column, other in (("a", "nothing", "employees"), ("b", "none", "customers")):
        lines = results_path("scripted", "default", tmp_path / home).read_text().splitlines()
        (record,) = map(json.loads, lines)
        assert column in "".join(record["issues"])
        assert other not in json.dumps(record)
        assert "no table" not in json.dumps(record)


def test_notes_come_from_the_home_of_the_agent_that_asks(tmp_path: Path):
    shared = SQLValidator()
    homes = {name: tmp_path / name for name in ("a", "b")}
    tools = tools_over(tmp_path, "shop", "customers")
    first, second = asking("SELECT nothing FROM customers"), ScriptedModel(["Done."])
    agents = [
        create_tool_use_agent(tools, model, evaluators=[shared], home=home)
        for model, home in zip((first, second), homes.values(), strict=True)
    ]
    for agent in agents:
        agent.run("How many?")
        agent.close()
    assert "nothing" in first.prompts[1].text
    assert "nothing" not in second.prompts[0].text


def test_one_model_by_two_names_has_one_file_and_one_set_of_notes(tmp_path: Path):
    validator = SQLValidator(dialect="sqlite", home=tmp_path)
    sql = "SELECT * FROM a WHERE b = NULL"
    for name in ("gpt-4", "openai:gpt-4"):
        validator.evaluate(sql, query_idx=1, policy_model_name=name, task_type="qa")
    assert len(validator.load_results("openai:gpt-4", "qa")) == 2
    assert "(2 times)" in validator.load_eval_as_prompt("gpt-4", "qa")
    validator.close()
    assert len(results_path("gpt-4", "qa", tmp_path).read_text().splitlines()) == 2
    assert len(list((tmp_path / "verbal_evaluator").glob("*.jsonl"))) == 1


def failed_in_words(text: str) -> Step:
    action = Action(id="1", tool="sql_db_query", arguments={"query": "SELECT nmae FROM shop"})
    return Step(number=1, actions=(action,), observations=(Observation(action_id="1", text=text),))


@pytest.mark.parametrize(
    "text",
    [
        "Error: (sqlite3.OperationalError) no such column: nmae\n[SQL: SELECT nmae FROM shop]",
        '(psycopg2.errors.UndefinedColumn) column "nmae" does not exist',
        "OperationalError: no such column: nmae",
        "An error occurred: no such column: nmae",
        "Query failed: no such column: nmae",
    ],
)
def test_the_profiler_sees_errors_that_tools_return_as_text(tmp_path: Path, text: str):
    profiler = SQLErrorProfiler(home=tmp_path)
    said = profiler.evaluate([failed_in_words(text)]) or ""
    assert said.startswith("Unknown column errors (nmae)")


@pytest.mark.parametrize(
    "text", ["3 rows", "[('no such column: nmae', 1)]", "id | error\n1 | none"]
)
def test_and_takes_no_rows_for_errors(tmp_path: Path, text: str):
    assert SQLErrorProfiler(home=tmp_path).evaluate([failed_in_words(text)]) is None


def test_what_evaluators_ask_of_models_is_part_of_what_the_run_used(tmp_path: Path):
    critic = ScriptedModel(
        lambda prompt: (
            {"error_type": "", "issues": []}
            if prompt.form == "Profile"
            else {"is_valid": True, "issues": [], "score": 1.0}
        ),
        name="critic",
    )
    agent = create_tool_use_agent(
        tools_over(tmp_path, "shop", "customers"),
        asking("SELECT city FROM customers"),
        evaluators=[SQLValidator(critic), SQLErrorProfiler(critic)],
        home=tmp_path / "home",
    )
    with agent:
        state = agent.run("Which cities?")
    assert len(critic.prompts) == 2
    assert state.usage.requests == 2 + 2
    with home_store(tmp_path / "home", Settings(), clock=FixedClock()) as store:
        episode = store.episode("default", state.episode_id or "")
    assert sorted(entry.model for entry in episode.ledger) == ["critic"] * 2 + ["scripted"] * 2
    assert episode.answer.usage.requests == 4


@pytest.mark.parametrize("notes", [7, {"a": 1}, ["fine", 7]])
def test_notes_of_a_wrong_type_are_a_named_error(
    tmp_path: Path, notes: object, caplog: pytest.LogCaptureFixture
):
    agent = create_tool_use_agent([], ScriptedModel(["Done."]), home=tmp_path)
    agent.policy.set_dynamic_notes_fn(lambda: notes)  # pyright: ignore[reportArgumentType, reportReturnType]
    with agent:
        assert agent.run("Anything?").answer == "Done."
    assert agent.policy.callbacks.failures["notes"] == 1
    assert InvalidNotes.__name__ in caplog.text


RECORD = {
    "evaluator_type": "sqlvalidator",
    "query_idx": 11,
    "timestamp": "2025-12-05 17:30:27",
    "issues": ["Mixing geographic coordinates with planar distance"],
    "is_valid": False,
    "score": 0.7,
    "sql_query": "SELECT '{' FROM a",
}


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(json.dumps({**RECORD, "query_idx": n}, indent=4) for n in range(3)),
        ",\n".join(json.dumps({**RECORD, "query_idx": n}, indent=1) for n in range(3)),
        json.dumps([{**RECORD, "query_idx": n} for n in range(3)], indent=2),
        json.dumps([{**RECORD, "query_idx": n} for n in range(3)]),
        "\n\n".join(json.dumps({**RECORD, "query_idx": n}) for n in range(3)),
    ],
)
def test_records_over_several_lines_are_imported(tmp_path: Path, text: str):
    file = tmp_path / "resultdicttojsonl_gpt-4_spatial_qa.jsonl"
    file.write_text(text)
    with home_store(tmp_path / "home", Settings(), clock=FixedClock()) as store:
        assert import_results(store.results, "default", file) == (3, 0, (), 0)


def test_a_broken_record_of_several_lines_is_named_once(tmp_path: Path):
    whole = json.dumps(RECORD, indent=4)
    file = tmp_path / "resultdicttojsonl_gpt-4_spatial_qa.jsonl"
    file.write_text(f"{whole}\n{whole.replace('0.7,', '0.7')}\n{whole.replace('11', '12')}")
    with home_store(tmp_path / "home", Settings(), clock=FixedClock()) as store:
        done = import_results(store.results, "default", file)
    assert done.new == 2
    assert [one.partition(": ")[0] for one in done.bad] == [f"{file}:12"]


class Slow(VerbalEvaluator):
    """Finds everything slow."""

    def evaluate(self, step: object, **kwargs: object) -> None:
        """Say so."""
        self._save_eval({"issues": ["Slow"]}, 1, "gpt-4", "qa")


def test_an_evaluator_that_stands_alone_saves_where_it_was_made(tmp_path: Path):
    agent = create_tool_use_agent(
        [], HeedingModel({}, otherwise="Done."), evaluators=[Slow()], home=tmp_path
    )
    with agent:
        (evaluator,) = agent.evaluators
        assert isinstance(evaluator, Slow)
        evaluator.evaluate("SELECT 1")
        assert "Slow" in evaluator.load_eval_as_prompt("gpt-4", "qa")
