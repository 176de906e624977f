"""Turns are judged: what is found wrong with their statements is kept, and told to a mind that reads."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.errors.mishaps import Mishaps
from oldhand.evaluators import JudgedRun, Results, VerbalEvaluator
from oldhand.evaluators.sql_evaluator import SqlEvaluator
from oldhand.loop.judging import TurnJudges, TurnWatch, statements
from oldhand.record.answer import WORKSPACE, FailedAttempt, Outcome, QueryStep
from oldhand.record.step import AgentState, Step
from oldhand.settings import EvaluationSettings
from oldhand.store import Store
from oldhand.testing import FixedClock, ScriptedModel
from oldhand.testing.prompts import Prompt

QUESTION = "How many customers live nowhere?"
NEVER_TRUE = "A comparison with NULL is never true: write IS NULL."


class Mind(ScriptedModel):
    """A model that compares with NULL, whatever it is told."""

    def __init__(self) -> None:
        super().__init__(self._said)

    def _said(self, prompt: Prompt) -> dict[str, object]:
        said: dict[str, dict[str, object]] = {
            "validate": {"verdict": "answerable", "databases": ["shop"]},
            "plan": {"steps": [{"number": 1, "purpose": "count", "database": "shop"}]},
            "generate_sql": {"sql": "SELECT COUNT(*) AS n FROM customers WHERE city = NULL"},
            "summarise": {"text": "None."},
        }
        return said[prompt.stage]

    def prompts_of(self, stage: str) -> list[str]:
        return [prompt.text for prompt in self.prompts if prompt.stage == stage]


@asynccontextmanager
async def opened(folder: Path, model: ScriptedModel | None = None) -> AsyncIterator[Home]:
    home = open_home(folder / "home", model=model, clock=FixedClock())
    try:
        yield home
    finally:
        await home.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers VALUES (1, 'Berlin'), (2, NULL)")
    return tmp_path


async def test_what_was_found_wrong_is_kept_with_the_answer_and_told_in_the_next_turn(folder: Path):
    model = Mind()
    async with opened(folder, model) as home:
        home.catalog.add(f"sqlite:///{folder / 'shop.db'}", name="shop")
        first, second = [await home.turn.ask(QUESTION) for _ in range(2)]
        (found,) = home.store.evaluations("default", first.episode_id)
        recalled = home.store.recollection("default", second.episode_id)
    assert (found.issues, found.is_valid, found.task_type) == ((NEVER_TRUE,), False, "questions")
    assert found.question == QUESTION
    before, after = model.prompts_of("generate_sql")
    assert NEVER_TRUE not in before
    assert NEVER_TRUE in after
    assert recalled is not None
    (note,) = [item for item in recalled.items if item.kind == "evaluation"]
    assert note.shown


async def test_the_builtin_mind_is_judged_but_told_nothing(folder: Path):
    judge = Noting()
    async with opened(folder) as home:
        home.catalog.add(f"sqlite:///{folder / 'shop.db'}", name="shop")
        judge.bind(Results(home.store, EvaluationSettings(), "default", FixedClock()))
        watched = replace(home.turn, judging=replace(home.turn.judging, evaluators=(judge,)))
        answers = [await watched.ask("How many customers are there?") for _ in range(2)]
        recalled = [home.store.recollection("default", one.episode_id) for one in answers]
        found = [home.store.evaluations("default", one.episode_id) for one in answers]
    assert [len(one) for one in found] == [1, 1]
    kinds = [item.kind for one in recalled if one is not None for item in one.items]
    assert "evaluation" not in kinds


async def test_every_evaluator_of_a_home_knows_its_databases(folder: Path):
    async with opened(folder) as home:
        home.catalog.add(f"sqlite:///{folder / 'shop.db'}", name="shop")
        known = [
            [schema.name for schema in judge.schemas_for("shop")]
            for judge in home.turn.judging.evaluators
            if isinstance(judge, SqlEvaluator)
        ]
    assert known == [["shop"], ["shop"]]


@pytest.mark.parametrize("model", [None, Mind()])
async def test_a_judge_that_crashes_breaks_no_turn(folder: Path, model: ScriptedModel | None):
    crashing = Crashing()
    async with opened(folder, model) as home:
        home.catalog.add(f"sqlite:///{folder / 'shop.db'}", name="shop")
        judging = replace(home.turn.judging, evaluators=(crashing,))
        answer = await replace(home.turn, judging=judging).ask("How many customers are there?")
        assert home.store.episode("default", answer.episode_id).answer == answer
    assert answer.outcome is Outcome.ANSWERED
    # With a model it is asked for notes, too, and judges the statements of both minds where they differ.
    assert crashing.failures == (1 if model is None else 3)


class Noting(VerbalEvaluator):
    """Finds something wrong with every statement."""

    def __init__(self, results: Results | None = None) -> None:
        super().__init__(results=results)
        self.seen: list[str] = []

    def evaluate(self, step: object, **kwargs: object) -> object:
        assert isinstance(step, Step)
        assert step.action is not None
        self.seen.append(str(step.action.arguments["query"]))
        self._save_eval({"issues": ["Too long"]}, None, "a-model", "questions")
        return None


class Whole(VerbalEvaluator):
    """Keeps the runs that it sees."""

    granularity = "trajectory"

    def __init__(self) -> None:
        self.seen: list[AgentState] = []

    def evaluate(self, step: object, **kwargs: object) -> object:
        assert isinstance(step, AgentState)
        self.seen.append(step)
        return None


class Crashing(VerbalEvaluator):
    """Never works."""

    def evaluate(self, step: object, **kwargs: object) -> object:
        raise ZeroDivisionError

    def load_eval_as_prompt(self, *args: object, **kwargs: object) -> str:
        raise ZeroDivisionError


@pytest.fixture
def results(tmp_path: Path) -> Iterator[Results]:
    with Store.open(f"sqlite:///{tmp_path}/store.db", clock=FixedClock()) as store:
        yield Results(store, EvaluationSettings(), "default", FixedClock())


def query(sql: str, database: str = "shop", **changes: object) -> QueryStep:
    known = {"number": 1, "purpose": "count", "database": database, "sql": sql, **changes}
    return QueryStep.model_validate(known)


def watch(judging: TurnJudges, steps: list[QueryStep]) -> TurnWatch:
    return judging.watch(
        JudgedRun("a-model", "questions", QUESTION, episode_id="e1"), lambda: steps
    )


def test_each_statement_is_judged_once_and_the_turn_as_a_whole(results: Results):
    one, whole = Noting(results), Whole()
    done = [query("SELECT 1")]
    watching = watch(TurnJudges((one, whole), EvaluationSettings(), Mishaps()), done)
    watching.finish()
    done.append(query("SELECT 2"))
    watching.finish()
    assert one.seen == ["SELECT 1", "SELECT 2"]
    assert [len(state.steps) for state in whole.seen] == [1, 2]
    assert whole.seen[-1].query == QUESTION


def test_a_turn_without_statements_is_not_judged():
    whole = Whole()
    workspace = query("SELECT * FROM step_1", WORKSPACE)
    for done in ([], [workspace]):
        watch(TurnJudges((whole,), EvaluationSettings(), Mishaps()), done).finish()
    assert whole.seen == []


def test_statements_that_failed_come_before_the_one_that_ran():
    failed = [FailedAttempt(sql=f"SELECT {name}", error=f"no {name}") for name in "ab"]
    steps = statements([query("SELECT c", failures=failed), query("SELECT d", row_count=3)])
    assert [(step.number, step.observation.text) for step in steps if step.observation] == [
        (1, "no a"),
        (2, "no b"),
        (3, "0 rows"),
        (4, "3 rows"),
    ]


def test_of_a_step_that_was_given_up_the_last_statement_stands_once():
    failed = [FailedAttempt(sql=f"SELECT {name}", error=f"no {name}") for name in "ab"]
    steps = statements([query("SELECT b", failures=failed, succeeded=False)])
    assert [step.observation.is_error for step in steps if step.observation] == [True, True]
    assert [step.action.arguments["query"] for step in steps if step.action] == [
        "SELECT a",
        "SELECT b",
    ]


@pytest.mark.parametrize("reads_notes", [True, False])
def test_notes_are_for_minds_that_read(results: Results, reads_notes: bool):
    judging = TurnJudges((Noting(results),), EvaluationSettings(), Mishaps(), reads_notes)
    watch(judging, [query("SELECT 1")]).finish()
    watching = watch(judging, [])
    assert ("Too long" in watching.notes()) == reads_notes
    assert len(watching.notes_shown) == reads_notes


def test_whatever_else_goes_wrong_while_judging_is_counted():
    mishaps = Mishaps()

    def broken() -> list[QueryStep]:
        raise RuntimeError("no steps today")

    run = JudgedRun("a-model", "questions", QUESTION, episode_id="e1")
    TurnJudges((Whole(),), EvaluationSettings(), mishaps).watch(run, broken).finish()
    assert mishaps.counts["judging"] == 1
