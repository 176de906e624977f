"""What the built-in mind makes of notes: another statement, another tool; words alone mean nothing to it."""

import sqlite3
from pathlib import Path

from oldhand import Oldhand, create_tool_use_agent
from oldhand.agent.tools import sql_tools
from oldhand.evaluators import VerbalEvaluator
from oldhand.record.step import AgentState, Step


def database(folder: Path) -> str:
    with sqlite3.connect(folder / "support.db") as made:
        made.executescript("""
            CREATE TABLE tickets (id INTEGER PRIMARY KEY, priority TEXT, cost TEXT);
            INSERT INTO tickets (priority, cost) VALUES ('urgent', '10.5'), ('low', '7'), ('urgent', '2');
        """)
    return f"sqlite:///{folder / 'support.db'}"


def statements(state: AgentState) -> list[str]:
    return [str(one.arguments.get("query")) for step in state.steps for one in step.actions]


class SaysOfEach(VerbalEvaluator):
    """Objects to every step that calls a tool."""

    said = ""

    def evaluate(self, step: object, **kwargs: object) -> None:
        """Save what it has to say."""
        assert isinstance(step, Step)
        if step.actions:
            model, task = str(kwargs["policy_model_name"]), str(kwargs["task_type"])
            self._save_eval(
                {"issues": [self.said], "is_valid": False, "score": 0.2}, 1, model, task
            )


class WantsCasts(VerbalEvaluator):
    """Objects to sums over texts."""

    def evaluate(self, step: object, **kwargs: object) -> None:
        """Save the statement with what is wrong with it."""
        assert isinstance(step, Step)
        for action in step.actions:
            sql = str(action.arguments["query"])
            if "CAST" not in sql:
                issue = "cost is text, no number: cast it, or count it instead."
                result = {"issues": [issue], "is_valid": False, "score": 0.2, "sql_query": sql}
                model, task = str(kwargs["policy_model_name"]), str(kwargs["task_type"])
                self._save_eval(result, 1, model, task)


def test_a_statement_that_was_objected_to_is_not_made_again(tmp_path: Path):
    agent = create_tool_use_agent(
        sql_tools(database(tmp_path)), evaluators=[WantsCasts()], home=tmp_path / "home"
    )
    with agent:
        first = agent.run("What is the total cost of the tickets?")
        second = agent.run("What is the total cost of the tickets?")
    assert ["CAST" in one for one in statements(first)] == [False]
    assert ["CAST" in one for one in statements(second)] == [True]
    assert second.outcome == "answered"


def test_what_people_confirmed_is_made_again_whatever_a_note_says(tmp_path: Path):
    agent = create_tool_use_agent(
        sql_tools(database(tmp_path)), evaluators=[WantsCasts()], home=tmp_path / "home"
    )
    with agent, Oldhand(tmp_path / "home") as old:
        first = agent.run("What is the total cost of the tickets?")
        old.feedback(first.episode_id or "", rating=1)
        second = agent.run("What is the total cost of the tickets?")
    assert ["CAST" in one for one in statements(second)] == [False]


def test_a_tool_that_a_note_names_is_left_aside_where_another_will_do(tmp_path: Path):
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(database(tmp_path), name="support")
    evaluator = SaysOfEach()
    evaluator.said = "sql_db_query takes too long here"
    agent = create_tool_use_agent(evaluators=[evaluator], home=tmp_path / "home")
    with agent:
        first = agent.run("How many tickets are there?")
        second = agent.run("How many tickets are there?")
    assert first.steps[0].actions[0].tool == "sql_db_query"
    assert second.steps[0].actions[0].tool == "sql_analysis"
    assert "3" in (second.answer or "")


def test_other_words_change_nothing(tmp_path: Path):
    evaluator = SaysOfEach()
    evaluator.said = "Think twice"
    agent = create_tool_use_agent(
        sql_tools(database(tmp_path)), evaluators=[evaluator], home=tmp_path / "home"
    )
    with agent:
        runs = [agent.run("How many tickets are there?") for _ in range(2)]
    assert statements(runs[0]) == statements(runs[1])
