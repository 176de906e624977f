"""The profiler: what databases say is grouped, what the rules find again and again is added, then the model's view."""

import sqlite3
from pathlib import Path

import duckdb
import pytest

from oldhand.errors import ModelTimedOut, UsageError
from oldhand.evaluators import SQLErrorProfiler
from oldhand.evaluators.sql_error_profiler import KINDS, SYNTAX, ErrorKind, kind_of_message
from oldhand.evaluators.sql_evaluator import Critic, JudgeCache
from oldhand.record.step import Action, AgentState, Observation, ResultRows, Step
from oldhand.testing import ScriptedModel

AMBIGUOUS = KINDS["ambiguous_column"]
FUNCTION = KINDS["unknown_function"]
GROUPING = KINDS["grouping"]
REFUSED = KINDS["refused"]
SHAPE = KINDS["shape"]
SPATIAL = KINDS["crs_mismatch"]
TIMEOUT = KINDS["timeout"]
TYPES = KINDS["type_mismatch"]
UNKNOWN_COLUMN = KINDS["unknown_column"]
UNKNOWN_TABLE = KINDS["unknown_table"]

SAVED = {"query_idx": 11, "policy_model_name": "gpt-4", "task_type": "spatial_qa"}
POINT = "ST_SetSRID(ST_MakePoint(144.38078, -38.08395), {})"
NEAR = f"SELECT * FROM audit WHERE ST_DWithin(geom, {POINT}, {{}})"


def step(number: int, sql: str, error: str | None = None, rows: int | None = None) -> Step:
    action = Action(id=f"a{number}", tool="sql_db_query", arguments={"query": sql})
    result = None if rows is None else ResultRows(columns=("n",), rows=(), row_count=rows)
    seen = Observation(
        action_id=action.id, text=error or "n", is_error=error is not None, result=result
    )
    return Step(number=number, actions=(action,), observations=(seen,))


def test_errors_of_one_kind_become_one_issue_with_their_steps_and_names(tmp_path: Path) -> None:
    profiler = SQLErrorProfiler(home=tmp_path)
    run = AgentState(
        run_id="r",
        query="How many?",
        steps=(
            step(1, "SELECT nmae FROM shop", "no such column: nmae"),
            step(2, "SELECT s.town FROM shop AS s", "no such column: s.town"),
            step(3, "SELECT 1 FROM stores", "no such table: stores"),
            step(4, "SELECT name FROM shop"),
        ),
    )
    issues = profiler.evaluate(run, **SAVED)
    (record,) = profiler.load_results("gpt-4", "spatial_qa")
    assert issues is not None
    assert list(record) == ["evaluator_type", "query_idx", "timestamp", "error_type", "issues"]
    assert (record["evaluator_type"], record["error_type"]) == (
        "sqlerrorprofiler",
        "Unknown column errors",
    )
    assert record["issues"] == issues.splitlines()
    assert issues.splitlines()[0].startswith(
        "Unknown column errors (nmae, town), 2 times, in steps 1, 2: "
    )
    assert issues.splitlines()[1].startswith("Unknown table errors (stores), once, in step 3: ")
    prompt = profiler.load_eval_as_prompt("gpt-4", "spatial_qa")
    assert prompt.startswith("Previous SQL Error Patterns:\n1. ")
    profiler.close()


def test_degrees_taken_for_metres_again_and_again_are_a_pattern(tmp_path: Path) -> None:
    profiler = SQLErrorProfiler(home=tmp_path)
    steps = [step(2, NEAR.format(4326, 100)), step(4, NEAR.format(4283, 0.001))]
    assert profiler.evaluate(steps, **SAVED) is not None
    (record,) = profiler.load_results("gpt-4", "spatial_qa")
    assert record["error_type"] == "CRS mismatch errors"
    profiler.close()


def test_what_happens_once_and_fails_nowhere_is_no_pattern(tmp_path: Path) -> None:
    profiler = SQLErrorProfiler(home=tmp_path)
    assert profiler.evaluate([step(1, NEAR.format(4326, 100)), step(2, "SELECT 1", rows=0)]) is None
    assert profiler.evaluate([]) is None
    assert profiler.evaluate([Step(number=1, answer="42")]) is None


def test_empty_results_that_come_again_are_a_pattern() -> None:
    issues = SQLErrorProfiler().patterns([])
    assert issues == []
    profiler = SQLErrorProfiler()
    steps = [step(n, f"SELECT name FROM shop WHERE city = 'x{n}'", rows=0) for n in (1, 2)]
    found = profiler.evaluate(steps)
    assert found is not None
    assert found.startswith("Empty results, 2 times, in steps 1, 2: ")


def test_an_error_that_nobody_knows_is_quoted() -> None:
    found = SQLErrorProfiler().evaluate([step(1, "SELECT 1", "the moon is in the wrong phase")])
    assert found is not None
    assert "Failed queries, once, in step 1, such as 'the moon is in the wrong phase'" in found


def test_the_hints_behind_a_message_do_not_change_its_kind() -> None:
    text = "The query on shop brought nothing: no such column: town\nNext: databases can only be read: write one SELECT."
    found = SQLErrorProfiler().evaluate([step(1, "SELECT town FROM shop", text)])
    assert found is not None
    assert found.startswith("Unknown column errors (town), once")


def test_what_is_no_run_is_refused() -> None:
    with pytest.raises(UsageError, match="not at str"):
        SQLErrorProfiler().evaluate("SELECT 1")
    with pytest.raises(UsageError, match="not at int"):
        SQLErrorProfiler().evaluate([1])


