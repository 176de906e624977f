"""The agent of the published quick start: what its evaluators find stands in its next prompt, also tomorrow.

The code blocks stand as they were published, imports and paths changed; the model is a server on this machine.
"""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand import create_tool_use_agent, get_clean_model_name, get_lm
from oldhand.evaluators import SQLErrorProfiler, SQLValidator, VerbalEvaluator
from oldhand.record.step import Action, Step
from oldhand.testing import FakeServer
from oldhand.testing.fake_replies import CalledTool, Reply, Request

POINT = "ST_SetSRID(ST_MakePoint(144.38078, -38.08395), {})"
STEP_2 = f"SELECT * FROM enviro_audit_point \nWHERE ST_DWithin(geometry, {POINT.format(4326)}, 100)"
STEP_4 = f"SELECT * FROM enviro_audit_point \nWHERE ST_DWithin(geom, {POINT.format(4283)}, 0.001)"
STEP_5 = STEP_4.replace("enviro_audit_point", "enviro_audit_polygon")
GEOGRAPHY = (
    "SELECT * FROM enviro_audit_polygon "
    f"WHERE ST_DWithin(geom::geography, ST_Transform({POINT.format(4283)}, 4326)::geography, 100)"
)
METRES = (
    "SELECT * FROM enviro_audit_polygon "
    f"WHERE ST_DWithin(ST_Transform(geom, 7855), ST_Transform({POINT.format(4283)}, 7855), 100)"
)
QUESTION = "Find priority sites near Melbourne"
HEADER = "Previous SQL Errors to Avoid:"


def AWS_Geocode(address: str) -> str:  # noqa: N802 - its published name
    """Convert an address to coordinates.

    Args:
        address: Street and town.
    """
    return f"{address}: 144.38078, -38.08395"


def sql_db_schema(tables: str) -> str:
    """Show the structure of tables.

    Args:
        tables: Their names.
    """
    return f"{tables}: id integer, geom geometry(Point, 4283)"


def sql_db_query(query: str) -> str:
    """Run a query.

    Args:
        query: One SELECT.
    """
    return f"0 rows of {len(query)} characters of SQL"


tools = [AWS_Geocode, sql_db_schema, sql_db_query]


def call(tool: str, **arguments: str) -> Reply:
    return Reply(tool_calls=(CalledTool(name=tool, arguments=dict(arguments)),))


FIVE_STEPS = (
    call("AWS_Geocode", address="1 Main Street"),
    call("sql_db_query", query=STEP_2),
    call("sql_db_schema", tables="enviro_audit_point"),
    call("sql_db_query", query=STEP_4),
    call("sql_db_query", query=STEP_5),
    call("sql_db_query", query=GEOGRAPHY),
    Reply(text="There are none."),
)


class Talk:
    """What the model says to the agent, and to the evaluators that ask it for a judgement."""

    def __init__(self) -> None:
        self.script: list[Reply] = []
        self.prompts: list[str] = []
        self.judged = 0

    def __call__(self, request: Request) -> Reply:
        if request.schema_name is not None:
            self.judged += 1
            return Reply(data=_critique(request))
        self.prompts.append(request.prompt)
        return self.script.pop(0)


def _critique(request: Request) -> dict[str, object]:
    """A model that finds nothing beyond what the rules found."""
    names = set(re.findall(r'"(is_valid|error_type|score|issues)"', json.dumps(request.body)))
    if "error_type" in names:
        return {"error_type": "No pattern", "issues": []}
    return {"is_valid": True, "issues": [], "score": 1.0}


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, talk: Talk) -> Iterator[Path]:
    """A home, and a server that stands for the provider."""
    with FakeServer(talk) as server:
        monkeypatch.setenv("OLDHAND_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody-sees-this")
        yield tmp_path / "home"


