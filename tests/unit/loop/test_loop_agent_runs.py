"""Runs of tool-use agents become episodes like any other question."""

from pathlib import Path

import pytest

from oldhand import Oldhand, SQLErrorProfiler, SQLValidator, create_tool_use_agent
from oldhand.agent.acting import Subject
from oldhand.agent.tools import sql_tools
from oldhand.errors import ModelUnreachable
from oldhand.evaluators import VerbalEvaluator
from oldhand.evaluators.sql_error_profiler import KINDS, OTHER
from oldhand.evaluators.sql_evaluator import calls_of_run
from oldhand.face.tool_use import ToolUseAgent
from oldhand.loop.agent_runs import AgentRuns, answer_of
from oldhand.models.language_model import ToolCall
from oldhand.record.answer import Outcome
from oldhand.record.memory import ExamplePayload
from oldhand.record.step import Action, AgentState, Checkpoint, Observation, ResultRows, Step
from oldhand.testing import ScriptedModel

QUESTION = "Which cities are there?"
GOOD = "SELECT city FROM customers ORDER BY city"
BAD = "SELECT town FROM customers"


def query(sql: str) -> list[ToolCall]:
    return [ToolCall(id="given", name="sql_db_query", arguments={"query": sql})]


def agent_of(folder: Path, *said: object, evaluators: tuple[VerbalEvaluator, ...] = ()):
    tools = sql_tools(f"sqlite:///{folder / 'shop.db'}")
    model = ScriptedModel(said)  # pyright: ignore
    return create_tool_use_agent(tools, model, evaluators=evaluators, home=folder / "home")


def runs_of(agent: ToolUseAgent) -> AgentRuns:
    assert isinstance(agent.dependencies.keeper, AgentRuns)
    return agent.dependencies.keeper


def test_a_run_is_an_episode_with_its_statements_and_rows(folder: Path):
    with agent_of(folder, query(BAD), query(GOOD), "Berlin and Oslo.") as agent:
        state = agent.run(QUESTION)
        episode = runs_of(agent).store.episode("default", state.episode_id or "")
    assert [message.content for message in episode.messages] == [QUESTION, "Berlin and Oslo."]
    assert episode.tools_used == ("sql_db_query",)
    assert [(step.sql, step.database, step.succeeded) for step in episode.answer.steps] == [
        (BAD, "shop", False),
        (GOOD, "shop", True),
    ]
    assert (episode.answer.columns, episode.answer.rows) == (("city",), (("Berlin",), ("Oslo",)))
    assert [entry.stage for entry in episode.ledger] == ["act"] * 3


def test_a_correction_is_tried_on_the_database_of_the_agent(folder: Path):
    with agent_of(folder, query(GOOD), "Berlin and Oslo.") as agent:
        episode = agent.run(QUESTION).episode_id or ""
    with Oldhand(folder / "home") as old:
        assert old.databases.list() == ()
        unclear = old.feedback(episode, correction=BAD)
        assert "shop cannot run it: " in unclear.note
        right = "SELECT DISTINCT city FROM customers"
        learned = [one.payload for one in old.feedback(episode, correction=right).learned]
        assert [(one.database, one.sql) for one in learned if isinstance(one, ExamplePayload)] == [
            ("shop", right)
        ]
        (folder / "shop.db").rename(folder / "away.db")
        later = old.feedback(episode, correction="SELECT city FROM customers LIMIT 1")
        assert "checked with the next feedback" in later.note
        assert [
            one.payload
            for one in old.memories.list(text="DISTINCT")
            if isinstance(one.payload, ExamplePayload)
        ]


def test_a_run_that_is_taken_up_again_becomes_a_further_episode_of_its_session(folder: Path):
    with agent_of(folder, query(GOOD), ModelUnreachable("Away."), "Berlin and Oslo.") as agent:
        first = agent.run(QUESTION)
        second = agent.resume(first.run_id)
        store = runs_of(agent).store
        episodes = [store.episode("default", state.episode_id or "") for state in (first, second)]
    assert [episode.id for episode in episodes] == [first.run_id, f"{first.run_id}.2"]
    outcomes = [episode.answer.outcome for episode in episodes]
    assert outcomes == [Outcome.FAILED, Outcome.ANSWERED]
    assert {episode.session_id for episode in episodes} == {first.run_id}


