"""The built-in mind with a tool that asks people: only where it has no answer itself, and once."""

import pytest

from oldhand import create_tool_use_agent
from oldhand.agent.tools import sql_tools


@pytest.fixture
def asked(folder):
    """An agent over the shop with an expert; what the expert was asked, and what they do."""
    questions: list[tuple[str, str]] = []

    def ask_human_expert(question: str, context: str = "") -> str:
        """Ask a human expert."""
        questions.append((question, context))
        if "weather" in question:
            raise ValueError("Timeout: nobody is there.")
        return "Ask Cy."

    tools = [*sql_tools(f"sqlite:///{folder}/shop.db"), ask_human_expert]
    with create_tool_use_agent(tools=tools, home=folder / "home") as agent:
        yield agent, questions


def test_what_the_database_knows_is_asked_of_nobody(asked):
    agent, questions = asked
    assert agent.run("How many customers live in Berlin?").outcome == "answered"
    assert questions == []


def test_what_it_does_not_know_is_asked_once_with_what_it_made_of_it(asked):
    agent, questions = asked
    state = agent.run("Who is the boss of the moon?")
    assert (state.outcome, state.answer) == ("answered", "Ask Cy.")
    assert [question for question, context in questions if context] == ["Who is the boss of the moon?"]  # fmt: skip


def test_without_an_answer_it_says_so(asked):
    agent, questions = asked
    state = agent.run("What is the weather on Mars?")
    assert state.outcome == "abstained"
    assert "Timeout: nobody is there." in state.answer
    assert len(questions) == 1