def records(home: Path) -> list[dict[str, object]]:
    path = home / "verbal_evaluator" / "resultdicttojsonl_gpt-4_spatial_qa.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_quick_start_in_three_lines(talk: Talk, home: Path):
    talk.script = [call("sql_db_query", query=STEP_2), Reply(text="None.")]

    # 1. Create evaluator
    validator = SQLValidator(base_model=get_lm("gpt-4"), sql_tool_names=["sql_db_query"])

    # 2. Create agent with evaluators
    agent = create_tool_use_agent(
        tools=tools,
        model_name="gpt-4",
        task_type="spatial_qa",
        evaluators=[validator],  # That's it! Learning loop is automatic
    )

    # 3. Run - learning happens automatically
    state = agent.run(query="Find priority sites near Melbourne")

    assert (state.outcome, state.answer) == ("answered", "None.")
    assert talk.judged == 1
    (record,) = records(home)
    assert list(record) == [
        "evaluator_type", "query_idx", "timestamp", "issues", "is_valid", "score", "sql_query",
    ]  # fmt: skip
    assert (record["evaluator_type"], record["is_valid"], record["score"]) == (
        "sqlvalidator", False, 0.7,
    )  # fmt: skip
    assert record["sql_query"] == STEP_2
    assert HEADER not in talk.prompts[0]
    assert HEADER in talk.prompts[1]
    agent.close()


def test_the_five_steps(talk: Talk, home: Path):
    talk.script = list(FIVE_STEPS)
    validator = SQLValidator(sql_tool_names=["sql_db_query", "sql_db_schema"])
    profiler = SQLErrorProfiler()
    agent = create_tool_use_agent(
        tools=tools,
        model_name="gpt-4",
        task_type="spatial_qa",
        step_evaluators=[validator],
        trajectory_evaluators=[profiler],
    )
    state = agent.run(query=QUESTION, query_idx=11)

    verdicts = {step.number: step.issues for step in state.steps}
    assert [number for number, issues in verdicts.items() if issues] == [2, 4, 5]
    assert "geographic coordinates with planar distance" in verdicts[2][0]
    assert "degrees with meter-implied distance" in verdicts[2][1]
    assert "Distance value without units" in verdicts[4][0]
    assert "Degrees as units not meaningful" in verdicts[4][1]
    assert verdicts[5] == verdicts[4]  # another table, the same predicate

    assert [HEADER in prompt for prompt in talk.prompts] == [
        False,
        False,
        True,
        True,
        True,
        True,
        True,
    ]
    assert "Degrees as units" not in talk.prompts[3]
    assert all(issue.split(":")[0] in talk.prompts[4] for issue in (*verdicts[2], *verdicts[4]))

    found = records(home)
    assert [record["evaluator_type"] for record in found] == ["sqlvalidator"] * 3 + [
        "sqlerrorprofiler"
    ]
    assert list(found[-1]) == ["evaluator_type", "query_idx", "timestamp", "error_type", "issues"]
    assert {record["query_idx"] for record in found} == {11}
    agent.close()


@pytest.mark.parametrize("sql", [GEOGRAPHY, METRES])
def test_a_corrected_step_is_clean(sql: str):
    assert SQLValidator().judge(sql).is_valid


def test_tomorrow_another_process_is_told(talk: Talk):
    talk.script = [call("sql_db_query", query=STEP_2), Reply(text="None."), Reply(text="Some.")]
    for _ in range(2):
        agent = create_tool_use_agent(
            tools=tools, model_name="gpt-4", task_type="spatial_qa", evaluators=[SQLValidator()]
        )
        agent.run(query=QUESTION)
        agent.close()
    assert HEADER in talk.prompts[2]


def test_both_kinds_of_evaluators_with_a_model(talk: Talk):
    talk.script = [call("sql_db_query", query=STEP_2), Reply(text="None.")]
    query = QUESTION

    # Step-level: validates each SQL query as it's generated
    validator = SQLValidator(
        base_model=get_lm("gpt-4"), sql_tool_names=["sql_db_query", "sql_db_schema"]
    )

    # Trajectory-level: analyzes complete trajectory for error patterns
    profiler = SQLErrorProfiler(base_model=get_lm("gpt-4"))

    # Both work together in the learning loop
    agent = create_tool_use_agent(
        tools=tools,
        model_name="gpt-4",
        task_type="spatial_qa",
        step_evaluators=[validator],  # Per-step validation
        trajectory_evaluators=[profiler],  # Post-trajectory analysis
    )
    state = agent.run(query)

    assert state.outcome == "answered"
    assert agent.evaluators == [validator, profiler]
    assert (validator.failures, profiler.failures) == (0, 0)
    agent.close()


def test_tools_and_evaluators_alone_are_enough():
    agent = create_tool_use_agent(tools=tools, evaluators=[SQLValidator(), SQLErrorProfiler()])
    assert (agent.policy_model_name, agent.task_type) == ("builtin", "default")
    assert (len(agent.step_evaluators), len(agent.trajectory_evaluators)) == (1, 1)
    agent.close()


