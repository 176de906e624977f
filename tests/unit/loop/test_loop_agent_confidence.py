"""How sure the answers of tool-use agents are: as sure as somebody has said, and no surer."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from tests.command_line import CommandLine

from oldhand import SQLValidator, create_tool_use_agent
from oldhand.agent.tools import sql_tools
from oldhand.bootstrap import open_home
from oldhand.cli.whole import app
from oldhand.evaluators import VerbalEvaluator
from oldhand.learning.training.pairs import Filters, TrainingPairs
from oldhand.models.language_model import ToolCall
from oldhand.record.answer import Answer
from oldhand.testing import ScriptedModel

QUESTION = "How many customers live in Berlin?"
GOOD = "SELECT COUNT(*) FROM customers WHERE city = 'Berlin'"
ODD = "SELECT COUNT(*) FROM customers WHERE city = NULL"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers VALUES (1, 'Berlin'), (2, 'Oslo')")
    return tmp_path


class Doubting(VerbalEvaluator):
    """Scores every step, or whole runs, as it was told to."""

    def __init__(self, *scores: float | None, granularity: str = "step") -> None:
        super().__init__()
        self.granularity = granularity  # pyright: ignore
        self._scores = iter(scores)

    def evaluate(self, step: object, **kwargs: object) -> object:
        self._save_eval({"issues": ["?"], "score": next(self._scores, None)}, None, "m", "t")
        return None


def answered(folder: Path, *said: str, evaluators: tuple[VerbalEvaluator, ...] = ()) -> Answer:
    """The answer of a run in which a model makes these queries."""
    calls = [[ToolCall(id="a", name="sql_db_query", arguments={"query": sql})] for sql in said]
    model = ScriptedModel([*calls, "One."]) if said else "builtin"
    tools = sql_tools(f"sqlite:///{folder / 'shop.db'}")
    with create_tool_use_agent(tools, model, evaluators=evaluators, home=folder / "home") as agent:
        state = agent.run(QUESTION)
    with open_home(folder / "home").store as store:
        return store.episode("default", state.episode_id or "").answer


def test_nobody_knows_how_sure_a_model_is_that_calls_tools(folder: Path) -> None:
    assert answered(folder, GOOD).confidence is None


def test_that_a_validator_finds_nothing_makes_it_no_surer(folder: Path) -> None:
    assert answered(folder, GOOD, evaluators=(SQLValidator(),)).confidence is None


def test_what_a_validator_finds_in_the_statement_of_the_answer_lowers_it(folder: Path) -> None:
    confidence = answered(folder, ODD, evaluators=(SQLValidator(),)).confidence
    assert confidence is not None
    assert confidence < 0.9


def test_a_statement_that_failed_and_was_mended_is_not_what_the_answer_rests_on(folder: Path) -> None:  # fmt: skip
    broken = "SELECT town FROM customers"
    assert answered(folder, broken, GOOD, evaluators=(Doubting(0.1, 0.8, None),)).confidence == 0.8


def test_whoever_judges_the_whole_run_is_heard(folder: Path) -> None:
    evaluators = (Doubting(0.9, 0.7), Doubting(0.4, granularity="trajectory"))
    assert answered(folder, GOOD, evaluators=evaluators).confidence == 0.4


def test_the_builtin_mind_is_as_sure_as_when_it_is_asked_without_an_agent(folder: Path) -> None:
    by_agent = answered(folder).confidence
    opened = open_home(folder / "home")
    opened.catalog.add(f"sqlite:///{folder / 'shop.db'}", name="shop")
    asked = CommandLine().invoke(app, ["ask", QUESTION, "--home", str(folder / "home")])
    assert by_agent is not None
    assert f"confidence {by_agent:.0%}" in asked.output


def test_the_builtin_mind_with_a_doubted_statement_is_less_sure(folder: Path) -> None:
    assert answered(folder, evaluators=(Doubting(0.3),)).confidence == 0.3


def test_what_is_not_known_is_not_shown_and_no_training_data_of_a_kind_that_asks_for_it(folder: Path) -> None:  # fmt: skip
    assert answered(folder, GOOD).confidence is None
    opened = open_home(folder / "home")
    with opened.store as store:
        pairs = TrainingPairs(opened.people.clone(), store)
        assert len(list(pairs.lines(Filters(feedback="any")))) == 1
        left_out = Counter()
        assert not list(pairs.lines(Filters(feedback="any", min_confidence=0.5), left_out))
    assert left_out == {"confidence below 0.5, or not known": 1}
