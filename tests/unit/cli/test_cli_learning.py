"""Teaching on the command line: what is printed, and what it costs to go back."""

import json
from pathlib import Path

import pytest

QUESTION = "How many VIPs live in Berlin?"
RIGHT = "SELECT COUNT(*) FROM customers WHERE name <> 'Bo' AND city = 'Berlin'"


@pytest.fixture
def taught(oldhand, home: Path):
    """An assistant that was taught one pair."""
    assert oldhand("ask", QUESTION).exit_code == 3
    given = oldhand("feedback", "last", "--correction", RIGHT)
    assert given.exit_code == 0, given.output
    return given


def example_id(oldhand) -> str:
    (one,) = json.loads(oldhand("memory", "list", "--type", "example", "--json").stdout)
    return one["id"]


def test_feedback_prints_what_was_learned(taught) -> None:
    assert f"Learned: '{QUESTION}' → {RIGHT}" in taught.output


def test_feedback_says_why_nothing_was_learned(oldhand, home: Path) -> None:
    oldhand("ask", "How many customers are there?")
    given = oldhand("feedback", "last", "--good", "--rater", "bo")
    assert given.exit_code == 0
    assert (
        "Kept, but nothing was learned: bo is not an owner or expert of this assistant."
        in given.output
    )


def test_feedback_as_json_has_what_was_learned(oldhand, home: Path) -> None:
    oldhand("ask", "How many customers are there?")
    given = json.loads(oldhand("feedback", "last", "--good", "--json").stdout)
    assert given["rating"] == 1
    assert given["learned"][0]["payload"]["question"] == "How many customers are there?"
    assert (given["withdrawn"], given["note"]) == ([], "")


def test_an_answer_as_json_names_its_lessons(oldhand, taught) -> None:
    answer = json.loads(oldhand("ask", "How many VIPs live in Oslo?", "--json").stdout)
    assert example_id(oldhand) in answer["lessons"]


def test_memories_are_listed_with_how_they_fared(oldhand, taught) -> None:
    listed = oldhand("memory", "list")
    assert listed.exit_code == 0
    for word in ("example", "confidence", "used", "ups", "downs", "default"):
        assert word in listed.output


def test_an_empty_list_says_how_to_begin(oldhand, home: Path) -> None:
    listed = oldhand("memory", "list")
    assert listed.exit_code == 0
    assert "Nothing was learned yet" in listed.output
    assert json.loads(oldhand("memory", "list", "--json").stdout) == []


def test_a_memory_is_shown_with_its_evidence_and_history(oldhand, taught) -> None:
    shown = oldhand("memory", "show", example_id(oldhand)[:12])
    assert shown.exit_code == 0
    for word in (RIGHT, "evidence", "feedback ", "default (owner)", "version 1"):
        assert word in shown.output
    told = json.loads(oldhand("memory", "show", example_id(oldhand), "--json").stdout)
    assert told["memory"]["type"] == "example"


def test_an_unknown_memory_is_a_usage_error(oldhand, home: Path) -> None:
    assert oldhand("memory", "show", "nothing").exit_code == 2
    assert oldhand("memory", "forget", "nothing", "--yes").exit_code == 2
    assert oldhand("memory", "list", "--type", "wisdom").exit_code == 2


def test_forgetting_asks_first(oldhand, taught) -> None:
    memory_id = example_id(oldhand)
    assert oldhand("memory", "forget", memory_id, input="n\n").exit_code != 0
    assert example_id(oldhand) == memory_id
    assert oldhand("memory", "forget", memory_id, input="y\n").exit_code == 0
    assert json.loads(oldhand("memory", "list", "--type", "example", "--json").stdout) == []
    assert oldhand("ask", QUESTION).exit_code == 3


def test_rolling_back_before_a_feedback_undoes_it(oldhand, home: Path) -> None:
    oldhand("ask", QUESTION)
    given = json.loads(oldhand("feedback", "last", "--correction", RIGHT, "--json").stdout)
    assert oldhand("ask", QUESTION).exit_code == 0
    back = oldhand("memory", "undo", "--before-feedback", given["id"][:8], "--yes")
    assert back.exit_code == 0, back.output
    assert "gone" in back.output
    assert oldhand("ask", QUESTION).exit_code == 3
    assert oldhand("learn", "--anew").output.startswith("0 memories changed, 0 withdrawn")


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--to", "2026-01-01", "--before-feedback", "x"),
        ("--to", "3026-01-01"),
        ("--to", "yesterday"),
        ("--before-feedback", "nothing"),
    ],
)
def test_a_way_back_that_is_none_is_a_usage_error(oldhand, home: Path, arguments) -> None:
    assert oldhand("memory", "undo", *arguments, "--yes").exit_code == 2