def test_an_unknown_keyword_is_refused():
    with pytest.raises(TypeError, match="evaluator"):
        create_tool_use_agent(tools=tools, evaluator=[SQLValidator()])  # pyright: ignore


class MyCustomEvaluator(VerbalEvaluator):
    def evaluate(self, step, **kwargs):
        # Your validation logic
        if self._has_issue(step):
            issue = self._extract_issue(step)
            # Save automatically
            if kwargs.get("policy_model_name"):
                self._save_eval(
                    {"issues": [issue]},
                    kwargs.get("query_idx"),
                    kwargs["policy_model_name"],
                    kwargs["task_type"],
                )
            return issue
        return None

    def load_eval_as_prompt(self, policy_model_name, task_type, **kwargs):
        # Inherited from base class - works automatically
        return super().load_eval_as_prompt(policy_model_name, task_type, **kwargs)

    def _has_issue(self, step: Step) -> bool:
        return step.action is not None and "*" in str(step.action.arguments)

    def _extract_issue(self, step: Step) -> str:
        return f"Step {step.number} asks for all columns"


def test_a_custom_evaluator(talk: Talk, home: Path):
    talk.script = [call("sql_db_query", query="SELECT * FROM t"), Reply(text="None.")]
    evaluator = MyCustomEvaluator(base_model=get_lm("gpt-4"))
    agent = create_tool_use_agent(
        tools=tools, model_name="gpt-4", task_type="spatial_qa", evaluators=[evaluator]
    )
    state = agent.run(query=QUESTION)
    assert state.steps[0].issues == ("Step 1 asks for all columns",)
    assert (
        "Previous Issues from MyCustomEvaluator:\n1. Step 1 asks for all columns" in talk.prompts[1]
    )
    (record,) = records(home)
    assert record["issues"] == ["Step 1 asks for all columns"]
    agent.close()


def test_the_number_of_notes_is_the_users(talk: Talk):
    talk.script = [*FIVE_STEPS]
    agent = create_tool_use_agent(
        tools=tools, model_name="gpt-4", task_type="spatial_qa", evaluators=[SQLValidator()]
    )
    # To change, modify the agent after creation:
    agent.policy.set_dynamic_notes_fn(
        lambda: [
            note
            for evaluator in agent.evaluators
            for note in evaluator.load_eval_as_prompt(
                agent.policy_model_name,
                agent.task_type,
                max_items=10,  # Load more issues
            ).split("\n")
            if note.strip()
        ][:10]  # Limit total notes
    )
    agent.run(query=QUESTION)
    assert f"- {HEADER}\n- 1. " in talk.prompts[-1]
    agent.close()


def test_validation_without_notes(talk: Talk, home: Path):
    talk.script = [*FIVE_STEPS]
    # Create agent without evaluators
    agent = create_tool_use_agent(tools=tools, model_name="gpt-4", task_type="spatial_qa")

    # Manually set up validation only (no dynamic notes)
    validator = SQLValidator(base_model=get_lm("gpt-4"))

    def validate_only(steps, context):
        for step in steps:
            validator.evaluate(step, **context)

    agent.policy.set_post_generation_fn(validate_only)

    agent.run(query=QUESTION)
    assert not any(HEADER in prompt for prompt in talk.prompts)
    assert len(records(home)) == 3
    validator.close()
    agent.close()


def test_custom_notes_and_validation(talk: Talk):
    talk.script = [Reply(text="None.")]
    agent = create_tool_use_agent(tools=tools, model_name="gpt-4")
    seen: list[object] = []

    def custom_notes():
        # Your custom logic
        return ["Custom note 1", "Custom note 2"]

    agent.policy.set_dynamic_notes_fn(custom_notes)

    def custom_validation(steps, context):
        # Your custom logic
        seen.append((len(steps), context["query"], context["query_idx"], context["task_type"]))

    agent.policy.set_post_generation_fn(custom_validation)
    agent.run(query=QUESTION, query_idx=3)
    assert "- Custom note 1\n- Custom note 2" in talk.prompts[0]
    assert seen == [(1, QUESTION, 3, "default")]
    agent.close()