def test_a_run_whose_process_died_right_after_it_was_recorded_is_recorded_once(folder: Path):
    with agent_of(folder, "None.") as agent:
        state = agent.run(QUESTION)
        assert agent.dependencies.checkpoints is not None
        agent.dependencies.checkpoints.begin(
            Checkpoint(state=state.model_copy(update={"episode_id": None}))
        )
        assert agent.resume(state.run_id) == state
        assert agent.dependencies.checkpoints.unfinished() == ()
        assert len(runs_of(agent).store.episodes("default")) == 1


def test_notes_belong_to_what_was_recalled_for_the_run(folder: Path):
    with agent_of(folder, query(BAD), query(GOOD), "Both.", evaluators=(SQLValidator(),)) as agent:
        state = agent.run(QUESTION)
        store = runs_of(agent).store
        recalled = store.recollection("default", state.episode_id or "")
        (found,) = store.evaluations("default", state.episode_id or "")
    assert recalled is not None
    assert [(item.kind, item.shown) for item in recalled.items] == [("evaluation", True)]
    assert (found.step_number, found.sql_query, found.is_valid) == (1, BAD, False)


def test_every_evaluator_of_sql_knows_the_databases_that_the_tools_ask(folder: Path):
    profiler = SQLErrorProfiler()
    unclear = step(1, "sql_db_query", BAD, text="Not today.", is_error=True)
    assert profiler.patterns(calls_of_run([unclear], ["sql_db_query"]))[0].kind == OTHER
    with agent_of(folder, evaluators=(profiler,)):
        (pattern,) = profiler.patterns(calls_of_run([unclear], ["sql_db_query"]))
    assert (pattern.kind, pattern.names) == (KINDS["unknown_column"], ["town"])


class Saying(VerbalEvaluator):
    """Says what is wrong, and saves nothing."""

    def evaluate(self, step: object, **kwargs: object) -> object:
        return {"issues": ["Too short"], "is_valid": False}


class Keeping(VerbalEvaluator):
    """Saves what is wrong, and says something else."""

    def evaluate(self, step: object, **kwargs: object) -> object:
        self._save_eval({"issues": ["Too long"]}, None, "scripted", "default")
        return "Something is too long"


def test_issues_are_those_that_were_saved_else_those_that_were_said(folder: Path):
    evaluators = (Saying(), Keeping())
    with agent_of(folder, "None.", evaluators=evaluators) as agent:
        subject = Subject(AgentState(run_id="r1", query=QUESTION), "scripted", "default")
        judged = runs_of(agent).judge(evaluators, Step(number=1, answer="None."), subject)
    assert judged == ["Too long", "Too short"]


def step(number: int, tool: str, sql: str, **seen: object) -> Step:
    action = Action(id=f"call_{number}_1", tool=tool, arguments={"query": sql})
    came = Observation.model_validate({"action_id": action.id, "text": "", **seen})
    return Step(number=number, thought="why", actions=(action,), observations=(came,))


def ended(*steps: Step, **changes: object) -> AgentState:
    known = {"run_id": "r1", "query": QUESTION, "steps": steps, "outcome": "answered"}
    return AgentState.model_validate({**known, "answer": "Both.", **changes})


@pytest.mark.parametrize(
    ("databases", "named"), [(["shop"], "shop"), (["shop", "stock"], ""), ([], "")]
)
def test_a_query_that_names_no_database_is_on_the_only_one(databases: list[str], named: str):
    answer = answer_of(ended(step(1, "sql_db_query", GOOD)), "e1", "gpt-4", databases)
    assert [(one.database, one.sql, one.purpose) for one in answer.steps] == [(named, GOOD, "why")]


def test_calls_that_ran_no_statement_are_no_queries():
    steps = (
        step(1, "search", GOOD),
        step(2, "sql_db_query", GOOD, not_called=True, is_error=True),
        Step(number=3, actions=(Action(id="call_3_1", tool="sql_db_query"),)),
    )
    assert answer_of(ended(*steps), "e1", "gpt-4", ["shop"]).steps == ()


def test_a_run_without_an_answer_shows_no_rows_and_says_why():
    rows = ResultRows(columns=("n",), rows=((1,),), row_count=5)
    done = step(1, "sql_db_query", GOOD, result=rows)
    answered = answer_of(ended(done), "e1", "gpt-4", ["shop"])
    assert (answered.rows, answered.truncated, answered.confidence) == (((1,),), True, None)
    stopped = ended(done, outcome="limit", answer="Perhaps both.", error="20 steps are too many.")
    answer = answer_of(stopped, "e1", "gpt-4", ["shop"])
    assert (answer.outcome, answer.rows, answer.confidence) == (Outcome.FAILED, (), 0.0)
    assert (answer.text, answer.notes) == ("Perhaps both.", ("20 steps are too many.",))