def test_rolling_back_to_a_day_removes_what_came_since(oldhand, taught) -> None:
    back = oldhand("memory", "undo", "--to", "2020-01-01 09:00", "--yes", "--json")
    assert json.loads(back.stdout)["restored"] == []
    assert json.loads(oldhand("memory", "list", "--type", "example", "--json").stdout) == []


def test_words_are_stated_listed_and_taken_back(oldhand, home: Path) -> None:
    added = oldhand("alias", "add", "Punters", "shop.customers")
    assert added.exit_code == 0, added.output
    assert "'punters' means the table customers (shop)." in added.output
    listed = oldhand("alias", "list")
    assert "punters" in listed.output
    assert "stated by default" in listed.output
    assert oldhand("ask", "How many punters are there?").exit_code == 0
    assert oldhand("alias", "remove", "punters").exit_code == 0
    assert json.loads(oldhand("alias", "list", "--json").stdout) == []
    assert oldhand("alias", "remove", "punters").exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("clients", "shop.clients"),
        ("clients", "nowhere.customers"),
        ("", "shop.customers"),
        ("clients", "shop.customers", "--rater", "eve"),
    ],
)
def test_a_word_that_cannot_be_stated_is_a_usage_error(oldhand, home: Path, arguments) -> None:
    assert oldhand("alias", "add", *arguments).exit_code == 2


def test_a_conversation_teaches(oldhand, home: Path) -> None:
    said = oldhand("chat", input=f"{QUESTION}\n/correct {RIGHT}\n{QUESTION}\n/good\n/correct\n")
    assert f"Learned: '{QUESTION}' → {RIGHT}" in said.output
    assert "Write what should be different behind /correct" in said.stderr


@pytest.mark.parametrize("phrase", ["the", "how many", "Most"])
def test_a_word_of_any_question_cannot_be_stated(oldhand, home: Path, phrase: str) -> None:
    added = oldhand("alias", "add", phrase, "shop.customers")
    assert added.exit_code == 2
    assert "InvalidAlias" in added.stderr


@pytest.mark.parametrize(
    "target",
    ["shop.customers.city like 'B%'", "shop.customers.city is null", "shop.customers.city = NULL"],
)
def test_a_condition_is_no_target(oldhand, home: Path, target: str) -> None:
    added = oldhand("alias", "add", "northerners", target)
    assert added.exit_code == 2
    assert "is no condition that a word can stand for" in added.stderr


def test_a_value_that_is_not_there_is_taken_with_a_warning(oldhand, home: Path) -> None:
    missing = oldhand("alias", "add", "capital", "shop.customers.city = Berlinn")
    assert missing.exit_code == 0
    assert "No row of customers has city = 'Berlinn' today. Near: 'Berlin'." in missing.stderr
    assert oldhand("alias", "add", "capital", "shop.customers.city = Berlin").stderr == ""


def test_words_taken_back_are_listed_as_retired(oldhand, home: Path) -> None:
    oldhand("alias", "add", "punters", "shop.customers")
    oldhand("alias", "remove", "punters")
    (word,) = json.loads(oldhand("memory", "list", "--json").stdout)
    assert (word["state"], word["why"]) == ("retired", "It was taken back.")
    assert "punters" not in oldhand("memory", "list", "--state", "in force").stdout


def test_a_memory_tells_who_said_what_of_which_question(oldhand, taught) -> None:
    shown = oldhand("memory", "show", example_id(oldhand))
    assert f"corrected by default (owner) on '{QUESTION}'" in shown.stdout


def test_a_way_back_in_words_is_answered_with_an_example(oldhand, home: Path) -> None:
    said = oldhand("memory", "undo", "--to", "yesterday").stderr
    assert "'yesterday' is no moment" in said
    assert "2026-03-01 09:00" in said


def test_a_conversation_says_that_nothing_ran(oldhand, home: Path) -> None:
    said = oldhand("chat", input=f"{QUESTION}\n/sql\n")
    assert "Nothing ran" in said.stdout


def test_what_the_night_would_make_of_answers_is_told_before_it(oldhand, home: Path) -> None:
    oldhand("ask", "How many customers are there?")
    right = "SELECT COUNT(*) FROM customers WHERE city <> 'Oslo'"
    oldhand("feedback", "last", "--correction", right, "--rater", "bo")
    for asked in (("evidence",), ("memory", "list", "--waiting"), ("memory", "list", "--flawed")):
        assert "1 lesson would come of what was found in answers" in oldhand(*asked).output
    oldhand("learn")
    assert "would come of" not in oldhand("evidence").output


def test_rules_that_were_learned_are_listed_and_exported(oldhand, home: Path) -> None:
    oldhand("alias", "add", "punters", "shop.customers")
    assert "'punters' means customers" in oldhand("rule", "list").output
    exported = oldhand("rule", "export").output
    assert "synonyms:\n- name: punters\n  table: customers" in exported
    assert oldhand("rule", "export", "--database", "nope").exit_code != 0