def test_the_file_is_where_the_monitoring_section_looks(home: Path):
    validator = SQLValidator()
    step = Step(
        number=1, actions=(Action(id="1", tool="sql_db_query", arguments={"query": STEP_2}),)
    )
    # Test validator
    result = validator.evaluate(
        step, query_idx=0, policy_model_name="gpt-4", task_type="spatial_qa"
    )
    assert result is not None

    model_clean = get_clean_model_name("gpt-4")
    task_type = "spatial_qa"
    file_path = home / "verbal_evaluator" / f"resultdicttojsonl_{model_clean}_{task_type}.jsonl"
    assert file_path.exists()

    # What the LLM sees in the prompt
    feedback = validator.load_eval_as_prompt("gpt-4", "spatial_qa", max_items=5)
    assert feedback.startswith(f"{HEADER}\n1. ")
    validator.close()


def test_results_as_a_data_frame():
    pandas = pytest.importorskip("pandas", reason="pandas is missing: make test installs it")
    validator = SQLValidator()
    for sql in (STEP_2, STEP_4):
        validator.evaluate(sql, query_idx=0, policy_model_name="gpt-4", task_type="spatial_qa")

    # Load results
    results = validator.load_results("gpt-4", "spatial_qa")
    df = pandas.DataFrame(results)

    # View by evaluator type
    assert df.groupby("evaluator_type").size().to_dict() == {"sqlvalidator": 2}

    # View recent issues
    assert df[["evaluator_type", "issues", "timestamp"]].tail(10).shape == (2, 3)
    validator.close()


def test_a_single_evaluator_without_a_model_of_the_agent(home: Path):
    validator = SQLValidator(
        base_model=get_lm("gpt-4"), sql_tool_names=["sql_db_query", "sql_db_schema"]
    )

    agent = create_tool_use_agent(tools=tools, evaluators=[validator])

    assert agent.run(query=QUESTION).outcome == "abstained"
    agent.close()


class NamesTheStep(VerbalEvaluator):
    def evaluate(self, step, query_idx, policy_model_name, task_type):
        # Subclass implements validation logic
        result = {"issues": [f"Step {step.number} of question {query_idx}"]}

        # Save if issue found
        if result and policy_model_name and task_type:
            self._save_eval(result, query_idx, policy_model_name, task_type)

        return result.get("issue")


class CallsItInput(VerbalEvaluator):
    def evaluate(self, input, **kwargs):  # noqa: A002 - as published
        # Required: Validation logic
        pass

    # Optional: load_eval_as_prompt() inherited from base


def test_evaluators_of_every_published_signature(talk: Talk, home: Path):
    talk.script = [Reply(text="None.")]
    evaluators = [NamesTheStep(), CallsItInput()]
    agent = create_tool_use_agent(
        tools=tools, model_name="gpt-4", task_type="spatial_qa", evaluators=evaluators
    )
    agent.run(query=QUESTION, query_idx=11)
    assert [evaluator.failures for evaluator in evaluators] == [0, 0]
    (record,) = records(home)
    assert record["issues"] == ["Step 1 of question 11"]
    assert list(record) == ["evaluator_type", "query_idx", "timestamp", "issues"]
    agent.close()


class Broken(VerbalEvaluator):
    def evaluate(self, step, **kwargs):
        raise ZeroDivisionError("of all things")


def test_an_evaluator_that_crashes_is_counted_and_teaches_nothing(
    talk: Talk, home: Path, caplog: pytest.LogCaptureFixture
):
    talk.script = [call("sql_db_query", query=STEP_2), Reply(text="None.")]
    broken = Broken()
    agent = create_tool_use_agent(
        tools=tools, model_name="gpt-4", task_type="spatial_qa", evaluators=[broken, SQLValidator()]
    )
    with caplog.at_level(logging.ERROR):
        state = agent.run(query=QUESTION)
    assert state.outcome == "answered"
    assert broken.failures == 2
    assert "of all things" in caplog.text
    assert {record["evaluator_type"] for record in records(home)} == {"sqlvalidator"}
    assert "of all things" not in talk.prompts[1]
    agent.close()


def test_a_run_is_an_episode_that_takes_feedback(talk: Talk):
    talk.script = [call("sql_db_query", query=STEP_2), Reply(text="None.")]
    with create_tool_use_agent(
        tools=tools, model_name="gpt-4", task_type="spatial_qa", evaluators=[SQLValidator()]
    ) as agent:
        state = agent.run(query=QUESTION)
        assert state.episode_id is not None
        receipt = agent.feedback(state.episode_id, rating=-1, text="There are some.")
    assert receipt.episode_id == state.episode_id
