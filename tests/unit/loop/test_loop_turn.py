"""What is kept of a turn that ends in an error."""

import sqlite3
from contextlib import closing

import pytest

from oldhand import Oldhand, Outcome
from oldhand.errors import InvalidDatabaseUrl, InvalidQuestion, PromptError
from oldhand.testing import ScriptedModel

QUESTION = "How many customers live in Berlin?"


@pytest.fixture
def shop(tmp_path):
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
    return f"sqlite:///{tmp_path / 'shop.db'}"


def test_tokens_spent_before_a_broken_prompt_are_kept(tmp_path, shop):
    prompts = tmp_path / "home" / "knowledge" / "prompts"
    prompts.mkdir(parents=True)
    (prompts / "create_plan.yaml").write_text("{system_prompt: Plan., user_prompt: '${nothing}'}")
    model = ScriptedModel([{"verdict": "answerable", "databases": ["shop"]}])
    with Oldhand(tmp_path / "home", model=model) as old:
        old.databases.add(shop, name="shop")
        with pytest.raises(PromptError, match="nothing"):
            old.ask(QUESTION)
        (episode,) = old.episodes.list()
    assert episode.answer.outcome is Outcome.FAILED
    assert "create_plan" in episode.answer.text
    assert [entry.stage for entry in episode.ledger] == ["validate"]


def test_a_database_that_cannot_be_named_any_more_leaves_an_episode(tmp_path, shop, monkeypatch):
    monkeypatch.setenv("SHOP_FOLDER", str(tmp_path))
    with Oldhand(tmp_path / "home") as old:
        old.databases.add("sqlite:///${SHOP_FOLDER}/shop.db", name="shop")
    monkeypatch.delenv("SHOP_FOLDER")
    with Oldhand(tmp_path / "home") as old:
        with pytest.raises(InvalidDatabaseUrl, match="SHOP_FOLDER"):
            old.ask("How many customers are there?")
        (episode,) = old.episodes.list()
    assert "SHOP_FOLDER" in episode.answer.text


def test_a_failure_on_a_schema_that_no_longer_fits_says_so(tmp_path, shop):
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(shop, name="shop")
        with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
            connection.execute("ALTER TABLE customers RENAME TO clients")
        answer = old.ask("How many customers are there?")
        assert old.episodes.get(answer.episode_id).answer.text == answer.text
    assert answer.outcome is Outcome.FAILED
    assert "customers: table missing" in answer.text
    assert "oldhand schema introspect shop" in answer.text


def test_a_failure_on_a_schema_that_fits_does_not_blame_it(tmp_path, shop):
    script = [
        {"verdict": "answerable", "databases": ["shop"]},
        {"steps": [{"number": 1, "purpose": "count", "database": "shop"}]},
        *[{"sql": "SELECT", "cause": "none", "corrected_sql": "SELECT"}] * 5,
    ]
    with Oldhand(tmp_path / "home", model=ScriptedModel(script)) as old:
        old.databases.add(shop, name="shop")
        answer = old.ask("What is our churn?")  # the analyst, heard as well, knows nothing of it
    assert answer.outcome is Outcome.FAILED
    assert "no longer fits" not in answer.text


def test_a_question_that_was_never_begun_leaves_nothing(tmp_path, shop):
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(shop, name="shop")
        with pytest.raises(InvalidQuestion):
            old.ask(" ")
        assert old.episodes.list() == ()