@pytest.mark.parametrize(
    ("message", "kind", "name"),
    [
        ('column "town" does not exist\nLINE 1: SELECT town', UNKNOWN_COLUMN, "town"),
        ("Unknown column 's.town' in 'field list'", UNKNOWN_COLUMN, "town"),
        ("Table 'shops.stores' doesn't exist", UNKNOWN_TABLE, "stores"),
        ('relation "stores" does not exist', UNKNOWN_TABLE, "stores"),
        ("Unknown table 'stores'", UNKNOWN_TABLE, "stores"),
        ("(1055, \"'shop.c.name' isn't in GROUP BY\")", GROUPING, ""),
        ('column reference "id" is ambiguous', AMBIGUOUS, "id"),
        ("Column 'id' in field list is ambiguous", AMBIGUOUS, "id"),
        ("function datediff(date, date) does not exist", FUNCTION, "datediff"),
        (
            "Expression #1 of SELECT list is not in GROUP BY clause; sql_mode=only_full_group_by",
            GROUPING,
            "",
        ),
        ("each UNION query must have the same number of columns", SHAPE, ""),
        ("operator does not exist: integer = text", TYPES, ""),
        ("ST_DWithin: Operation on mixed SRID geometries (Point, 4326) != (Point, 0)", SPATIAL, ""),
        ("You have an error in your SQL syntax near 'FORM'", SYNTAX, ""),
        ("canceling statement due to statement timeout", TIMEOUT, ""),
        ("The query ran longer than its time limit and was stopped.", TIMEOUT, ""),
        ("DELETE would change the database. Allowed is one SELECT, also with WITH.", REFUSED, ""),
    ],
)
def test_messages_of_servers_have_their_kind(message: str, kind: ErrorKind, name: str) -> None:
    assert kind_of_message(message) == (kind, name)


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("SELECT town FROM shop", UNKNOWN_COLUMN),
        ("SELECT s.town FROM shop AS s", UNKNOWN_COLUMN),
        ("SELECT x.city FROM shop AS s", UNKNOWN_COLUMN),
        ("SELECT * FROM stores", UNKNOWN_TABLE),
        ("SELECT id FROM shop, sale", AMBIGUOUS),
        ("SELECT frobnicate(id) FROM shop", FUNCTION),
        ("SELECT name FROM shop WHERE count(*) > 1", GROUPING),
        ("SELECT id FROM shop UNION SELECT id, id FROM sale", SHAPE),
        ("SELEC name FROM shop", SYNTAX),
    ],
)
def test_the_messages_of_real_databases_have_their_kind(sql: str, kind: ErrorKind) -> None:
    tables = "CREATE TABLE shop (id INTEGER, name TEXT, city TEXT); CREATE TABLE sale (id INTEGER)"
    lite, duck = sqlite3.connect(":memory:"), duckdb.connect(":memory:")
    lite.executescript(tables)
    duck.execute(tables)
    with pytest.raises(sqlite3.Error) as by_sqlite:
        lite.execute(sql)
    with pytest.raises(duckdb.Error) as by_duckdb:
        duck.execute(sql)
    lite.close()
    duck.close()
    assert [kind_of_message(str(one.value))[0] for one in (by_sqlite, by_duckdb)] == [kind, kind]


def with_model(answers: list[object], path: Path) -> tuple[SQLErrorProfiler, ScriptedModel]:
    model = ScriptedModel(answers)  # pyright: ignore[reportArgumentType]
    profiler = SQLErrorProfiler(home=path)
    profiler.critic = Critic(model, profiler.evaluator_type, JudgeCache(path / "judgements.db"))
    return profiler, model


def test_a_model_adds_what_the_rules_do_not_say(tmp_path: Path) -> None:
    said = [
        "Look at the schema before the first query.",
        "Unknown column errors: look up the columns of a table before naming them, and qualify them.",
    ]
    profiler, model = with_model([{"error_type": "Guessed names", "issues": said}], tmp_path)
    found = profiler.evaluate(
        [step(1, "SELECT town FROM shop", "no such column: town")], query="Which?", **SAVED
    )
    assert found is not None
    assert found.splitlines()[1:] == said[:1]
    assert "Step 1: SELECT town FROM shop\n  failed: no such column: town" in model.prompts[0].text
    (record,) = profiler.load_results("gpt-4", "spatial_qa")
    assert record["error_type"] == "Unknown column errors"
    profiler.close()


def test_a_model_that_fails_leaves_what_was_counted(tmp_path: Path) -> None:
    profiler, _ = with_model([ModelTimedOut()], tmp_path)
    found = profiler.evaluate([step(1, "SELECT town FROM shop", "no such column: town")])
    assert found is not None
    assert found.startswith("Unknown column errors")
    empty, model = with_model([], tmp_path)
    assert empty.evaluate([Step(number=1, answer="42")]) is None
    assert model.prompts == []


def test_a_pattern_that_only_the_model_sees_has_its_name(tmp_path: Path) -> None:
    answer = {"error_type": "Guessed filters", "issues": ["Look at the values before filtering."]}
    profiler, _ = with_model([answer], tmp_path)
    assert profiler.evaluate([step(1, "SELECT name FROM shop")], **SAVED) == answer["issues"][0]
    (record,) = profiler.load_results("gpt-4", "spatial_qa")
    assert record["error_type"] == "Guessed filters"
    profiler.close()
