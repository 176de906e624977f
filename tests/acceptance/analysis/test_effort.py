"""What the effort changes, from the calls to the answer; with a model that reads its prompt."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from rich.console import Console

from oldhand import Oldhand
from oldhand.cli.answering import answer_of, explained
from oldhand.errors import ModelUnreachable, UsageError
from oldhand.models import LanguageModel
from oldhand.record.answer import Answer, Outcome
from oldhand.testing import PromptReader, ReaderHabit, ScriptedModel

BERN = "How many people live in Bern?"
ORDERED = "Which people have orders?"
QUESTIONS = {
    BERN: "SELECT COUNT(*) AS n FROM people WHERE town = 'Bern'",
    ORDERED: "SELECT town FROM people JOIN orders ON orders.who = people.id",
}
TABLES = """
CREATE TABLE people (id INTEGER PRIMARY KEY, nick TEXT, town TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, who INTEGER REFERENCES people (id), price REAL);
INSERT INTO people VALUES (1, 'Ann', 'Basel'), (2, 'Bob', 'Bern'), (3, 'Cid', 'Bern');
INSERT INTO orders VALUES (1, 1, 2), (2, 1, 3), (3, 2, 4);
"""
STAGES = ["validate", "plan", "generate_sql"]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    file = tmp_path / "shop.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(TABLES)
    return file


def ask(shop: Path, model: LanguageModel, question: str, effort: str, **settings: object) -> Answer:
    home = shop.parent / "home"
    home.mkdir(exist_ok=True)
    lines = [f"models: {{fallback: {str(settings.get('fallback', True)).lower()}}}"]
    (home / "settings.yaml").write_text("\n".join(lines), "utf-8")
    with Oldhand(home, model=model) as old:
        if "shop" not in {entry.name for entry in old.databases.list()}:
            old.databases.add(f"sqlite:///{shop}", name="shop")
        return old.ask(question, effort=effort)


def stages(reader: PromptReader) -> list[str]:
    return [prompt.stage for prompt in reader.prompts]


@pytest.mark.parametrize(
    ("effort", "calls"),
    [
        ("quick", ["direct", "summarise"]),
        ("auto", ["direct", "summarise"]),
        ("standard", [*STAGES, "summarise"]),
        ("thorough", ["direct", "direct", *sorted(STAGES), "summarise"]),
    ],
)
def test_calls_are_bounded_by_the_effort_and_booked_by_stage(
    shop: Path, effort: str, calls: list[str]
) -> None:
    reader = PromptReader(QUESTIONS)
    answer = ask(shop, reader, BERN, effort)
    assert sorted(stages(reader)) == sorted(calls)
    assert answer.rows == ((2,),)
    assert answer.confidence is not None
    assert answer.confidence >= 0.9  # both minds agree; the model's own word is .9 at most
    assert answer.model == "reader"
    assert answer.choice is not None
    assert "analyst" in answer.choice.groups[0].voices


def test_two_groups_are_decided_by_one_call(shop: Path) -> None:
    reader = PromptReader(QUESTIONS, fills={"choice": lambda _: "first"})
    answer = ask(shop, reader, ORDERED, "thorough")
    assert stages(reader).count("decide") == 1
    assert answer.choice is not None
    assert "deciding" in answer.choice.groups[0].voices
    assert len(answer.choice.groups) == 2
    assert {group.only_here is None for group in answer.choice.groups} == {False}


def test_what_stays_open_is_asked_of_the_person(shop: Path) -> None:
    fills = {"choice": lambda _: "open", "question": lambda _: "Does each order count?"}
    answer = ask(shop, PromptReader(QUESTIONS, fills=fills), ORDERED, "thorough")
    assert (answer.outcome, answer.text) == (Outcome.CLARIFY, "Does each order count?")
    assert len(answer.options) == 2
    assert answer.rows == ()


def test_a_model_that_always_contradicts_costs_confidence_and_no_more_calls(shop: Path) -> None:
    reader = PromptReader(QUESTIONS, habit=ReaderHabit.CONTRADICTS)
    answer = ask(shop, reader, BERN, "standard")
    assert answer.confidence is not None
    assert answer.confidence < 0.9
    assert len(reader.prompts) <= len(STAGES) + 2


def down(_: object) -> Exception:
    raise ModelUnreachable("nobody listens there")


@pytest.mark.parametrize("effort", ["quick", "standard", "thorough"])
def test_the_analyst_answers_when_the_model_is_down_and_says_so(shop: Path, effort: str) -> None:
    answer = ask(shop, ScriptedModel(down), BERN, effort)
    assert (answer.rows, answer.model) == (((2,),), "builtin")
    assert "nobody listens there" in answer.notes[0]
    assert "built-in analyst answered instead" in answer.notes[0]


@pytest.mark.parametrize(
    ("model", "why"),
    [(ScriptedModel(down), "nobody listens there"), (PromptReader({BERN: "SELECT x FROM people"}), "No statement of")],
    ids=["down", "nothing runs"],
)  # fmt: skip
def test_a_person_is_told_that_the_analyst_stood_in(
    shop: Path, model: LanguageModel, why: str
) -> None:
    answer = ask(shop, model, BERN, "standard")
    assert answer.model == "builtin"
    shown = [str(line) for line in answer_of(answer)]
    assert len([line for line in shown if why in line]) == 1
    console = Console(record=True, width=300)
    console.print(*explained(answer), sep="\n")
    told = console.export_text()
    assert f"\n  {why}" not in told
    assert told.count(why) <= 1
    (analyst,) = re.findall(r"^analyst .*", told, re.MULTILINE)
    assert "1 row" in analyst
    assert told.count("COUNT(*)") == 1


def test_what_decided_is_said(shop: Path) -> None:
    choice = ask(shop, PromptReader(QUESTIONS), BERN, "standard").choice
    assert choice is not None
    assert choice.because == "all rows agree"


def test_rows_of_the_analyst_count_more_than_none_of_the_models_only_statement(shop: Path) -> None:
    reader = PromptReader(QUESTIONS, habit=ReaderHabit.CONTRADICTS)
    answer = ask(shop, reader, BERN, "standard")
    assert (answer.rows, answer.model) == (((2,),), "builtin")
    assert answer.choice is not None
    assert [group.voices for group in answer.choice.groups] == [("analyst",), ("stages",)]
    assert answer.choice.because == "most speaks for the rows of its group"


def test_other_rows_of_the_models_only_statement_stand(shop: Path) -> None:
    answer = ask(shop, PromptReader({BERN: "SELECT COUNT(*) AS n FROM people"}), BERN, "standard")
    assert (answer.rows, answer.model) == (((3,),), "reader")
    assert any("reads it otherwise" in note for note in answer.notes)


def test_rows_that_share_nothing_are_told_apart_by_their_readings(shop: Path) -> None:
    fills = {"choice": lambda _: "open", "question": lambda _: ""}
    answer = ask(
        shop, PromptReader(QUESTIONS, fills=fills), ORDERED, "thorough"
    )  # towns, and nicks
    assert answer.text == "The question can be read in two ways. Which one is meant?"
    assert answer.options == ("town of people with orders", "different nicks of people with orders")


def test_a_lone_value_is_no_row_that_counts_or_does_not(shop: Path) -> None:
    fills = {"choice": lambda _: "open", "question": lambda _: ""}
    reader = PromptReader(QUESTIONS, habit=ReaderHabit.CONTRADICTS, fills=fills)
    answer = ask(shop, reader, BERN, "thorough")
    assert answer.text == "The question can be read in two ways. Which one is meant?"


def test_without_the_fallback_the_error_stands(shop: Path) -> None:
    with pytest.raises(ModelUnreachable):
        ask(shop, ScriptedModel(down), BERN, "standard", fallback=False)


def test_an_effort_that_does_not_exist_is_refused(shop: Path) -> None:
    with pytest.raises(UsageError, match="quick, standard, thorough, auto"):
        ask(shop, PromptReader(QUESTIONS), BERN, "enormous")


@pytest.mark.parametrize("columns", ["email", "nick, email", "email AS reached_at"])
@pytest.mark.parametrize("choice", ["first", "open"])
def test_cells_that_are_kept_back_decide_nothing_and_are_asked_of_nobody(
    shop: Path, columns: str, choice: str
) -> None:
    with closing(sqlite3.connect(shop)) as connection:
        connection.executescript(
            "ALTER TABLE people ADD COLUMN email TEXT; UPDATE people SET email = nick || '@x.org'"
        )
    gold = f"SELECT {columns} FROM people JOIN orders ON orders.who = people.id"
    reader = PromptReader({ORDERED: gold}, fills={"choice": lambda _: choice})
    answer = ask(shop, reader, ORDERED, "thorough")
    assert stages(reader).count("decide") == 1
    assert answer.choice is not None
    assert "@x.org" in str(answer.choice.groups)  # the person sees it
    prompts = "".join(prompt.text for prompt in reader.prompts)
    assert "@x.org" not in "".join(
        (prompts, *((answer.text, *answer.options) if choice == "open" else ()))
    )
    assert len(answer.options) == (0 if choice == "first" else 2)
